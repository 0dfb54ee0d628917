// How a transfer ended.

/// The end of a run: always a value, never thrown.
package struct TransferResult: Sendable {
    /// Good or bad.
    package enum Outcome: Sendable, Equatable {
        /// The answer is complete: libcurl agrees and the counted bytes match the head.
        ///
        /// `lengthVerified` is false when neither length nor chunks delimit the body.
        case completed(lengthVerified: Bool)
        /// The answer is missing or incomplete.
        case failed(TransferFailure)
        /// The caller cancelled it, or the engine was closed.
        case cancelled
        /// The sink refused the head or the body; the reason is the sink's.
        case refused(reason: String)
    }

    /// How it ended; a status of 4xx or 5xx is a completed answer.
    package var outcome: Outcome
    /// The final hop's head; also there when its body failed.
    package var head: ResponseHead?
    /// The trailer fields of the final hop in order, names in lower case, less than 64 KiB of them;
    /// without a chunked body that came to its end there are none.
    package var trailers: [ResponseHead.Field] = []
    /// The body bytes of the final hop that were taken.
    package var bodyBytes: Int64 = 0
    /// The kept bytes with `ByteDestination.buffer`, else empty.
    package var buffer: [UInt8] = []
    /// How far the last hop came.
    package var phase = TransferPhase.lookup
    /// How long it took.
    package var timings = TransferTimings()
    /// Bytes a second of the final hop over the time in which nothing on this side held it back;
    /// nil if too little came so.
    package var unthrottledRate: Double?
    /// How many connections were opened; 0 when kept ones served every hop.
    package var newConnections = 0
    /// Whether it failed because its own origin was not reached: no route, no name server, or no
    /// answer to a connection.
    package var isUnreachable = false
    /// Whether a request may have reached the other side.
    package var wasSent = false
    /// The address that the final hop was connected to, or empty; for the operator only.
    package var primaryAddress = ""
    /// The URL of the last hop that was tried, as text.
    package var lastURL = ""

    /// A result with nothing but its end.
    package init(outcome: Outcome) { self.outcome = outcome }
}
