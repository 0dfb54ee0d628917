// The members of an attempt's record beside its times.
internal import Downloads
internal import Transfers

/// The last transfer of an attempt, for people.
struct TransferRecord: Sendable {
    /// The URL of the transfer.
    let url: String
    /// The last status.
    private var status: Int?
    /// The phase that the last transfer reached; nil after a good one.
    private var phase: TransferPhase?
    /// The message of libcurl or of the engine about its end; nil after a good one.
    private(set) var words: String?
    private var timings = TransferTimings()
    /// Bytes a second of the last transfer while this side did not hold it back.
    private(set) var unthrottledRate: Double?
    /// The beginning of an answer without content, or with unwanted content.
    var excerpt: AttemptDetail.Excerpt?

    /// Microseconds until the first byte of the last transfer.
    var firstByteTime: Int64 { timings.firstByte }

    /// Creates the record before the first transfer.
    init(url: String) { self.url = url }

    /// Notes the end of a transfer.
    mutating func note(_ result: TransferResult, _ excerpt: AttemptDetail.Excerpt?) {
        self.excerpt = excerpt
        timings = result.timings
        unthrottledRate = result.unthrottledRate
        words = nil
        status = result.head?.status
        switch result.outcome {
        case .completed: break
        case .failed(let failure):
            phase = result.phase
            words = failure.words
        case .cancelled, .refused: phase = result.phase
        }
    }

    /// The members of the attempt's record.
    ///
    /// - Parameters:
    ///   - tally: what became of earlier bytes.
    ///   - streams: the most at once; nil if the file was never cut.
    /// - Returns: its members.
    func detail(_ tally: ResumeTally, streams: Int?) -> AttemptDetail {
        var detail = AttemptDetail()
        detail.url = url
        detail.resumedFrom = tally.resumedFrom
        detail.bytesDiscarded = tally.discarded
        detail.discardReason = tally.reason
        detail.httpStatus = status
        detail.phase = phase?.rawValue
        detail.transportError = words
        detail.excerpt = excerpt
        detail.lookupTime = timings.lookup
        detail.connectTime = timings.connect
        detail.tlsTime = timings.tls
        detail.firstByteTime = timings.firstByte
        detail.streams = streams
        detail.totalTime = timings.total
        return detail
    }
}

extension ResumeTally {
    /// The resource's `resume` member: nil if there were no bytes before the attempt.
    ///
    /// - Parameter hadBytes: whether a resume point named bytes.
    /// - Returns: the member.
    func summary(hadBytes: Bool) -> ResumeSummary? {
        guard hadBytes || discarded > 0 else { return nil }
        return ResumeSummary(
            outcome: isRestarted || !hadBytes ? .restarted : .continued, reason: reason,
            bytesDiscarded: discarded)
    }
}
