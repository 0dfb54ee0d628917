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
            let (seenAt, boot, bootTime, jumpedAt): (Timestamp, String, Int64, Timestamp?) =
                try row.values()
            return ClockRecord(
                seenAt: seenAt, boot: boot, bootTime: .microseconds(bootTime), jumpedAt: jumpedAt)
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
                """, [clock.seenAt, clock.boot, clock.bootTime.wholeMicroseconds, clock.jumpedAt])
        }
    }
}
