// What a worker is built from.
package import Content
package import Core
package import Crypto
package import Platform
package import Store
package import Transfers

extension DownloadWorker {
    /// What a worker is built from.
    package struct Parts: Sendable {
        /// The engine for downloads.
        package var engine: TransferEngine
        /// The files.
        package var content: ContentStore
        /// The ledger of this process, already registered.
        package var ledger: Ledger
        /// How to register again when the lease was lost.
        package var register:
            @Sendable () async throws(StoreError) -> (ledger: Ledger, now: Timestamp)
        /// For downloads whose deadline has passed.
        package var downloads: Downloads
        /// For what has ended; over connections of its own, because its statements may take long.
        package var history: History
        /// The database's clock.
        package var clock: DatabaseClock
        /// Called when deliveries were written.
        package var delivered: @Sendable () -> Void
        /// The policy and its zone, where the version given is newer than what this process knows.
        package var policyOfVersion: @Sendable (Int64) async -> (Policy, TimeZoneRules)?
        /// The policy and the conditions in force.
        package var facts: FactsInForce
        /// The conditions that are pushed.
        package var conditions: Conditions
        /// Called with the number of other replicas, at each heartbeat.
        package var peersSeen: @Sendable (Int) -> Void
        /// Where to log what happens.
        package var log: Log
        /// Opens what requests are sent with.
        package var secrets: SecretBox

        /// Names all of it.
        package init(
            engine: TransferEngine, content: ContentStore, ledger: Ledger,
            register:
                @escaping @Sendable () async throws(StoreError) -> (
                    ledger: Ledger, now: Timestamp
                ),
            downloads: Downloads, history: History, clock: DatabaseClock,
            delivered: @escaping @Sendable () -> Void, log: Log, facts: FactsInForce,
            conditions: Conditions,
            policyOfVersion:
                @escaping @Sendable (Int64) async -> (Policy, TimeZoneRules)? = { _ in nil },
            peersSeen: @escaping @Sendable (Int) -> Void = { _ in },
            secrets: SecretBox = SecretBox(keys: [])
        ) {
            self.peersSeen = peersSeen
            self.facts = facts
            self.conditions = conditions
            self.secrets = secrets
            self.engine = engine
            self.content = content
            self.ledger = ledger
            self.register = register
            self.downloads = downloads
            self.history = history
            self.clock = clock
            self.delivered = delivered
            self.log = log
            self.policyOfVersion = policyOfVersion
        }
    }
}
