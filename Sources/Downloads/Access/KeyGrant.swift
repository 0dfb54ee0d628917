/// The rights and quotas of one API key.
package struct KeyGrant: Sendable, Equatable {
    /// The app that it belongs to.
    package var app: Int64
    /// The number of the key; nil where no keys are needed.
    package var number: Int64?
    /// The rights of the key.
    package var scopes: Set<KeyScope>
    /// Requests a second of the app; nil for no limit.
    package var requestsPerSecond: Double?
    /// Downloads of the app that may wait and run at once; nil for no limit.
    package var queuedAtMost: Int64?
    /// Bytes that the uploads of the app may have here at once; nil for no limit.
    package var stagedBytesAtMost: Int64?

    /// Creates a grant with all its members.
    package init(
        app: Int64, scopes: Set<KeyScope>, number: Int64? = nil,
        requestsPerSecond: Double? = nil, queuedAtMost: Int64? = nil,
        stagedBytesAtMost: Int64? = nil
    ) {
        self.app = app
        self.number = number
        self.scopes = scopes
        self.requestsPerSecond = requestsPerSecond
        self.queuedAtMost = queuedAtMost
        self.stagedBytesAtMost = stagedBytesAtMost
    }

    /// Whether it shows more of a download than its identifier and its state.
    package var showsDownloads: Bool { scopes.contains(.readDownloads) }

    /// A grant of every right without quotas, used where no keys are needed.
    package static func everything(app: Int64) -> KeyGrant {
        KeyGrant(app: app, scopes: KeyScope.all)
    }
}
