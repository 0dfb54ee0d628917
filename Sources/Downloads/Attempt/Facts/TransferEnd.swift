/// The end of a transfer.
package struct TransferEnd: Equatable, Sendable {
    /// The kinds of ends.
    package enum Outcome: Equatable, Sendable {
        /// The answer is complete.
        case completed(isLengthVerified: Bool)
        /// The answer is missing or incomplete.
        case failed(DownloadFailure)
        /// The head has a Content-Range that is doubled, unreadable, or contradicts its length.
        case oddRange(DownloadFailure)
        /// It was cancelled here.
        case cancelled
        /// The body was refused here.
        case refused
    }

    /// The kind of end.
    package var outcome: Outcome
    /// Its head and trailers; nil if no head came.
    package var facts: ResponseFacts?
    /// Bytes of the body that were taken.
    package var bytes: Int64
    /// Redirects before the answer.
    package var redirects = 0
    /// Whether the request may have reached the origin.
    package var wasSent = true
    /// The fields by which the answer tells a time.
    package var told = ToldFields()
    /// The state of the bytes.
    package var body = BodyEnd()

    /// The end of one transfer.
    package init(_ outcome: Outcome, facts: ResponseFacts?, bytes: Int64) {
        self.outcome = outcome
        self.facts = facts
        self.bytes = bytes
    }
}
