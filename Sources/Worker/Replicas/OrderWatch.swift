// Reads orders and policies from other replicas, when they are announced or at intervals.
internal import Scheduling
internal import Store
internal import Synchronization

/// Runs when it is called; without notifications, often enough that an order arrives within a
/// second.
struct OrderWatch: Duty {
    private static let pollInterval = Duration.milliseconds(500)

    let name = "orders"

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let (orders, policy) = try await worker.downloads.replicas.news(
            for: worker.ledger.replica)
        for (id, order) in orders { worker.handle(.ordered(id, order)) }
        if policy != worker.policyVersion {
            worker.policyVersion = policy
            worker.bells[PolicyWatch.self].ring()
        }
        return OrderWatch.polls(worker) ? .after(OrderWatch.pollInterval) : .untilCalled
    }

    /// Whether there are other replicas and they cannot announce news here.
    static func polls(_ worker: isolated DownloadWorker) -> Bool {
        worker.peers.count > 0 && !worker.isListening.load(ordering: .relaxed)
    }
}

extension DownloadWorker {
    /// Notes that another replica may have placed an order, changed the policy, taken an upload of
    /// content that is held here, or found that such content has not changed.
    package nonisolated func newsCame() {
        bells[OrderWatch.self].ring()
        sourcesChanged()
        flightsChanged()
    }

    /// Notes that an upload may wait for held content of this data directory.
    package nonisolated func sourcesChanged() { bells[SourcedUploads.self].ring() }

    /// Notes whether news are announced here from now on; some may have been missed.
    package nonisolated func listens(_ isListening: Bool) {
        self.isListening.store(isListening, ordering: .relaxed)
        newsCame()
    }
}
