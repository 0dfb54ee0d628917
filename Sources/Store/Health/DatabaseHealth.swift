// The health of a database, as far as Lull depends on it: settings, clock, old transactions, bloat.
package import Base
package import Postgres

/// One examination of a database.
package struct DatabaseHealth: Sendable, Equatable {
    /// A table of Lull with dead rows.
    package struct Table: Sendable, Equatable {
        /// Its name.
        package var name: String
        /// The estimated number of live rows.
        package var live: Int64
        /// The number of dead rows that were not removed.
        package var dead: Int64
    }

    /// The version, such as 150018.
    package var version = 150_000
    /// Whether a committed transaction survives a crash of the server's machine.
    package var isDurable = true
    /// Whether dead rows are removed automatically.
    package var hasAutovacuum = true
    /// The most connections, without those for superusers.
    package var connections: Int64 = 97
    /// The number of open connections, of all users.
    package var connectionsUsed: Int64 = 0
    /// Whether it is a standby.
    package var isStandby = false
    /// The database's clock less this machine's.
    package var clockOffset = Duration.zero
    /// The duration of the answer, by which the offset may be wrong.
    package var roundTrip = Duration.zero
    /// The age of the oldest transaction that keeps dead rows, and its process.
    package var oldestTransaction: (age: Duration, process: Int32)?
    /// The age of the oldest prepared transaction.
    package var oldestPrepared: Duration?
    /// Replication slots that keep log or rows and that no client reads.
    package var idleSlots: [String] = []
    /// Tables with many dead rows.
    package var tables: [Table] = []
    /// The age of the oldest transaction number; at 2 billion the server stops writing.
    package var transactionAge: Int64 = 0

    /// Creates the values of a healthy database.
    package init() {}

    /// The most connections of one replica, LISTEN included.
    package static let connectionsOfReplica: Int64 = 16

    /// Whether both are equal, without regard to the oldest transaction.
    package static func == (left: DatabaseHealth, right: DatabaseHealth) -> Bool {
        left.findings == right.findings
    }
}

extension DatabaseHealth {
    /// The findings, with equal subjects in a fixed order.
    package var findings: [HealthFinding] {
        [durability, room, clock, transactions, slots, bloat, wraparound]
    }

    private var durability: HealthFinding {
        let name = "PostgreSQL \(version / 10_000)"
        if version < 150_000 {
            return HealthFinding(.fault, "database", "\(name); upgrade it to 15 or later")
        }
        if isStandby {
            return HealthFinding(
                .fault, "database",
                "\(name), a standby that accepts no writes; name the primary, or several hosts, in "
                    + "LULL_DATABASE_URL")
        }
        if !isDurable {
            return HealthFinding(
                .fault, "database",
                "\(name) would lose accepted downloads in a crash; set fsync and full_page_writes "
                    + "to on, and synchronous_commit not to off")
        }
        guard hasAutovacuum else {
            return HealthFinding(
                .warning, "database",
                "\(name) with autovacuum off, so the tables grow and slow down; set autovacuum to "
                    + "on")
        }
        return HealthFinding(.good, "database", "\(name), its commits are durable")
    }

    private var room: HealthFinding {
        let free = connections - connectionsUsed
        let detail = "\(connectionsUsed) of \(connections) in use"
        guard free < DatabaseHealth.connectionsOfReplica else {
            return HealthFinding(.good, "connections", detail)
        }
        return HealthFinding(
            .warning, "connections",
            detail + ", but a replica opens up to \(DatabaseHealth.connectionsOfReplica); raise "
                + "max_connections, or put a PgBouncer before it")
    }

    private var clock: HealthFinding {
        let seconds = abs(clockOffset / .seconds(1))
        let text = "\((seconds * 1000).rounded() / 1000) s"
        guard seconds > 1 + roundTrip / .seconds(1) else {
            return HealthFinding(.good, "clock", "it differs from the database's clock by \(text)")
        }
        return HealthFinding(
            .warning, "clock",
            "it differs from the database's clock by \(text), by which all dates are judged; "
                + "synchronize both by NTP")
    }

    private var transactions: HealthFinding {
        if let oldestPrepared, oldestPrepared > .seconds(300) {
            return HealthFinding(
                .warning, "old transactions",
                "a prepared transaction is \(DatabaseHealth.minutes(oldestPrepared)) old, so dead "
                    + "rows cannot be removed; find it in pg_prepared_xacts, and commit it or roll "
                    + "it back")
        }
        guard let (age, process) = oldestTransaction, age > .seconds(300) else {
            return HealthFinding(.good, "old transactions", "none is older than five minutes")
        }
        return HealthFinding(
            .warning, "old transactions",
            "the transaction of process \(process) is \(DatabaseHealth.minutes(age)) old, so dead "
                + "rows cannot be removed and the queue slows down; look at it in "
                + "pg_stat_activity, and end it with SELECT pg_terminate_backend(\(process))")
    }

    private var slots: HealthFinding {
        guard let first = idleSlots.first else {
            return HealthFinding(.good, "replication slots", "none is without a reader")
        }
        return HealthFinding(
            .warning, "replication slots",
            "nothing reads \(idleSlots.joined(separator: ", ")), so WAL files pile up until the "
                + "disk is full; start its reader, or SELECT pg_drop_replication_slot('\(first)')")
    }

    private var bloat: HealthFinding {
        guard let worst = tables.max(by: { $0.dead < $1.dead }) else {
            return HealthFinding(.good, "bloat", "no table has mostly dead rows")
        }
        return HealthFinding(
            .warning, "bloat",
            "\(worst.name) has \(worst.dead) dead rows and \(worst.live) live ones; end old "
                + "transactions, then VACUUM \(worst.name)")
    }

    private var wraparound: HealthFinding {
        guard transactionAge > 1_000_000_000 else {
            return HealthFinding(.good, "transaction numbers", "less than half of them are used")
        }
        return HealthFinding(
            .warning, "transaction numbers",
            "the oldest is \(transactionAge) transactions old, and at 2 billion the server stops "
                + "accepting writes; VACUUM the database, and find out why autovacuum did not")
    }

    private static func minutes(_ duration: Duration) -> String {
        "\(Int64(duration / .seconds(60))) minutes"
    }
}

extension DatabaseHealth {
    /// Examines a database without changing it.
    ///
    /// - Parameters:
    ///   - connection: an open one.
    ///   - wall: this machine's clock.
    /// - Returns: what is there, as far as this user may see it.
    /// - Throws: what the database answers.
    package static func read(
        over connection: PostgresConnection, wall: @Sendable () -> Timestamp
    ) async throws(PostgresError) -> DatabaseHealth {
        var health = DatabaseHealth()
        let settings = try await connection.durabilitySettings()
        health.version = settings.serverVersion
        health.isDurable = settings.areSafe
        let asked = wall()
        let clock = try await connection.query("SELECT clock_timestamp()")[0]
            .only(as: Timestamp.self)
        let answered = wall()
        health.roundTrip = answered - asked
        health.clockOffset = (clock - asked) - (answered - asked) / 2
        let row = try await connection.query(DatabaseHealth.facts)[0]
        health.hasAutovacuum = try row.get(Column.hasAutovacuum)
        health.connections = try row.get(Column.connections)
        health.connectionsUsed = try row.get(Column.connectionsUsed)
        health.isStandby = try row.get(Column.isStandby)
        if let age = try row.get(Column.age, as: Int64?.self),
            let process = try row.get(Column.pid, as: Int32?.self)
        {
            health.oldestTransaction = (.seconds(age), process)
        }
        health.oldestPrepared = try row.get(Column.oldestPrepared, as: Int64?.self)
            .map { .seconds($0) }
        health.transactionAge = try row.get(Column.transactionAge)
        health.idleSlots = try await connection.query(DatabaseHealth.idle).column()
        for row in try await connection.query(DatabaseHealth.dead) {
            let (name, live, dead): (String, Int64, Int64) = try row.values()
            health.tables.append(Table(name: name, live: live, dead: dead))
        }
        return health
    }

    private enum Column: Int, RowColumn {
        case hasAutovacuum, connections, connectionsUsed, isStandby, age, pid, oldestPrepared
        case transactionAge
    }

    private static let facts = """
        SELECT \(Column.list) FROM (SELECT current_setting('autovacuum')::boolean
                AND current_setting('track_counts')::boolean AS has_autovacuum,
            current_setting('max_connections')::bigint
                - current_setting('superuser_reserved_connections')::bigint AS connections,
            (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')
                AS connections_used,
            pg_is_in_recovery() AS is_standby, t.age, t.pid,
            (SELECT extract(epoch FROM clock_timestamp() - min(prepared))::bigint
                FROM pg_prepared_xacts) AS oldest_prepared,
            (SELECT age(datfrozenxid)::bigint FROM pg_database WHERE datname = current_database())
                AS transaction_age
        FROM (SELECT 1) one LEFT JOIN LATERAL (
            SELECT extract(epoch FROM clock_timestamp() - xact_start)::bigint AS age, pid
            FROM pg_stat_activity
            WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid()
                AND backend_type IN ('client backend', 'walsender')
            ORDER BY xact_start LIMIT 1) t ON true) z
        """

    private static let idle = """
        SELECT slot_name::text FROM pg_replication_slots WHERE NOT active ORDER BY slot_name
        """

    private static let dead = """
        SELECT relname::text, n_live_tup, n_dead_tup FROM pg_stat_user_tables
        WHERE schemaname = current_schema() AND n_dead_tup > 20000 AND n_dead_tup > n_live_tup
        ORDER BY n_dead_tup DESC LIMIT 20
        """
}
