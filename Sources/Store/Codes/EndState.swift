// The numbers of downloads.state, which functions/codes.sql names, too.
internal import Downloads

/// Whether and how a download ended; the raw value is the number in the store.
enum EndState: Int16, CaseIterable {
    /// It has not ended: its row in the queue has its state.
    case live = 0
    /// The file is published.
    case succeeded = 1
    /// It ended without the file.
    case failed = 2
    /// The client ended it.
    case canceled = 4

    /// The number of a state of the resource.
    init(_ state: DownloadState) {
        switch state {
        case .succeeded: self = .succeeded
        case .failed: self = .failed
        case .canceled: self = .canceled
        case .waiting, .running, .canceling, .suspended, .attentionRequired: self = .live
        }
    }
}
