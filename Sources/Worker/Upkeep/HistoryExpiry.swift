// Removes ended downloads after the retention of the history.
internal import Platform
internal import Store

/// Looks through all of them at intervals, a bounded number of rows at a time with a pause after
/// each, on connections of its own.
struct HistoryExpiry: IndependentDuty {
    private static let batch = 1000
    /// The time for which a receiver without deliveries is kept, with its record.
    private static let receiverAge = Duration.seconds(3600)

    let name = "history"
    let endsByTheClock = true
    let history: History
    /// The time for which ended downloads are kept; nil for ever.
    let retention: Duration?
    /// The time for which ended deliveries are kept.
    let deliveryRetention: Duration
    let interval: Duration

    func turn(_ context: DutyContext) async throws(StoreError) -> NextTurn {
        let limit = HistoryExpiry.batch
        var removed = 0
        removed += try await round(context) { last throws(StoreError) in
            try await history.forgetReceivers(
                after: last, olderThan: HistoryExpiry.receiverAge, limit: limit,
                until: context.clock.endsUntil)
        }
        removed += try await round(context) { last throws(StoreError) in
            try await history.forgetDeliveries(
                after: last, olderThan: deliveryRetention, limit: limit,
                until: context.clock.endsUntil)
        }
        removed += try await history.forgetEndpoints(
            olderThan: deliveryRetention, limit: limit, until: context.clock.endsUntil)
        var over = limit
        while over == limit {
            over = try await history.forgetPushbacks(limit: limit)
            removed += over
        }
        if let age = retention {
            removed += try await round(context) { last throws(StoreError) in
                try await history.forgetDownloads(
                    after: last, olderThan: age, limit: limit,
                    until: context.clock.endsUntil)
            }
            removed += try await round(context) { last throws(StoreError) in
                try await history.forgetOrigins(
                    after: last, olderThan: age, limit: limit,
                    until: context.clock.endsUntil)
            }
            removed += try await round(context) { last throws(StoreError) in
                try await history.forgetSessionVersions(
                    after: last, olderThan: age, limit: limit,
                    until: context.clock.endsUntil)
            }
            removed += try await round(context) { last throws(StoreError) in
                try await history.forgetSessions(
                    after: last, olderThan: age, limit: limit,
                    until: context.clock.endsUntil)
            }
        }
        if removed > 0 {
            context.log.info(
                "records removed at the end of their retention",
                [("rows", .integer(Int64(removed)))])
        }
        return .after(interval)
    }

    /// Steps until the end; returns the number of removed rows.
    private func round<Key: Sendable>(
        _ context: DutyContext,
        _ step: (Key?) async throws(StoreError) -> History.Step<Key>
    ) async throws(StoreError) -> Int {
        var last: Key?
        var removed = 0
        repeat {
            let found = try await step(last)
            removed += found.removed
            last = found.last
            if last != nil { await context.pause(.milliseconds(10)) }
        } while last != nil && context.isWorking
        return removed
    }
}
