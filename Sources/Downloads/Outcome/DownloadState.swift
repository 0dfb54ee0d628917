// The life cycle of a download.

/// The state of a download; only actions and the engine change it.
///
/// The raw value is its name on the wire and in SQL.
package enum DownloadState: String, Sendable, CaseIterable {
    /// Not to be begun until resumed. Becomes waiting or canceled.
    case suspended
    /// Accepted; its blockers name why it waits. Becomes running, suspended, failed or canceled.
    case waiting
    /// An upload whose client still brings the bytes. Becomes waiting, suspended, failed or
    /// canceled.
    ///
    /// In its row it waits, in a lane with the flag `stages`.
    case receiving
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

    /// Whether it waits: for its turn, or for its client's bytes.
    package var isWaiting: Bool { self == .waiting || self == .receiving }

    /// True when nothing more happens by itself.
    package var isTerminal: Bool {
        switch self {
        case .succeeded, .failed, .canceled: true
        default: false
        }
    }

    /// The number in the store: in `queue.state` of a live download, in `downloads.state` of an
    /// ended one.
    ///
    /// A download that is being canceled has the number of a running one in its row, and an upload
    /// that receives its bytes has that of a waiting one.
    package var number: Int16 {
        switch self {
        case .waiting: 0
        case .running: 1
        case .suspended: 2
        case .attentionRequired: 3
        case .succeeded: 5
        case .failed: 6
        case .canceled: 7
        case .canceling: 8
        case .receiving: 9
        }
    }

    /// The number in `queue.state` of a download that waits for the transfer of another one, which
    /// is shown as waiting.
    package static let joinedNumber: Int16 = 4

    /// The state with a number, or nil.
    package init?(number: Int64) {
        let state = DownloadState.allCases.first { Int64($0.number) == number }
        guard let state else { return nil }
        self = state
    }
}
