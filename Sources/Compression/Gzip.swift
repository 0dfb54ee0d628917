// Compression by zlib.
internal import CZlib

/// The format gzip (RFC 1952).
package enum Gzip {
    /// Compresses bytes in one piece; see deflate in zlib.h.
    ///
    /// Equal bytes give equal results, because the header has neither a name nor a time.
    ///
    /// - Parameter bytes: at most 1 GiB.
    /// - Returns: a gzip file; nil without memory for zlib's window, 256 KiB.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        precondition(bytes.count <= 1 << 30, "zlib counts the bytes of a piece in 32 bits")
        var stream = unsafe z_stream()
        guard unsafe lull_gzip_begin(&stream, Z_DEFAULT_COMPRESSION) == Z_OK else { return nil }
        defer { unsafe deflateEnd(&stream) }
        let most = Int(unsafe deflateBound(&stream, UInt(bytes.count)))
        return unsafe [UInt8](unsafeUninitializedCapacity: most) { room, count in
            let result = unsafe bytes.withUnsafeBufferPointer { source in
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = room.baseAddress
                unsafe stream.avail_out = UInt32(most)
                return unsafe deflate(&stream, Z_FINISH)
            }
            precondition(result == Z_STREAM_END, "deflateBound leaves room for all bytes")
            count = Int(unsafe stream.total_out)
        }
    }
}
