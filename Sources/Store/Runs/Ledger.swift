// The statements of a replica about its downloads: look, claim, finish, report. They share one
// connection and are in order, so that a claim never waits for a finish of its own process.
package import Base
internal import Downloads
package import Postgres
package import Scheduling

/// The queue from the point of view of one replica.
package struct Ledger: Sendable {
    let pool: ConnectionPool
    /// The pool for heartbeats, so that none waits behind a claim or a finish.
    let heartbeats: ConnectionPool
    /// The replica's key, new with every process.
    package let replica: Int64
    let changes: ChangeHub
    /// The data directory of the replica, as resume points name it.
    let holder: KeyText

    /// Registers a replica; the runs of an earlier process on its data directory wait again.
    ///
    /// - Parameters:
    ///   - pool: where its statements run; one connection keeps them in order.
    ///   - heartbeats: where heartbeats go; nil for the same.
    ///   - instance: names the data directory, 128 bits.
    ///   - node: the machine's name, for people.
    ///   - address: where other replicas reach this one, HOST:PORT; nil for nowhere.
    ///   - lease: how long it holds its work without a heartbeat.
    ///   - changes: gets the changes.
    /// - Returns: the ledger, and the database's clock.
    /// - Throws: `unavailable` or `refused`.
    package static func register(
        pool: ConnectionPool, heartbeats: ConnectionPool? = nil, instance: Identifier,
        node: String, address: String? = nil, lease: Duration, changes: ChangeHub
    ) async throws(StoreError) -> (ledger: Ledger, now: Timestamp) {
        try await sorting { () throws(PostgresError) in
            // Read before, so that a late request is recognized by it.
            let asked = try await pool.query("SELECT clock_timestamp()")[0]
                .only(as: Timestamp.self)
            let (replica, now): (Int64, Timestamp) = try await pool.query(
                """
                SELECT lull_join($1, $2, $3, $4 * interval '1 microsecond', $5), clock_timestamp()
                """, [instance, node, address, lease.wholeMicroseconds, asked])[0].values()
            let ledger = Ledger(
                pool: pool, heartbeats: heartbeats ?? pool, replica: replica, changes: changes,
                holder: KeyText(instance.hexadecimal))
            return (ledger, now)
        }
    }

    /// Renews the lease; the answer has orders and the list of other replicas.
    ///
    /// - Parameters:
    ///   - lease: how long it holds from now on.
    ///   - readings: what the replica measures, for the others; nil keeps what was sent before.
    /// - Returns: the database's clock, orders, the other replicas and the policy's version.
    /// - Throws: `leaseLost` when it was over already.
    package func heartbeat(
        lease: Duration, readings: ReplicaReadings? = nil
    ) async throws(StoreError) -> HeartbeatAnswer {
        let beat = try await sorting { () throws(PostgresError) -> HeartbeatAnswer? in
            let rows = try await heartbeats.query(
                """
                WITH b AS (
                    UPDATE replicas
                    SET expires_at = clock_timestamp() + $2 * interval '1 microsecond',
                        readings = coalesce($3, readings),
                        measured_at = CASE WHEN $3 IS NULL THEN measured_at
                            ELSE clock_timestamp() END
                    WHERE replica_no = $1 AND expires_at > clock_timestamp() RETURNING 1)
                SELECT \(BeatColumn.list) FROM (SELECT clock_timestamp() AS now, q.id, q.control,
                    o.count, o.expiry, (SELECT sum(version) FROM policies) AS policies
                FROM b CROSS JOIN (SELECT count(*)::int, min(expires_at) AS expiry
                    FROM replicas WHERE replica_no <> $1) o
                LEFT JOIN queue q ON q.replica_no = $1 AND q.control <> lull_order('none')) z
                """,
                [
                    replica, lease.wholeMicroseconds,
                    readings.map { JSONText($0.json.text) } as JSONText?,
                ])
            guard let first = rows.first else { return nil }
            var orders: [(Identifier, RunOrder)] = []
            for row in rows {
                guard let id = try row.optionalIdentifier(BeatColumn.id),
                    let order = RunOrder(rawValue: try row.get(BeatColumn.control))
                else { continue }
                orders.append((id, order))
            }
            var peers = HeartbeatAnswer.Peers()
            peers.count = try first.get(BeatColumn.count)
            peers.firstExpiry = try first.instant(BeatColumn.expiry)
            return HeartbeatAnswer(
                now: try first.requiredInstant(BeatColumn.now), orders: orders, peers: peers,
                policyVersion: try first.optionalInteger(BeatColumn.policies) ?? 0)
        }
        guard let beat else {
            throw StoreError(.leaseLost, "the lease had expired at the heartbeat")
        }
        return beat
    }

    /// Releases the runs of replicas without a heartbeat; any replica does this.
    ///
    /// - Returns: how many downloads and replicas were given back, 0 when nothing is left to do.
    package func reap() async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT lull_reap(500)")[0].only()
        }
    }

    /// Releases claimed downloads that do not run here, because the answer of their claim was lost.
    ///
    /// The statement may be executed long after it was sent, when more downloads were claimed that
    /// `known` does not have, so it has a bound of age.
    ///
    /// - Parameters:
    ///   - known: what runs here.
    ///   - instant: only what was claimed before, by the database's clock; not later than now.
    /// - Returns: how many wait again.
    /// - Throws: `unavailable` or `refused`.
    package func releaseUnknownRuns(
        known: [Identifier], claimedBefore instant: Timestamp
    ) async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                "SELECT lull_release_unknown_runs($1, $2, $3)",
                [replica, known, instant])[0].only()
        }
    }

    /// Ends the registration at a clean stop; remaining claimed downloads wait again.
    package func unregister() async throws(StoreError) {
        try await sorting { () throws(PostgresError) in
            while try await pool.query("SELECT lull_release_replica($1, 1000)", [replica])[0]
                .only(as: Int.self) > 0
            {}
        }
    }
}

private enum BeatColumn: Int, RowColumn {
    case now, id, control, count, expiry, policies
}
