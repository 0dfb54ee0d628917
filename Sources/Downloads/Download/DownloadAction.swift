// The actions of clients, and what each does in a state.
internal import Base

/// The actions that a client may request for a download.
package enum DownloadAction: String, Sendable, CaseIterable {
    /// Stop and keep the bytes.
    case suspend
    /// Continue.
    case resume
    /// End without a file.
    case cancel
    /// Begin again after an end without the file, or at once instead of later.
    case retry
    /// Forget the record and the bytes.
    case delete

    /// The past participle for messages about the action.
    package var participle: String {
        switch self {
        case .suspend: "suspended"
        case .resume: "resumed"
        case .cancel: "canceled"
        case .retry: "retried"
        case .delete: "deleted"
        }
    }

    /// The states in which the action does something or already holds.
    package var allowedStates: [DownloadState] {
        switch self {
        case .suspend: [.suspended, .waiting, .receiving, .running]
        case .resume: [.suspended, .waiting, .receiving, .running, .attentionRequired]
        case .cancel:
            [
                .suspended, .waiting, .receiving, .running, .canceling, .attentionRequired,
                .canceled,
            ]
        case .retry: [.waiting, .running, .attentionRequired, .failed, .canceled]
        case .delete: [.succeeded, .failed, .canceled]
        }
    }

    /// Whether the action changes a download in its present state, or stops its transfer.
    ///
    /// A retry may still be refused: because of present rules, or because its secrets are erased.
    package func changes(_ download: Download) -> Bool {
        switch (self, download.state) {
        case (.suspend, .waiting), (.suspend, .receiving), (.suspend, .running),
            (.resume, .suspended), (.resume, .attentionRequired), (.retry, .attentionRequired),
            (.cancel, .suspended), (.cancel, .waiting), (.cancel, .receiving), (.cancel, .running),
            (.cancel, .attentionRequired), (.delete, .succeeded), (.delete, .failed),
            (.delete, .canceled):
            true
        case (.retry, .waiting):
            download.nextAttemptAt.map { $0 > (download.earliestBeginDate ?? .epoch) } ?? false
        case (.retry, .failed), (.retry, .canceled): !download.spec.isErased
        case (.retry, .succeeded): download.result.content?.isGone == true
        default: false
        }
    }

    /// The actions that are possible in a state, in the order of the list above.
    package static func allowed(in state: DownloadState) -> [DownloadAction] {
        allCases.filter { $0.allowedStates.contains(state) }
    }
}
