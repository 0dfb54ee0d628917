// Decompression by zlib, in bounds.
internal import CZlib

extension Gzip {
    /// The result of an expansion.
    package enum Expanded: Equatable, Sendable {
        /// The bytes.
        case whole([UInt8])
        /// There are more bytes than were allowed.
        case tooLong
        /// The bytes are no gzip file, or end before it does.
        case invalid
    }

    /// Expands a gzip file, also one of several members (RFC 1952).
    ///
    /// Memory is taken as bytes come: a file that claims much and is small costs little.
    ///
    /// - Parameters:
    ///   - bytes: at most 1 GiB. Bytes behind the last member are ignored if they are zero.
    ///   - most: the most bytes of the result.
    /// - Returns: the bytes, or why there are none.
    package static func expand(_ bytes: [UInt8], atMost most: Int) -> Expanded {
        precondition(bytes.count <= 1 << 30, "zlib counts the bytes of a piece in 32 bits")
        var stream = unsafe z_stream()
        guard unsafe lull_gunzip_begin(&stream) == Z_OK else { return .invalid }
        defer { unsafe inflateEnd(&stream) }
        var expanded: [UInt8] = []
        return unsafe bytes.withUnsafeBufferPointer { source in
            unsafe stream.next_in = source.baseAddress
            unsafe stream.avail_in = UInt32(source.count)
            while true {
                var result = Z_OK
                let room = 64 << 10
                let piece = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                    unsafe stream.next_out = buffer.baseAddress
                    unsafe stream.avail_out = UInt32(room)
                    result = unsafe inflate(&stream, Z_NO_FLUSH)
                    count = room - Int(unsafe stream.avail_out)
                }
                expanded += piece
                if expanded.count > most { return .tooLong }
                let left = unsafe source.suffix(Int(stream.avail_in))
                if result == Z_STREAM_END {
                    if unsafe left.allSatisfy({ $0 == 0 }) { return .whole(expanded) }
                    guard unsafe inflateReset(&stream) == Z_OK else { return .invalid }
                } else if unsafe result != Z_OK || left.isEmpty && piece.isEmpty {
                    return .invalid
                }
            }
        }
    }
}
