// Removes ended downloads after the retention of the history.
internal import Platform
internal import Store

/// Looks through all of them at intervals, a bounded number of rows at a time with a pause after
/// each, on connections of its own.
struct HistoryExpiry: Duty {
    private static let batch = 1000
    /// The time for which a receiver without deliveries is kept, with its record.
    private static let receiverAge = Duration.seconds(3600)

    let name = "history"
    let endsByTheClock = true

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let history = worker.history
        let limit = HistoryExpiry.batch
        var removed = 0
        removed += try await round(worker) { last throws(StoreError) in
            try await history.forgetReceivers(
                after: last, olderThan: HistoryExpiry.receiverAge, limit: limit,
                until: worker.clock.endsUntil)
        }
        let kept = worker.settings.deliveryRetention
        removed += try await round(worker) { last throws(StoreError) in
            try await history.forgetDeliveries(
                after: last, olderThan: kept, limit: limit,
                until: worker.clock.endsUntil)
        }
        removed += try await history.forgetEndpoints(
            olderThan: kept, limit: limit, until: worker.clock.endsUntil)
        var over = limit
        while over == limit {
            over = try await history.forgetPushbacks(limit: limit)
            removed += over
        }
        if let age = worker.settings.historyRetention {
            removed += try await round(worker) { last throws(StoreError) in
                try await history.forgetDownloads(
                    after: last, olderThan: age, limit: limit,
                    until: worker.clock.endsUntil)
            }
            removed += try await round(worker) { last throws(StoreError) in
                try await history.forgetOrigins(
                    after: last, olderThan: age, limit: limit,
                    until: worker.clock.endsUntil)
            }
            removed += try await round(worker) { last throws(StoreError) in
                try await history.forgetSessionVersions(
                    after: last, olderThan: age, limit: limit,
                    until: worker.clock.endsUntil)
            }
            removed += try await round(worker) { last throws(StoreError) in
                try await history.forgetSessions(
                    after: last, olderThan: age, limit: limit,
                    until: worker.clock.endsUntil)
            }
        }
        if removed > 0 {
            worker.log.info(
                "records removed at the end of their retention",
                [("rows", .integer(Int64(removed)))])
        }
        return .after(worker.settings.historyInterval)
    }

    /// Steps until the end; returns the number of removed rows.
    private func round<Key: Sendable>(
        _ worker: isolated DownloadWorker,
        _ step: (Key?) async throws(StoreError) -> History.Step<Key>
    ) async throws(StoreError) -> Int {
        var last: Key?
        var removed = 0
        repeat {
            let found = try await step(last)
            removed += found.removed
            last = found.last
            if last != nil { await worker.bells[HistoryExpiry.self].pause(.milliseconds(10)) }
        } while last != nil && worker.isWorking
        return removed
    }
}
