internal import Base

/// The end of an attempt; the raw value is the number in `attempts.outcome`.
package enum RunOutcome: Int16, Sendable, CaseIterable {
    /// The file is published.
    case succeeded = 1
    /// The download has failed.
    case failed = 2
    /// The download waits for another attempt.
    case retryScheduled = 3
    /// The client canceled the download.
    case canceled = 4
    /// The client suspended the download.
    case suspended = 5
    /// The client has to act.
    case attentionRequired = 6
    /// It was stopped for more urgent work, and the download waits.
    case yielded = 7
    /// The origin was not reached, which costs no attempt.
    case unreachable = 8
    /// The replica lost its lease or restarted; no worker reports this.
    case givenBack = 9
    /// The file is whole and waits to be sent to its receiver.
    case received = 10
    /// The content is the known one, and the download waits for a share of its file.
    case unchanged = 11

    /// The name in the list of attempts, in SQL and in metrics.
    package var name: String { "\(self)".snakeCase }

    /// Whether the download waits for another attempt, which may begin without the client.
    package var waitsAgain: Bool {
        switch self {
        case .retryScheduled, .yielded, .unreachable, .givenBack, .received, .unchanged:
            true
        case .succeeded, .failed, .canceled, .suspended, .attentionRequired: false
        }
    }
}
