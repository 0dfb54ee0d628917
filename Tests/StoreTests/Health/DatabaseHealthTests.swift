// The findings of `lull doctor` about a database: each beside its neighbours, and one on a real
// server.
import Base
import Platform
import Postgres
import Support
import Testing

@testable import Store

@Suite struct DatabaseHealthTests {
    /// A healthy database with one change.
    private static func health(_ change: (inout DatabaseHealth) -> Void) -> DatabaseHealth {
        var health = DatabaseHealth()
        change(&health)
        return health
    }

    /// The finding, and the beginning of the only line that is not `ok`; nil for none.
    private static let cases: [(DatabaseHealth, String?)] = [
        (health { _ in }, nil),
        (health { $0.version = 150_000 }, nil),
        (health { $0.version = 149_999 }, "fault database: PostgreSQL 14; upgrade it to 15"),
        (health { $0.version = 180_001 }, nil),
        (health { $0.isStandby = true }, "fault database: PostgreSQL 15, a standby that accepts"),
        (health { $0.isDurable = false }, "fault database: PostgreSQL 15 would lose accepted"),
        (health { $0.hasAutovacuum = false }, "warning database: PostgreSQL 15 with autovacuum"),
        (health { $0.connectionsUsed = 81 }, nil),
        (
            health { $0.connectionsUsed = 82 },
            "warning connections: 82 of 97 in use, but a replica opens up to 16; raise"
        ),
        (health { $0.clockOffset = .seconds(1) }, nil),
        (health { $0.clockOffset = .milliseconds(1001) }, "warning clock: it differs from the"),
        (health { $0.clockOffset = .milliseconds(-1001) }, "warning clock: it differs from the"),
        // The time of the answer may explain the whole difference.
        (
            health {
                $0.clockOffset = .milliseconds(1500)
                $0.roundTrip = .milliseconds(500)
            }, nil
        ),
        (health { $0.oldestTransaction = (.seconds(300), 7) }, nil),
        (
            health { $0.oldestTransaction = (.seconds(660), 7) },
            "warning old transactions: the transaction of process 7 is 11 minutes old, so dead "
                + "rows cannot be removed and the queue slows down; look at it in "
                + "pg_stat_activity, and end it with SELECT pg_terminate_backend(7)"
        ),
        (health { $0.oldestPrepared = .seconds(300) }, nil),
        (
            health { $0.oldestPrepared = .seconds(301) },
            "warning old transactions: a prepared transaction is 5 minutes old, so dead rows "
                + "cannot be removed; find it in pg_prepared_xacts"
        ),
        (
            health { $0.idleSlots = ["old", "older"] },
            "warning replication slots: nothing reads old, older, so WAL files pile up until the "
                + "disk is full; start its reader, or SELECT pg_drop_replication_slot('old')"
        ),
        (
            health {
                $0.tables = [
                    DatabaseHealth.Table(name: "queue", live: 5, dead: 30_000),
                    DatabaseHealth.Table(name: "events", live: 9, dead: 70_000),
                ]
            },
            "warning bloat: events has 70000 dead rows and 9 live ones; end old transactions, then "
                + "VACUUM events"
        ),
        (health { $0.transactionAge = 1_000_000_000 }, nil),
        (
            health { $0.transactionAge = 1_000_000_001 },
            "warning transaction numbers: the oldest is 1000000001 transactions"
        ),
    ]

    @Test(arguments: cases.indices)
    func eachThingThatIsWrongHasItsLine(_ index: Int) {
        let (health, line) = Self.cases[index]
        let lines = health.findings.map(\.line)
        #expect(lines.count == 7)
        let wrong = lines.filter { !$0.hasPrefix("ok ") }
        #expect(wrong.count == (line == nil ? 0 : 1), "\(wrong)")
        if let line { #expect(wrong.first?.hasPrefix(line) == true, "\(wrong)") }
    }

    /// If several things are wrong with the server itself, the worst is shown.
    @Test func theWorstOfTheServerIsSaid() {
        let all = Self.health {
            $0.isStandby = true
            $0.isDurable = false
            $0.hasAutovacuum = false
        }
        #expect(all.findings[0].detail.contains("a standby"))
        let old = Self.health {
            $0.version = 130_000
            $0.isStandby = true
        }
        #expect(old.findings[0].detail.contains("upgrade it"))
    }

    @Test func aRealServerIsRead() async throws {
        try await TestDatabase.with { database in
            let connection = PostgresConnection(url: database.url)
            let other = PostgresConnection(url: database.url)
            try await connection.open()
            try await other.open()
            // A difference of the caller's clock is found however long the answer takes.
            func read(ahead: Duration = .zero) async throws -> DatabaseHealth {
                try await DatabaseHealth.read(over: connection) {
                    Timestamp(microseconds: SystemClock.wallMicroseconds()) + ahead
                }
            }
            let health = try await read()
            #expect(health.version >= 150_000 && !health.isStandby && health.hasAutovacuum)
            #expect(health.connections > 0 && health.connectionsUsed >= 2)
            #expect(health.transactionAge > 0 && health.idleSlots == [] && health.tables == [])
            #expect(health.findings[2].level == .good)
            let ahead = try await read(ahead: .seconds(3600))
            #expect(ahead.findings[2].level == .warning && ahead.clockOffset < .seconds(-3000))
            // The oldest transaction is the one that another connection holds open, or one before
            // it.
            try await other.script("BEGIN; SELECT txid_current()")
            #expect(try await read().oldestTransaction != nil)
            try await other.script("ROLLBACK")
            // More dead rows than live ones, by the statistics of the server.
            try await other.script(
                """
                CREATE TABLE swollen (n int) WITH (autovacuum_enabled = off);
                INSERT INTO swollen SELECT generate_series(1, 30000); DELETE FROM swollen;
                """)
            try await other.script("SELECT pg_stat_force_next_flush()")
            let isSeen = try await eventually {
                try await read().tables.contains { $0.name == "swollen" && $0.dead >= 20_000 }
            }
            #expect(isSeen)
            await other.close()
            await connection.close()
        }
    }
}
