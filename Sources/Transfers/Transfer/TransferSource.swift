/// The body of a request that is read while it is sent; both closures are called on the engine's
/// thread and must not block.
@safe package struct TransferSource: Sendable {
    /// The answer to a wish for bytes.
    package enum Answer: Sendable, Equatable {
        /// This number of bytes, at least one, is in the room that was offered.
        case bytes(Int)
        /// No bytes yet; the source is asked again after `TransferEngine.resume`.
        case pause
        /// The transfer ends with `TransferResult.Outcome.refused`.
        case abort(reason: String)
    }

    /// The number of bytes of the body, not negative.
    package let length: Int64
    /// Fills the beginning of some room, which is not empty, with the next bytes; never called
    /// again behind the last byte.
    package let read: @Sendable (UnsafeMutableRawBufferPointer) -> Answer
    /// Makes the first byte the next one, because the body is sent once more; false if that is not
    /// possible.
    package let rewind: @Sendable () -> Bool

    /// Creates a source from its length and two closures.
    package init(
        length: Int64, read: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Answer,
        rewind: @escaping @Sendable () -> Bool
    ) {
        precondition(length >= 0, "a body has no negative length")
        self.length = length
        unsafe self.read = read
        self.rewind = rewind
    }
}
