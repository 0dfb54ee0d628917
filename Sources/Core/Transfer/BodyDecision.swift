/// What to do with the body of an answer.
package enum BodyDecision: Equatable, Sendable {
    /// Write it from the beginning of the file; bytes kept so far are void, for the reason given.
    case fromStart(discarding: DiscardReason?)
    /// Write it at the offset; it may end before the whole does.
    case append(at: Int64)
    /// There is nothing to fetch: the bytes kept are the whole.
    case alreadyWhole
    /// Leave the body; request everything once more.
    case refuseThenWhole(DiscardReason)
    /// Leave the body; request once more with Range and no If-Range.
    case refuseThenPlainRange
    /// Leave the body; the client's demands are not met.
    case reject(DownloadFailure)
    /// The answer is no content: its status decides.
    case notContent
    /// The framing is not to be trusted; the attempt failed.
    case ambiguous(String)
}
