// A download on its way into the store.
package import Core

/// What the store needs to take a download in.
package struct NewDownload: Sendable {
    /// The download; `createdAt` is replaced by the database's clock, unless given here.
    package var download: Download
    /// The app that owns it.
    package var app: Int64
    /// Its session's key.
    package var sessionKey: Int64
    /// The name of its app, for what an answer says of it.
    package var appName = ""
    /// Whether its session was suspended when it was read, for the same.
    package var isSessionSuspended = false
    /// Its origin, `scheme://host:port`.
    package var origin: String
    /// The origins of its further addresses.
    package var mirrorOrigins: [String] = []
    /// When it counts as accepted, where the answer had to be known before the commit.
    package var acceptedAt: Timestamp?
    /// When the limiter of its session lets it begin; nil unless it was created in the background.
    package var wakeUntil: Timestamp?
    /// What it is asked for with, sealed; nil without secrets.
    package var sealed: [UInt8]?
    /// Where it goes on, for one that is made from another one's resume data.
    package var resume: ResumePoint? {
        get { extras?.resume }
        set { extras = NewDownloadExtras(newValue, idempotency) }
    }
    /// Names the bytes that it asks for, so that it can join another download; nil where it is
    /// fetched by itself.
    package var flight: Identifier?
    /// The key and the answer that are stored with it; set by `Intake` alone.
    var idempotency: KeyedAnswer? {
        get { extras?.idempotency }
        set { extras = NewDownloadExtras(resume, newValue) }
    }
    private var extras: NewDownloadExtras?

    /// Names what every download has.
    package init(download: Download, app: Int64, sessionKey: Int64, origin: String) {
        self.download = download
        self.app = app
        self.sessionKey = sessionKey
        self.origin = origin
    }

    /// Whether it is stored by more than one statement.
    var isApart: Bool { externalID != nil || resume != nil || flight != nil }

    /// The client's name for it.
    var externalID: String? { download.shared.spec.externalID }

    /// The lane in which it waits.
    func lane(origin: Int64, facets: FacetScheme) -> LaneKey {
        LaneKey(
            of: download, app: app, session: sessionKey, origin: origin, facets: facets,
            at: acceptedAt ?? download.createdAt)
    }
}

/// What few new downloads have: in each of them it would double what a copy costs.
private final class NewDownloadExtras: Sendable {
    let resume: ResumePoint?
    let idempotency: KeyedAnswer?

    /// Nil where there is neither.
    init?(_ resume: ResumePoint?, _ idempotency: KeyedAnswer?) {
        guard resume != nil || idempotency != nil else { return nil }
        self.resume = resume
        self.idempotency = idempotency
    }
}
