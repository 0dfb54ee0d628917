// What the API needs from the rest of the program, put together once at start.
package import Core
package import Crypto
internal import HTTPWire
internal import Store

/// Everything that the API needs.
package struct Dependencies: Sendable {
    /// What the operator configured.
    package var settings: APISettings
    /// The store.
    package var store: StoreAccess
    /// Seals what requests are sent with.
    package var secrets: SecretBox
    /// The files.
    package var content: ContentAccess
    /// The worker.
    package var worker: WorkerAccess
    /// The rules of a time zone, or nil for a name that is none.
    package var zone: @Sendable (String) -> TimeZoneRules?
    /// Whether the service can work.
    package var readiness: @concurrent @Sendable () async -> [ReadinessCheck]
    /// What operators' tools read, besides the version.
    package var metrics: @Sendable () -> [Metric] = { [] }
    /// How long requests took; the router counts there.
    let requestTimes = RequestTimes()
    /// The wall clock.
    package var now: @Sendable () -> Timestamp
    /// A new identifier from a secure source of random bits.
    package var makeIdentifier: @Sendable (Timestamp) -> Identifier
    /// Logs the cause of an `internal-error` or `database-unavailable`.
    package var report: @Sendable (_ requestID: String, _ cause: String) -> Void

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
        self.worker = worker
        self.zone = zone
        self.readiness = readiness
        self.now = now
        self.makeIdentifier = makeIdentifier
        self.report = report
    }
}
