// The dependencies of a worker.
package import Base
package import Content
package import Crypto
package import Platform
package import Scheduling
package import Store
package import Transfers

extension DownloadWorker {
    /// The dependencies of a worker.
    package struct Parts: Sendable {
        /// The engine for downloads.
        package var engine: TransferEngine
        /// The engine that sends finished files; nil where none may be sent.
        package var sender: TransferEngine?
        /// The stores that finished files can be brought into.
        package var stores = WorkerStores.none
        /// The data directory, in which unfinished files lie.
        package var content: ContentStore
        /// The place of finished content.
        package var place: any ContentPlace
        /// The ledger of this process's registration.
        package var ledger: Ledger
        /// Registers again after the lease was lost.
        package var register:
            @Sendable () async throws(StoreError) -> (ledger: Ledger, now: Timestamp)
        /// The store of downloads, for deadlines among others.
        package var downloads: Downloads
        /// The store of ended downloads, with connections of its own because its statements may
        /// take long.
        package var history: History
        /// The database's clock.
        package var clock: DatabaseClock
        /// Called when deliveries were written.
        package var delivered: @Sendable () -> Void
        /// Called when other replicas have to look for news: orders, or files to be shared.
        package var announce: @Sendable () -> Void = {}
        /// The policy and its zone, if they are newer than the given version.
        package var policyOfVersion: @Sendable (Int64) async -> (Policy, TimeZoneRules)?
        /// The policy and the conditions in force.
        package var facts: FactsInForce
        /// The store of pushed conditions.
        package var conditions: Conditions
        /// Called with the number of other replicas at each heartbeat.
        package var peersSeen: @Sendable (Int) -> Void
        /// The log.
        package var log: Log
        /// Decrypts the secrets of requests.
        package var secrets: SecretBox

        /// Creates a value with all its members.
        package init(
            engine: TransferEngine, content: ContentStore, place: any ContentPlace,
            ledger: Ledger,
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
            secrets: SecretBox = SecretBox(keys: []), sender: TransferEngine? = nil
        ) {
            self.sender = sender
            self.peersSeen = peersSeen
            self.facts = facts
            self.conditions = conditions
            self.secrets = secrets
            self.engine = engine
            self.content = content
            self.place = place
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
