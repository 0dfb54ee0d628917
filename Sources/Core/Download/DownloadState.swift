// Where a download stands.

/// The state of a download; only actions and the engine change it.
package enum DownloadState: String, Sendable, CaseIterable {
    /// Not to be begun until resumed. Becomes waiting or canceled.
    case suspended
    /// Accepted; its blockers say why it waits. Becomes running, suspended, failed or canceled.
    case waiting
    /// An attempt is under way. Becomes any state but canceled; cancel goes through canceling.
    case running
    /// Told to end; the attempt is being stopped. Becomes canceled.
    case canceling
    /// Needs the client; bytes are kept. Becomes waiting, failed or canceled.
    case attentionRequired = "attention_required"
    /// The file is whole, on disk and synced. Final.
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

/// What a client may ask of a download.
package enum DownloadAction: String, Sendable, CaseIterable {
    /// Stop and keep the bytes.
    case suspend
    /// Go on.
    case resume
    /// End for good.
    case cancel
    /// Begin again after an end without the file, or at once instead of later.
    case retry
    /// Forget the record and the bytes.
    case delete

    /// The states in which the action does something or already holds.
    package var allowedStates: [DownloadState] {
        switch self {
        case .suspend: [.suspended, .waiting, .running]
        case .resume: [.suspended, .waiting, .running, .attentionRequired]
        case .cancel: [.suspended, .waiting, .running, .canceling, .attentionRequired, .canceled]
        case .retry: [.waiting, .running, .attentionRequired, .failed, .canceled]
        case .delete: [.succeeded, .failed, .canceled]
        }
    }

    /// The actions that are possible in a state, in the order of the list above.
    package static func allowed(in state: DownloadState) -> [DownloadAction] {
        allCases.filter { $0.allowedStates.contains(state) }
    }
}
