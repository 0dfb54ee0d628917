/// The content of a request that is read while it arrives; one task reads it.
///
/// The connection is read no faster than the pieces are taken, so memory stays bounded whatever
/// the length is.
package final class IncomingBody: Sendable {
    /// The result of one read.
    package enum Piece: Sendable, Equatable {
        /// The next bytes, at least one.
        case bytes([UInt8])
        /// The content is complete.
        case end
        /// The rest of the content will not come; the text says why, for logs and problems.
        case broken(String)
    }

    /// The announced number of bytes, at least 1; nil for chunked content.
    package let length: Int64?
    private let read: @Sendable () async -> Piece
    private let stop: @Sendable (String) async -> Void

    /// Creates content that a closure reads.
    ///
    /// - Parameters:
    ///   - length: the announced number of bytes; nil if it is not known.
    ///   - read: answers the next piece; behind `end` and `broken` the same piece again.
    ///   - stop: makes `broken` with a reason the next piece, unless the content is complete.
    package init(
        length: Int64?, read: @escaping @Sendable () async -> Piece,
        stop: @escaping @Sendable (String) async -> Void = { _ in }
    ) {
        precondition(length ?? 1 > 0, "content has a byte")
        self.length = length
        self.read = read
        self.stop = stop
    }

    /// Waits for the next piece; one call at a time.
    ///
    /// The first call lets a client that waits for `100 Continue` send its content.
    package func next() async -> Piece { await read() }

    /// Ends the content for its reader, who gets `broken` with a reason, unless all of it has come.
    package func abandon(_ reason: String) async { await stop(reason) }
}
