// Removes the rows of small tables after their retention.
internal import Base
internal import Platform
internal import Scheduling
internal import Store

/// Removes rows of one table after another, a batch at a time; runs every few minutes, because the
/// rows are kept for hours or days.
struct RowExpiry: IndependentDuty {
    /// The rows that a step removes at most.
    static let batch = 1000

    /// A table, and the removal of one batch of its rows.
    struct Table: Sendable {
        /// Its name in the log.
        let name: String
        /// Removes a batch; takes the latest instant by which anything may end, and returns how
        /// many rows it removed.
        let forget: @Sendable (_ until: Timestamp?) async throws(StoreError) -> Int
    }

    let name = "expired rows"
    let endsByTheClock = true
    private let tables: [Table]
    private let interval: Duration

    init(_ tables: [Table], every interval: Duration) {
        (self.tables, self.interval) = (tables, interval)
    }

    func turn(_ context: DutyContext) async throws(StoreError) -> NextTurn {
        var pause = interval
        for table in tables where context.isWorking {
            // A table that cannot be read holds back no other.
            do throws(StoreError) {
                while context.isWorking,
                    try await table.forget(context.clock.endsUntil) == RowExpiry.batch
                {}
            } catch {
                context.log.warn(
                    "expired rows were not removed",
                    [("table", .string(table.name)), ("error", .string(error.description))])
                pause = min(pause, .seconds(1))
            }
        }
        return .after(pause)
    }

    /// The tables of a deployment.
    static func tables(
        _ downloads: Downloads, _ ledger: Ledger, _ conditions: Conditions, _ facts: FactsInForce,
        keepsDeliveries: Duration
    ) -> [Table] {
        let budgets = Budgets(ledger)
        return [
            Table(name: "idempotency_keys") { until throws(StoreError) in
                try await downloads.idempotencyKeys.forgetOld(limit: batch, until: until)
            },
            Table(name: "webhook_rests") { _ throws(StoreError) in
                try await downloads.restingReceivers.forgetOld(limit: batch)
            },
            Table(name: "wakes") { until throws(StoreError) in
                try await downloads.wakes.forgetOld(
                    age: keepsDeliveries, limit: batch, until: until)
            },
            Table(name: "source_looks") { until throws(StoreError) in
                try await downloads.sources.forgetLooks(limit: batch, until: until)
            },
            Table(name: "learned") { _ throws(StoreError) in
                try await downloads.learning.forget()
            },
            Table(name: "conditions") { _ throws(StoreError) in
                try await conditions.forget(keeping: facts.conditions.declaredNames)
            },
            Table(name: "budget_counters") { _ throws(StoreError) in
                try await budgets.forget(batch: batch)
            },
        ]
    }
}
