// Reads what the service compressed.
internal import CZlib

/// Bytes in the format gzip, for tests.
package enum Gunzip {
    /// Expands a whole gzip file; see inflate in zlib.h.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - most: the greatest length of its content, in bytes.
    /// - Returns: nil if it is no single gzip file with a correct checksum, or has more bytes.
    package static func expand(_ bytes: [UInt8], atMost most: Int = 64 << 20) -> [UInt8]? {
        var stream = unsafe z_stream()
        guard unsafe lull_gunzip_begin(&stream) == Z_OK else { return nil }
        defer { unsafe inflateEnd(&stream) }
        var isWhole = false
        let content = unsafe [UInt8](unsafeUninitializedCapacity: most) { room, count in
            let result = unsafe bytes.withUnsafeBufferPointer { source in
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = room.baseAddress
                unsafe stream.avail_out = UInt32(most)
                return unsafe inflate(&stream, Z_FINISH)
            }
            isWhole = unsafe result == Z_STREAM_END && stream.avail_in == 0
            count = Int(unsafe stream.total_out)
        }
        return isWhole ? content : nil
    }
}
