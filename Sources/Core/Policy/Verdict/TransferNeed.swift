/// How long a transfer is expected to take.
package enum TransferNeed {
    /// What is counted on where no rate was measured, in bytes a second.
    package static let assumedRate: Int64 = 1 << 20
    /// What every transfer takes before its first byte.
    static let setup = Duration.seconds(2)
    /// Longer times count as this one.
    static let atMost = Duration.seconds(400 * 86_400)

    /// The time for so many bytes at a rate in bytes a second.
    package static func time(bytes: Int64, rate: Int64 = assumedRate) -> Duration {
        let seconds = Double(max(0, bytes)) / Double(max(1, rate))
        return setup + min(atMost, .microseconds(Int64(min(seconds, 4e7) * 1e6)))
    }

    /// The latest instant at which a download has to begin; nil without a deadline.
    package static func latestBegin(
        _ deadline: CandidateDeadline, need: Duration, margin: Duration
    ) -> Timestamp? {
        let begin = deadline.begin.map { $0 - margin }
        let complete = deadline.complete.map { $0 - need - max(margin, need / 10) }
        guard let begin, let complete else { return begin ?? complete }
        return min(begin, complete)
    }
}
