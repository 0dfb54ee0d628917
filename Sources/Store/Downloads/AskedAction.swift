// A client's action as one value: its parts belong together in a transaction.
internal import Base
internal import Downloads

/// An action on downloads with what belongs to it.
struct AskedAction: Sendable {
    let action: DownloadAction
    /// With `retry` of a download that ended, what it is asked for with from now on.
    let request: SealedRequest?
    /// With `cancel`, why.
    let reason: CancelReason?
    /// The ends of delays of the sessions whose clients are in the background, by their names.
    let background: [String: Timestamp?]
    /// Judges each download under its lock.
    let condition: @Sendable (Download) -> Bool

    init(
        _ action: DownloadAction, request: SealedRequest? = nil,
        because reason: CancelReason? = nil, background: [String: Timestamp?] = [:],
        where condition: @escaping @Sendable (Download) -> Bool = { _ in true }
    ) {
        self.action = action
        self.request = request
        self.reason = reason
        self.background = background
        self.condition = condition
    }
}
