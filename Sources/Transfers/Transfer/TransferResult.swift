// The end of a transfer.

/// The end of a run: a value, never thrown.
package struct TransferResult: Sendable {
    /// The kinds of ends.
    package enum Outcome: Sendable, Equatable {
        /// The answer is complete: libcurl agrees and the counted bytes match the head.
        ///
        /// `lengthVerified` is false when neither length nor chunks delimit the body, and for the
        /// answer to a source if the connection was lost behind its head.
        case completed(lengthVerified: Bool)
        /// The answer is missing or incomplete.
        case failed(TransferFailure)
        /// The caller cancelled it, or the engine was closed.
        case cancelled
        /// The sink refused the head or the body; the reason is the sink's.
        case refused(reason: String)
    }

    /// The kind of end; a status of 4xx or 5xx is a completed answer.
    package var outcome: Outcome
    /// The final hop's head; also there when its body failed.
    package var head: ResponseHead?
    /// The trailer fields of the final hop in order, names in lower case, less than 64 KiB of them;
    /// empty unless a chunked body came to its end.
    package var trailers: [ResponseHead.Field] = []
    /// The body bytes of the final hop that were taken.
    package var bodyBytes: Int64 = 0
    /// The bytes of the last request's body that libcurl took from its source; 0 without a source.
    package var sentBytes: Int64 = 0
    /// Whether the answer came after the last byte of the source; false without one, and for a
    /// receiver that answered before it had the whole body.
    package var isBodySent = false
    /// The kept bytes with `ByteDestination.buffer`; empty with other destinations.
    package var buffer: [UInt8] = []
    /// The phase that the last hop reached.
    package var phase = TransferPhase.lookup
    /// The times of the phases.
    package var timings = TransferTimings()
    /// Bytes a second of the final hop, sent ones where there is a source, over the time in which
    /// this side did not hold it back; nil for too few.
    package var unthrottledRate: Double?
    /// The number of opened connections; 0 if kept ones served every hop.
    package var newConnections = 0
    /// Whether it failed because its own origin was not reached: no route, no name server, or no
    /// answer to a connection.
    package var isUnreachable = false
    /// Whether a request may have reached the other side.
    package var wasSent = false
    /// The address of the final hop's connection, or empty; for the operator only.
    package var primaryAddress = ""
    /// The URL of the last hop that was tried.
    package var lastURL = ""

    /// Creates a result with its outcome only.
    package init(outcome: Outcome) { self.outcome = outcome }
}
