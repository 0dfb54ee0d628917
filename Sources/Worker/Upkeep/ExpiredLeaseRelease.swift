// Releases the runs of replicas with expired leases.
internal import Scheduling
internal import Store

/// Runs when the first lease of another replica ends, unless that is renewed.
struct ExpiredLeaseRelease: Duty {
    let name = "dead replicas"

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        guard let expiry = worker.peers.firstExpiry else { return .untilCalled }
        guard expiry <= worker.clock.now else { return .until(expiry) }
        var count = 0
        while worker.isWorking, try await worker.ledger.reap() > 0 { count += 1 }
        guard count > 0 else { return .after(.seconds(1)) }
        worker.peers = HeartbeatAnswer.Peers()
        worker.delivered()
        worker.bells[DeadlineExpiry.self].ring()
        worker.bells[Heartbeat.self].ring()
        worker.handle(.hinted)
        return .untilCalled
    }
}
