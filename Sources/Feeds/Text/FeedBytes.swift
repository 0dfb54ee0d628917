// The bytes of a feed once gzip is undone.
internal import Compression
internal import Downloads

/// Undoes gzip, in which some servers keep feeds whatever was asked for.
enum FeedBytes {
    /// The bytes of a feed, at most `Feed.bytesAtMost`.
    ///
    /// - Throws: a fault for more bytes, and for bytes that begin like gzip and are no gzip file.
    static func inflated(_ bytes: [UInt8]) throws(FeedFault) -> [UInt8] {
        guard bytes.starts(with: [0x1f, 0x8b]) else {
            guard bytes.count <= Feed.bytesAtMost else {
                throw FeedFault(.tooLarge, detail: "more than 8 MiB")
            }
            return bytes
        }
        switch Gzip.expand(bytes, atMost: Feed.bytesAtMost) {
        case .whole(let plain): return plain
        case .tooLong: throw FeedFault(.tooLarge, detail: "more than 8 MiB once gzip is undone")
        case .invalid: throw FeedFault(.gzip, detail: "begins like gzip and is no gzip file")
        }
    }
}
