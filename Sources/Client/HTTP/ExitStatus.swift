/// How a command of the program ended; the numbers do not change.
package enum ExitStatus: Int32, Sendable, CaseIterable {
    /// It is done.
    case done = 0
    /// It failed.
    case failed = 1
    /// The command line or the configuration is wrong.
    case usage = 2
    /// There was no service.
    case notReached = 3
    /// The key does not do.
    case key = 4
    /// The time was over.
    case timeOver = 5
    /// A download needs a decision.
    case needsYou = 6
    /// A signal ended it.
    case interrupted = 130

    /// When a command ends with it.
    package var meaning: String {
        switch self {
        case .done: "done; the downloads have succeeded"
        case .failed: "failed, or canceled, or refused by the service"
        case .usage: "wrong usage or configuration"
        case .notReached: "no service could be reached"
        case .key: "the key is missing, is not valid, or may not do this"
        case .timeOver: "the time of --timeout is over"
        case .needsYou: "a download needs you (attention_required): change it and resume it"
        case .interrupted: "ended by Ctrl-C; the downloads go on"
        }
    }

    /// What the state of a download means for whoever waited for it; nil while it has not ended.
    package init?(ofState state: String) {
        switch state {
        case "succeeded": self = .done
        case "failed", "canceled": self = .failed
        case "attention_required": self = .needsYou
        default: return nil
        }
    }
}
