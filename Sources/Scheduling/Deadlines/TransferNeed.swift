package import Base

/// The expected time of a transfer.
package enum TransferNeed {
    /// The assumed rate where none was measured, in bytes a second.
    package static let assumedRate: Int64 = 1 << 20
    /// The assumed time before the first byte.
    static let setup = Duration.seconds(2)
    /// The upper bound of the result.
    static let atMost = Duration.seconds(400 * 86_400)

    /// The time for a number of bytes at a rate in bytes a second.
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
