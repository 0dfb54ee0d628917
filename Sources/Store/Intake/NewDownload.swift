// A new download for the store.
package import Base
package import Downloads
internal import Scheduling

/// All values that the store needs for a new download.
package struct NewDownload: Sendable {
    /// The download; `createdAt` is replaced by the database's clock, unless given here.
    package var download: Download
    /// The app that owns it.
    package var app: Int64
    /// The number of its session.
    package var sessionKey: Int64
    /// The name of its app, for the answer.
    package var appName = ""
    /// Whether its session was suspended when it was read, for the answer.
    package var isSessionSuspended = false
    /// Its origin, `scheme://host:port`.
    package var origin: String
    /// The origins of its further addresses.
    package var mirrorOrigins: [String] = []
    /// The instant of acceptance, if the answer had to be known before the commit.
    package var acceptedAt: Timestamp?
    /// The time at which the delay of a download created in the background ends; nil for others.
    package var wakeUntil: Timestamp?
    /// The sealed secrets of its request; nil without secrets.
    package var sealed: [UInt8]?
    /// The resume point of a download that is made from another one's resume data.
    package var resume: ResumePoint? {
        get { extras?.value.resume }
        set { change { $0.resume = newValue } }
    }
    /// The key by which it can join another download; nil if it has a transfer of its own.
    package var flight: Identifier?
    /// The idempotency key and answer that are stored with it; set by `Intake` only.
    var idempotency: KeyedAnswer? {
        get { extras?.value.idempotency }
        set { change { $0.idempotency = newValue } }
    }
    /// The step of the source whose look it is: both are stored together, or none of them.
    package var look: SourceStep? {
        get { extras?.value.look }
        set { change { $0.look = newValue } }
    }
    /// The external id of the live download of its session that it replaces; nil for none.
    package var replaces: String? {
        get { extras?.value.replaces }
        set { change { $0.replaces = newValue } }
    }
    /// The item of a feed whose file it is: its key is written with it, or it is not stored.
    package var item: ItemClaim? {
        get { extras?.value.item }
        set { change { $0.item = newValue } }
    }
    private var extras: Shared<Extras>?

    /// Values that few new downloads have; as members of each they would double its size.
    private struct Extras {
        var resume: ResumePoint?
        var idempotency: KeyedAnswer?
        var look: SourceStep?
        var replaces: String?
        var item: ItemClaim?

        var isEmpty: Bool {
            resume == nil && idempotency == nil && look == nil && replaces == nil && item == nil
        }
    }

    /// Creates a download with the values that every one has.
    package init(download: Download, app: Int64, sessionKey: Int64, origin: String) {
        self.download = download
        self.app = app
        self.sessionKey = sessionKey
        self.origin = origin
    }

    private mutating func change(_ body: (inout Extras) -> Void) {
        var values = extras?.value ?? Extras()
        body(&values)
        extras = values.isEmpty ? nil : Shared(values)
    }

    /// Whether more than one statement stores it.
    var isApart: Bool {
        externalID != nil || resume != nil || flight != nil || look != nil || replaces != nil
            || item != nil
    }

    /// Whether it takes the external id of the download that it replaces.
    package var takesName: Bool { replaces != nil && replaces == externalID }

    /// The client's name for it.
    var externalID: String? { download.shared.value.externalID }

    /// The lane in which it waits.
    func lane(origin: Int64, facets: FacetScheme) -> LaneKey {
        LaneKey(
            of: download, app: app, session: sessionKey, origin: origin, facets: facets,
            at: acceptedAt ?? download.createdAt)
    }
}
