// Readings of the database's clock that outlive a process.
package import Base
internal import Postgres

extension Replicas {
    /// The last record of the clock; nil in a new database.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func clock() async throws(StoreError) -> ClockRecord? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                "SELECT seen_at, boot, boot_us, jumped_at FROM clock_seen")
            guard let row = rows.first else { return nil }
            return ClockRecord(
                seenAt: try row.get(0, as: TimestampValue.self).timestamp, boot: try row.get(1),
                bootTime: .microseconds(try row.get(2, as: Int64.self)),
                jumpedAt: try row.get(3, as: TimestampValue?.self)?.timestamp)
        }
    }

    /// Records a reading of the clock, for later processes.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func note(_ clock: ClockRecord) async throws(StoreError) {
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                """
                INSERT INTO clock_seen (seen_at, boot, boot_us, jumped_at) VALUES ($1, $2, $3, $4)
                ON CONFLICT (one) DO UPDATE SET seen_at = excluded.seen_at,
                    boot = excluded.boot, boot_us = excluded.boot_us,
                    jumped_at = excluded.jumped_at
                """,
                [
                    TimestampValue(clock.seenAt), clock.boot, clock.bootTime.wholeMicroseconds,
                    clock.jumpedAt.map { TimestampValue($0) },
                ])
        }
    }
}
