// The learned rates and sizes, for all replicas.
internal import Base
package import Postgres
package import Scheduling

/// The stored sketches of the deployment.
package struct Learning: Sendable {
    /// A reader's position; rows that change are read again.
    package struct Cursor: Sendable {
        fileprivate var at: Timestamp?
        fileprivate var key: (measure: Int16, level: Int16, first: Int64, second: Int64) = (
            0, 0, 0, 0
        )

        /// Creates a cursor at the start.
        package init() {}
    }

    /// The most rows of a page.
    package static let pageRows = 2000
    /// The longest time from a row's instant to the commit of its statement.
    private static let overlap = Duration.seconds(30)

    private enum Column: Int, RowColumn {
        case measure, level, firstKey, secondKey, firstBucket, counts, fadedAt, changedAt
    }

    private let pool: ConnectionPool

    /// Creates a store over a pool of connections.
    package init(pool: ConnectionPool) { self.pool = pool }

    /// Adds measurements to the stored ones.
    ///
    /// - Parameters:
    ///   - changes: of different keys.
    ///   - grows: whether keys that are not there are made.
    /// - Throws: `unavailable`, after which they may be added, or `refused`.
    package func add(
        _ changes: [LearnedBuffer.Change], grows: Bool
    ) async throws(StoreError) {
        guard !changes.isEmpty else { return }
        let numbers = changes.map(\.key.numbers)
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                "SELECT lull_learn($1, $2, $3, $4, $5, $6, $7)",
                [
                    changes.map(\.measure.rawValue), changes.map(\.key.level),
                    numbers.map(\.first), numbers.map(\.second),
                    changes.map { Int16($0.sketch.first) },
                    changes.map { Learning.text($0.sketch.counts) }, grows,
                ])
        }
    }

    private static func text(_ counts: [Float]) -> String {
        "{" + counts.map { "\($0)" }.joined(separator: ",") + "}"
    }

    /// The changes since a cursor, at most a page.
    ///
    /// - Parameter cursor: moves behind the page.
    /// - Returns: the entries; fewer than a page where there is no more.
    /// - Throws: `unavailable` or `refused`.
    package func changes(
        since cursor: inout Cursor
    ) async throws(StoreError) -> (entries: [LearnedEntry], isLast: Bool) {
        let (from, key) = (cursor.at, cursor.key)
        let found = try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(Column.list) FROM learned
                WHERE (changed_at, measure, level, first_key, second_key) > ($1, $2, $3, $4, $5)
                ORDER BY changed_at, measure, level, first_key, second_key LIMIT $6
                """,
                [
                    from.map { TimestampValue($0) } ?? .negativeInfinity, key.measure, key.level,
                    key.first, key.second, Int64(Learning.pageRows),
                ])
            var entries: [LearnedEntry] = []
            var last: Cursor?
            for row in rows {
                var place = Cursor()
                place.at = try row.requiredInstant(Column.changedAt)
                place.key = (
                    try row.get(Column.measure), try row.get(Column.level),
                    try row.get(Column.firstKey), try row.get(Column.secondKey)
                )
                last = place
                // A row that an operator wrote by hand and that is no valid sketch is ignored.
                entries += try Learning.entries(row)
            }
            return (entries, last, rows.count < Learning.pageRows)
        }
        if let last = found.1 { cursor = last }
        // The next read begins a little earlier, for statements that commit late.
        if found.2, let at = cursor.at {
            cursor.at = at - Learning.overlap
            cursor.key = (0, 0, 0, 0)
        }
        return (found.0, found.2)
    }

    private static func entries(_ row: Row) throws(PostgresError) -> [LearnedEntry] {
        let key = LearnedKey(
            level: try row.get(Column.level), first: try row.get(Column.firstKey),
            second: try row.get(Column.secondKey))
        guard let key, let measure = LearnedMeasure(rawValue: try row.get(Column.measure)),
            let sketch = Sketch(
                measure.scale, first: try row.get(Column.firstBucket),
                counts: try row.get(Column.counts, as: [Double].self).map { Float($0) })
        else { return [] }
        return [
            LearnedEntry(
                measure, key, sketch,
                fadedAt: try row.requiredInstant(Column.fadedAt),
                changedAt: try row.requiredInstant(Column.changedAt))
        ]
    }

    /// The number of an origin, `scheme://host:port`; nil for an unknown one.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func number(ofOrigin origin: String) async throws(StoreError) -> Int64? {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                "SELECT origin_key FROM origins WHERE origin = $1", [origin]
            ).first?.only()
        }
    }

    /// Removes keys that got no value for a long time.
    ///
    /// - Returns: how many, at most a thousand.
    /// - Throws: `unavailable` or `refused`.
    package func forget() async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                DELETE FROM learned WHERE (measure, level, first_key, second_key) IN (
                    SELECT measure, level, first_key, second_key FROM learned
                    WHERE changed_at < statement_timestamp() - $1 * interval '1 microsecond'
                    ORDER BY measure, level, first_key, second_key LIMIT 1000
                    FOR UPDATE SKIP LOCKED)
                RETURNING 1
                """, [Learned.memory.wholeMicroseconds])
            return rows.count
        }
    }
}
