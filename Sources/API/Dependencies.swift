// The dependencies of the API, created once at the start.
package import Base
package import Crypto
internal import HTTPWire
internal import Store

/// The dependencies of the API.
package struct Dependencies: Sendable {
    /// The operator's settings.
    package var settings: APISettings
    /// The store.
    package var store: StoreAccess
    /// The keys that seal the secrets of requests.
    package var secrets: SecretBox
    /// The files.
    package var content: ContentAccess
    /// The files of uploads.
    package var uploads: UploadAccess
    /// The worker.
    package var worker: WorkerAccess
    /// The rules of a time zone; nil for an unknown name.
    package var zone: @Sendable (String) -> TimeZoneRules?
    /// Whether the service can work.
    package var readiness: @concurrent @Sendable () async -> [ReadinessCheck]
    /// The metrics of the process, without the version.
    package var metrics: @Sendable () -> [Metric] = { [] }
    /// The durations of requests, counted by the router.
    let requestTimes = RequestTimes()
    /// Compresses the answers of the router.
    let compressor = Compressor()
    /// The wall clock.
    package var now: @Sendable () -> Timestamp
    /// A new identifier from a secure source of random bits.
    package var makeIdentifier: @Sendable (Timestamp) -> Identifier
    /// Logs the cause of an `internal-error` or `database-unavailable`.
    package var report: @Sendable (_ requestID: String, _ cause: String) -> Void

    /// Logs a change to a key of the API, for an audit.
    package var keyChanged: @Sendable (KeyChange) -> Void = { _ in }

    /// Sets all members.
    package init(
        settings: APISettings, store: StoreAccess, secrets: SecretBox, content: ContentAccess,
        worker: WorkerAccess,
        zone: @escaping @Sendable (String) -> TimeZoneRules?,
        readiness: @escaping @concurrent @Sendable () async -> [ReadinessCheck],
        now: @escaping @Sendable () -> Timestamp,
        makeIdentifier: @escaping @Sendable (Timestamp) -> Identifier,
        report: @escaping @Sendable (_ requestID: String, _ cause: String) -> Void
    ) {
        self.settings = settings
        self.store = store
        self.secrets = secrets
        self.content = content
        uploads = UploadAccess(instance: content.instance, lengthAtMost: 5 << 40)
        self.worker = worker
        self.zone = zone
        self.readiness = readiness
        self.now = now
        self.makeIdentifier = makeIdentifier
        self.report = report
    }
}
