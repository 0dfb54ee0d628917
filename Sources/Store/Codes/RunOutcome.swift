// The numbers of attempts.outcome, which functions/codes.sql names, too.

/// The end of an attempt; the raw value is the number in the store.
package enum RunOutcome: Int16, Sendable, CaseIterable {
    /// The file is published.
    case succeeded = 1
    /// The download has failed.
    case failed = 2
    /// The download waits for another attempt.
    case retry = 3
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
    case lost = 9

    /// The name in the list of attempts.
    package var name: String {
        switch self {
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .retry: "retry_scheduled"
        case .canceled: "canceled"
        case .suspended: "suspended"
        case .attentionRequired: "attention_required"
        case .yielded: "yielded"
        case .unreachable: "unreachable"
        case .lost: "given_back"
        }
    }
}
