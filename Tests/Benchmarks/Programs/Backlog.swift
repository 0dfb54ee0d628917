// Waiting downloads in the tables of a service, for benchmarks of very many.

/// Lanes with equally many downloads each, all of the default session.
struct Backlog {
    /// The number of lanes, each with an origin of its own.
    let lanes: Int
    /// The number of downloads in each lane.
    let each: Int
    /// The origin in SQL, by `n` from 1 on; a claimed download fails if nothing listens at its
    /// address.
    var origin = "'https://o' || n || ':443'"
    /// The number of the downloads' class.
    var schedulingClass = 0
    /// The time in SQL at which the first download of a lane is due; each further one is due a
    /// millisecond later.
    var runAt = "now() - interval '1 hour'"
    /// The expected size of each download in bytes, in SQL.
    var bytes = "NULL"
    /// Whether the session lets no download begin.
    var isClosed = false
    /// The number of further downloads before all others, of an origin whose places are all taken.
    var full = 0

    /// Writes the rows and updates the planner's statistics.
    func fill(_ lull: LullServer, _ plan: Plan) throws {
        try Command.check(
            "psql", ["-Xqc", statements], plan: plan, environment: lull.database)
        try Command.check(
            "psql", ["-Xqc", "VACUUM ANALYZE"], plan: plan, environment: lull.database)
    }

    private var statements: String {
        """
        SELECT lull_origins('{https://full:443}', '{1}');
        UPDATE gates SET running_limit = 0 WHERE kind = lull_gate('origin')
            OR kind = lull_gate('session') AND \(isClosed);
        SELECT lull_make_origins(array_agg(\(origin))) FROM generate_series(1, \(lanes)) n;
        SELECT cardinality(lull_enter_lanes(array_agg(ROW(1, 1, origin_key, \(schedulingClass), 2,
            3, 0, 'infinity', \(runAt), 'infinity', 0)::lane_entry ORDER BY origin_key)))
            FROM origins WHERE origin <> 'https://full:443' OR \(full) > 0;
        INSERT INTO queue (id, lane_no, app_no, run_at, session_no, origin_key, state_since,
            deadline, life_since, class, rank, expected_bytes)
        SELECT gen_random_uuid(), l.lane_no, 1, \(runAt) + n * interval '1 ms', 1, l.origin_key,
            now(), now() + interval '8 days', now(), \(schedulingClass), 2, \(bytes)
        FROM lanes l JOIN origins o USING (origin_key), LATERAL generate_series(0,
            CASE o.origin WHEN 'https://full:443' THEN \(full) ELSE \(each) END - 1) n;
        INSERT INTO download_requests (id, app_no, session_no, created_at, session, url, spec,
            origin_key, priority, class)
        SELECT q.id, 1, 1, now(), 'default', o.origin || '/f', '{}', q.origin_key, 0.5,
            \(schedulingClass)
        FROM queue q JOIN origins o USING (origin_key);
        """
    }
}
