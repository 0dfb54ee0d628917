// What the API needs from the rest of the program, put together once at start.
package import Core
package import Crypto
package import HTTPWire
package import Store

/// The result of opening the content of a download.
package enum ContentOpening: Sendable {
    /// The whole file, open for reading.
    case open(FileRegion)
    /// There is no such file.
    case missing
    /// The file cannot be read; the text is for the log.
    case failed(String)
}

/// One answer to "can the service work".
package struct ReadinessCheck: Sendable {
    /// What was looked at, one word.
    package let name: String
    /// Whether it is as it should be.
    package let isOK: Bool
    /// How it is, one sentence without secrets.
    package let detail: String

    /// Sets all members.
    package init(name: String, isOK: Bool, detail: String) {
        self.name = name
        self.isOK = isOK
        self.detail = detail
    }
}

/// What the store offers to the API.
package struct StoreAccess: Sendable {
    /// Takes new downloads in.
    package var intake: Intake
    /// Reads and changes downloads.
    package var downloads: Downloads
    /// The sessions.
    package var sessions: Sessions
    /// The policy document.
    package var policies: Policies
    /// Wakes requests that wait for a change.
    package var changes: ChangeHub
    /// The secret that signs the webhooks of the deployment, `whsec_…`.
    package var webhookSecret: @Sendable () async throws(StoreError) -> String

    /// Sets all members.
    package init(
        intake: Intake, downloads: Downloads, sessions: Sessions, policies: Policies,
        changes: ChangeHub, webhookSecret: @escaping @Sendable () async throws(StoreError) -> String
    ) {
        self.intake = intake
        self.downloads = downloads
        self.sessions = sessions
        self.policies = policies
        self.changes = changes
        self.webhookSecret = webhookSecret
    }
}

/// The files of finished downloads, by identifier and fence.
package struct ContentAccess: Sendable {
    /// Opens a file for reading.
    package var open: @concurrent @Sendable (Identifier, Int64) async -> ContentOpening
    /// Removes a file; one that is not there is fine.
    package var remove: @concurrent @Sendable (Identifier, Int64) async -> Void
    /// The identifier of the data directory.
    package var instance: Identifier
    /// A file is missing or damaged.
    package var lost: @Sendable () -> Void

    /// Sets all members.
    package init(
        instance: Identifier, lost: @escaping @Sendable () -> Void = {},
        open: @escaping @concurrent @Sendable (Identifier, Int64) async -> ContentOpening,
        remove: @escaping @concurrent @Sendable (Identifier, Int64) async -> Void
    ) {
        self.instance = instance
        self.lost = lost
        self.open = open
        self.remove = remove
    }
}

/// The worker, as the API uses it.
package struct WorkerAccess: Sendable {
    /// The policy in force and the rules of its time zone.
    package var policyInForce: @Sendable () -> (Policy, TimeZoneRules)
    /// Whether the service is about to stop.
    package var isDraining: @Sendable () -> Bool
    /// The volume of this replica's content, nil before it was looked at.
    package var disk: @Sendable () -> DiskReading?
    /// Something may have become due.
    package var hint: @Sendable () -> Void
    /// Something is due at an instant: a download may begin then, or its time is over.
    package var expect: @Sendable (Timestamp) -> Void
    /// A webhook was written to the outbox.
    package var delivered: @Sendable () -> Void
    /// A running download is to stop.
    package var orderPlaced: @Sendable (Identifier, RunOrder) -> Void
    /// Another policy is in force; with its version, as two changes may arrive out of order.
    package var policyChanged: @Sendable (Policy, TimeZoneRules, _ version: Int64) -> Void
    /// Another limit holds for a session or a download.
    package var rateChanged: @Sendable (RateChange) -> Void

    /// Sets all members.
    package init(
        policyInForce: @escaping @Sendable () -> (Policy, TimeZoneRules),
        isDraining: @escaping @Sendable () -> Bool,
        disk: @escaping @Sendable () -> DiskReading? = { nil },
        hint: @escaping @Sendable () -> Void,
        expect: @escaping @Sendable (Timestamp) -> Void = { _ in },
        delivered: @escaping @Sendable () -> Void,
        orderPlaced: @escaping @Sendable (Identifier, RunOrder) -> Void,
        policyChanged: @escaping @Sendable (Policy, TimeZoneRules, _ version: Int64) -> Void,
        rateChanged: @escaping @Sendable (RateChange) -> Void = { _ in }
    ) {
        self.policyInForce = policyInForce
        self.isDraining = isDraining
        self.disk = disk
        self.hint = hint
        self.expect = expect
        self.delivered = delivered
        self.orderPlaced = orderPlaced
        self.policyChanged = policyChanged
        self.rateChanged = rateChanged
    }
}

/// What the operator configured, as far as the API obeys it.
package struct APISettings: Sendable {
    /// The program's version.
    package var version: String
    /// The hosts and sites that are answered.
    package var hosts: HostPolicy
    /// Where downloads may come from.
    package var destinations: Destinations
    /// Where webhooks may go.
    package var webhookDestinations: Destinations
    /// The values for what neither download nor session sets.
    package var defaults: DeploymentDefaults
    /// The limits for what the policy does not set.
    package var limits: PolicyLimits
    /// The rates of the deployment where the policy has none.
    package var bandwidth: Timetable?
    /// The app that owns what is made without a key.
    package var app: Int64
    /// Where proxies of downloads may be; nil for no proxies.
    package var proxyDestinations: Destinations?

    /// Sets all members.
    package init(
        version: String, hosts: HostPolicy, destinations: Destinations,
        webhookDestinations: Destinations, defaults: DeploymentDefaults, limits: PolicyLimits,
        app: Int64
    ) {
        self.version = version
        self.hosts = hosts
        self.destinations = destinations
        self.webhookDestinations = webhookDestinations
        self.defaults = defaults
        self.limits = limits
        self.app = app
    }
}

/// A limit in bytes a second that a client changed; nil takes it away.
package enum RateChange: Sendable, Equatable {
    /// Of a session, by its key.
    case session(Int64, Int64?)
    /// Of a download.
    case download(Identifier, Int64?)
}

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
