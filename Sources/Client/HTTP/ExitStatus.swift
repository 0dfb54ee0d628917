/// The exit status of a command; the numbers do not change.
package enum ExitStatus: Int32, Sendable, CaseIterable {
    /// The command succeeded.
    case done = 0
    /// The command failed.
    case failed = 1
    /// The command line or the configuration is wrong.
    case usage = 2
    /// No service was reached.
    case notReached = 3
    /// The key was refused.
    case key = 4
    /// The time limit was reached.
    case timeOver = 5
    /// A download needs a decision.
    case needsYou = 6
    /// A signal ended the command.
    case interrupted = 130

    /// The meaning of the status, for the documentation.
    package var meaning: String {
        switch self {
        case .done: "done; the downloads have succeeded"
        case .failed: "failed, or canceled, or refused by the service"
        case .usage: "wrong usage or configuration"
        case .notReached: "the service could not be reached"
        case .key: "the key is missing, is not valid, or lacks a scope"
        case .timeOver: "the time of --timeout was over"
        case .needsYou:
            "a download is attention_required: change it with lull edit, then lull resume"
        case .interrupted: "ended by Ctrl-C; the downloads continue at the service"
        }
    }

    /// The exit status for a download in a state; nil if the download has not ended.
    package init?(ofState state: String) {
        switch state {
        case "succeeded": self = .done
        case "failed", "canceled": self = .failed
        case "attention_required": self = .needsYou
        default: return nil
        }
    }
}
