// A download on its way into the store.
package import Core

/// What the store needs to take a download in.
package struct NewDownload: Sendable {
    /// The download; `createdAt` is replaced by the database's clock.
    package var download: Download
    /// The app that owns it.
    package var app: Int64
    /// Its session's key.
    package var sessionKey: Int64
    /// Its origin, `scheme://host:port`.
    package var origin: String

    /// Names all of it.
    package init(download: Download, app: Int64, sessionKey: Int64, origin: String) {
        self.download = download
        self.app = app
        self.sessionKey = sessionKey
        self.origin = origin
    }

    var originKey: Int64 { StableHash.of(origin) }
    var rank: Int16 { LaneHead.rank(priority: download.priority) }
    var lane: Int64 {
        StableHash.lane(
            session: sessionKey, origin: originKey, class: download.schedulingClass.rawValue,
            rank: rank)
    }
}
