// The life cycle of a download.

/// The state of a download; only actions and the engine change it.
package enum DownloadState: String, Sendable, CaseIterable {
    /// Not to be begun until resumed. Becomes waiting or canceled.
    case suspended
    /// Accepted; its blockers name why it waits. Becomes running, suspended, failed or canceled.
    case waiting
    /// An attempt is under way. Becomes any state but canceled; cancel goes through canceling.
    case running
    /// Cancel was ordered; the attempt is being stopped. Becomes canceled.
    case canceling
    /// Needs the client; bytes are kept. Becomes waiting, failed or canceled.
    case attentionRequired = "attention_required"
    /// The file is whole, on disk and synced. Final, unless the file is lost and fetched again.
    case succeeded
    /// Ended without the file. Final.
    case failed
    /// Ended by the client. Final.
    case canceled

    /// True when nothing more happens by itself.
    package var isTerminal: Bool {
        switch self {
        case .succeeded, .failed, .canceled: true
        default: false
        }
    }
}
