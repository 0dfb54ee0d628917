// The counters of budgets, over all replicas.
package import Base
package import Postgres
package import Scheduling

/// Reads counters, and counts the bytes of running downloads.
package struct Budgets: Sendable {
    /// Counters with their readings.
    package typealias Readings = [(key: BudgetKey, reading: BudgetReading)]

    /// The most counters that are read at once.
    static let readAtMost = 4096

    private let pool: ConnectionPool

    /// Creates a store over a pool of connections.
    package init(pool: ConnectionPool) { self.pool = pool }

    /// The counters in a ledger's database.
    package init(_ ledger: Ledger) { self.init(pool: ledger.pool) }

    /// Reads counters in a period; one without a count in it is left out.
    package func readings(
        of keys: [BudgetKey: Range<Timestamp>]
    ) async throws(StoreError) -> Readings {
        guard !keys.isEmpty else { return [] }
        let counters = keys.prefix(Budgets.readAtMost).map { (key: $0.key, period: $0.value) }
        return try await sorting { () throws(PostgresError) in
            try Budgets.readings(try await pool.query(batch: [Budgets.reading(counters)])[0])
        }
    }

    /// Counts the bytes of running downloads since the last call, and reserves more for those
    /// beyond their expected bytes.
    ///
    /// - Parameters:
    ///   - runs: all with the budgets that count them now.
    ///   - replica: whose they are; those whose fence does not hold any more are left alone.
    /// - Returns: those that have to stop, because a hard budget has nothing left for them, and
    ///   what the counters show.
    /// - Throws: `unavailable` or `refused`. The statement may be repeated: the numbers are sums.
    package func settle(
        _ runs: [BudgetedRun], replica: Int64
    ) async throws(StoreError) -> (refused: Set<Identifier>, readings: Readings) {
        let parameter = BudgetParameter(runs.map(\.demands))
        return try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(batch: [
                Statement(
                    """
                    SELECT id FROM lull_settle_budgets($1, $2, $3, $4, $5, $6, $7, $8)
                    WHERE is_refused
                    """,
                    [
                        replica, runs.map(\.id), runs.map(\.fence),
                        runs.map(\.received), runs.map(\.sent), runs.map(\.whole),
                        runs.map(\.toSend), parameter.text,
                    ]),
                Budgets.reading(parameter.counters),
            ])
            return (Set(try rows[0].column()), try Budgets.readings(rows[1]))
        }
    }

    /// Removes counters of periods that ended more than a day ago.
    ///
    /// - Returns: how many; fewer than the batch when none is left.
    package func forget(batch: Int) async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT lull_forget_counters($1)", [Int32(batch)])[0].only()
        }
    }

    /// Reads counters in their periods.
    static func reading(_ counters: [(key: BudgetKey, period: Range<Timestamp>)]) -> Statement {
        Statement(readingStatement, asked.values(of: counters))
    }

    /// A column of `c`, which is `budget_counters`.
    private enum Column: Int, RowColumn {
        case owner, budget, value, startsAt, endsAt, spent, reserved
    }

    private static let asked: Parameters<[(key: BudgetKey, period: Range<Timestamp>)]> = [
        "owner": { $0.map(\.key.owner) },
        "budget": { $0.map(\.key.budget) },
        "value": { $0.map(\.key.value) },
        "starts_at": { $0.map(\.period.lowerBound) },
        "ends_at": { $0.map(\.period.upperBound) },
    ]

    private static let readingStatement = """
        SELECT \(Column.list(of: "c")) FROM \(asked.rows())
        JOIN budget_counters c ON c.budget = u.budget AND c.owner = u.owner
            AND c.value = u.value AND c.starts_at = u.starts_at AND c.ends_at = u.ends_at
        """

    /// Reads the rows of `reading`.
    static func readings(_ rows: Rows) throws(PostgresError) -> Readings {
        var found: Readings = []
        for row in rows {
            let key = BudgetKey(
                owner: try row.get(Column.owner), budget: try row.get(Column.budget),
                value: try row.get(Column.value))
            let from = try row.requiredInstant(Column.startsAt)
            let end = try row.requiredInstant(Column.endsAt)
            found.append(
                (
                    key,
                    BudgetReading(
                        period: from..<max(from, end), spent: try row.integer(Column.spent),
                        reserved: try row.integer(Column.reserved))
                ))
        }
        return found
    }
}
