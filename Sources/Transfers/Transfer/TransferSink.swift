/// Two closures that take the head and the bytes on the engine's thread; they must not block.
@safe package struct TransferSink: Sendable {
    /// The sink's answer to the bytes it was offered.
    package enum Answer: Sendable, Equatable {
        /// The bytes were taken.
        case taken
        /// No byte was taken; they are offered again after `TransferEngine.resume`.
        case pause
        /// The transfer ends with `aborted_by_sink`.
        case abort(reason: String)
    }

    /// Called once, before the first body byte of the final hop.
    package let begin: @Sendable (ResponseHead) -> Answer
    /// Called for up to 16 KiB at a time; the bytes are valid during the call.
    package let receive: @Sendable (UnsafeRawBufferPointer) -> Answer

    /// Creates a sink from two closures.
    ///
    /// - Parameters:
    ///   - begin: sees the head; `.pause` holds the body back until `TransferEngine.resume`.
    ///   - receive: takes bytes.
    package init(
        begin: @escaping @Sendable (ResponseHead) -> Answer,
        receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Answer
    ) {
        self.begin = begin
        unsafe self.receive = receive
    }
}
