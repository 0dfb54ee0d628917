/// The decision about the body of an answer.
package enum BodyDecision: Equatable, Sendable {
    /// Write it from the beginning of the file; kept bytes are void, for the given reason.
    case fromStart(discarding: DiscardReason?)
    /// Write it at the offset; it may end before the whole content does.
    case append(at: Int64)
    /// Do not fetch: the kept bytes are the whole content.
    case alreadyWhole
    /// Do not read the body; request everything once more.
    case refuseThenWhole(DiscardReason)
    /// Do not read the body; request once more with Range and no If-Range.
    case refuseThenPlainRange
    /// Do not read the body; the client's demands are not met.
    case reject(DownloadFailure)
    /// The answer has no content: its status decides.
    case notContent
    /// The framing cannot be trusted; the attempt failed.
    case ambiguous(String)
}
