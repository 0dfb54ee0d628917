-- Taking work: a claim, and further places for streams of a running download.
-- Lock order everywhere: replica, then gates by (kind, key), then queue rows by id.

-- The bytes that a waiting download still expects; 0 if nobody knows.
CREATE FUNCTION lull_need(p_total bigint, p_expected bigint, p_resume jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    -- A resume point that cannot be read says nothing; it must not fail a claim for others.
    SELECT greatest(0, coalesce(p_total, p_expected, 0) - CASE
        WHEN p_resume IS NULL OR jsonb_typeof(p_resume->'offset') IS DISTINCT FROM 'number' THEN 0
        ELSE least((p_resume->>'offset')::numeric, 9000000000000000000)::bigint END)
$$;

-- Takes due downloads from the lanes given, up to each quota and to the room under both gates, but only such
-- as fit together into p_room bytes of disk; null is any room. One that does not fit is passed by; where room
-- is short only the first 256 of a lane are looked at, so that a claim stays cheap when very many wait that
-- do not fit. A replica whose lease is over gets SQLSTATE LU001.
CREATE FUNCTION lull_claim(
    p_replica bigint, p_lanes bigint[], p_origins bigint[], p_sessions bigint[], p_quotas int[],
    p_origin_limit int, p_session_limit int, p_total int, p_room bigint
) RETURNS TABLE (
    id uuid, fence bigint, attempt int, attempts_without_progress int, sequence int, url text, session text,
    session_no bigint, app_no bigint, origin_key bigint, class smallint, priority double precision,
    created_at timestamptz, earliest_begin_at timestamptz, started_at timestamptz,
    claimed_at timestamptz, deadline timestamptz, expected_bytes bigint, bytes bigint,
    webhook_url text, webhook_events int, control smallint, spec text, resume text, total_bytes bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    gk smallint[]; gkey bigint[]; gfree int[]; t timestamptz := clock_timestamp();
    room bigint := coalesce(p_room, 9223372036854775807);
BEGIN
    -- KEY SHARE conflicts with the reaper's FOR UPDATE, not with the heartbeat's UPDATE.
    PERFORM 1 FROM replicas r
        WHERE r.replica_no = p_replica AND r.expires_at > t AND NOT r.draining FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the lease of this replica is over' USING ERRCODE = 'LU001';
    END IF;
    SELECT array_agg(z.kind), array_agg(z.key), array_agg(z.free) INTO gk, gkey, gfree FROM (
        SELECT g.kind, g.key,
            coalesce(g.running_limit,
                CASE g.kind WHEN lull_gate('origin') THEN p_origin_limit ELSE p_session_limit END)
                - g.running AS free
        FROM gates g
        WHERE ((g.kind = lull_gate('origin') AND g.key = ANY (p_origins))
                OR (g.kind = lull_gate('session') AND g.key = ANY (p_sessions)))
            AND g.not_before <= t
        ORDER BY g.kind, g.key FOR NO KEY UPDATE) z
        WHERE z.free > 0;
    t := clock_timestamp();
    -- A new statement, hence a snapshot younger than the gates' locks. It may show rows of transactions that
    -- began after this one: their events would stand behind that of this claim in the journal, so such a row
    -- (its xmin is not older than this transaction) is left for the next claim. The window of a million
    -- transactions keeps rows apart that have waited for longer than transaction numbers last.
    RETURN QUERY
    WITH open_gates AS MATERIALIZED (SELECT * FROM unnest(gk, gkey, gfree) u(kind, key, free)),
    due_runs AS MATERIALIZED (
        SELECT c.id, c.run_at, c.need, w.ord, w.origin, w.sess, og.free AS ofree, sg.free AS sfree
        FROM unnest(p_lanes, p_origins, p_sessions, p_quotas) WITH ORDINALITY
            w(lane, origin, sess, quota, ord)
        JOIN open_gates og ON og.kind = lull_gate('origin') AND og.key = w.origin
        JOIN open_gates sg ON sg.kind = lull_gate('session') AND sg.key = w.sess
        CROSS JOIN LATERAL (
            SELECT q.id, q.run_at, lull_need(q.total_bytes, q.expected_bytes, q.resume) AS need
            FROM queue q
            WHERE q.state = lull_live_state('waiting') AND q.lane = w.lane AND q.origin_key = w.origin
                AND q.session_no = w.sess
                AND q.run_at <= CASE WHEN room >= 17179869184 THEN t ELSE coalesce((
                    SELECT n.run_at FROM queue n
                    WHERE n.state = lull_live_state('waiting') AND n.lane = w.lane AND n.origin_key = w.origin
                        AND n.session_no = w.sess AND n.run_at <= t
                    ORDER BY n.run_at, n.id OFFSET 256 LIMIT 1), t) END
                AND lull_need(q.total_bytes, q.expected_bytes, q.resume) <= room
                AND age(q.xmin) NOT BETWEEN -1000000 AND 0
            ORDER BY q.run_at, q.id LIMIT least(w.quota, og.free, sg.free)
            FOR NO KEY UPDATE OF q SKIP LOCKED) c),
    fitting_runs AS MATERIALIZED (
        SELECT z.id FROM (
            SELECT r.*, row_number() OVER (PARTITION BY origin ORDER BY ord, run_at) o_rank,
                row_number() OVER (PARTITION BY sess ORDER BY ord, run_at) s_rank,
                row_number() OVER (ORDER BY ord, run_at) t_rank,
                sum(need) OVER (ORDER BY ord, run_at, id ROWS UNBOUNDED PRECEDING) t_need
            FROM due_runs r) z
        WHERE z.o_rank <= z.ofree AND z.s_rank <= z.sfree AND z.t_rank <= p_total AND z.t_need <= room),
    claimed_runs AS (
        UPDATE queue q SET state = lull_live_state('running'), replica_no = p_replica,
            claimed_at = greatest(t, q.state_since), state_since = greatest(t, q.state_since),
            bytes_per_second = NULL, measured_at = NULL,
            fence = q.fence + 1, attempt = q.attempt + 1, sequence = q.sequence + 1
        FROM fitting_runs p WHERE q.id = p.id RETURNING q.*),
    counted_gates AS (
        UPDATE gates g SET running = g.running + n.n FROM (
            SELECT lull_gate('origin') AS kind, k.origin_key AS key, count(*)::int AS n FROM claimed_runs k GROUP BY 2
            UNION ALL
            SELECT lull_gate('session'), k.session_no, count(*)::int FROM claimed_runs k GROUP BY 2) n
        WHERE g.kind = n.kind AND g.key = n.key),
    new_events AS MATERIALIZED (
        SELECT lull_record_events(array_agg(ROW(k.claimed_at, k.session_no, k.id, lull_event_type('started'),
            k.sequence, k.attempt, NULL, k.bytes, k.total_bytes, k.webhook_url, k.webhook_events)::new_event))
        FROM claimed_runs k)
    -- LEFT JOIN: a download whose wide row is gone must still come back, to be failed.
    SELECT k.id, k.fence, k.attempt, k.attempts_without_progress, k.sequence, d.url, d.session, k.session_no, d.app_no,
        k.origin_key, k.class, d.priority, d.created_at, d.earliest_begin_at, d.started_at,
        k.claimed_at, k.deadline, k.expected_bytes, k.bytes, k.webhook_url, k.webhook_events, k.control, d.spec::text,
        k.resume::text, k.total_bytes
    FROM claimed_runs k CROSS JOIN new_events LEFT JOIN downloads d ON d.id = k.id;
END $$;

-- Takes up to p_extra further places for a running download, as many as there is room for under both gates;
-- answers how many. An origin that asked for a pause gets no further streams.
CREATE FUNCTION lull_widen(
    p_replica bigint, p_id uuid, p_fence bigint, p_extra int, p_origin_limit int, p_session_limit int
) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    o bigint; s bigint; n int; k int;
BEGIN
    SELECT q.origin_key, q.session_no INTO o, s FROM queue q
        WHERE q.id = p_id AND q.replica_no = p_replica AND q.fence = p_fence;
    IF NOT FOUND THEN RETURN 0; END IF;
    SELECT min(z.free), count(*) INTO n, k FROM (
        SELECT coalesce(g.running_limit,
                CASE g.kind WHEN lull_gate('origin') THEN p_origin_limit ELSE p_session_limit END)
                - g.running AS free, g.not_before
        FROM gates g
        WHERE (g.kind = lull_gate('origin') AND g.key = o) OR (g.kind = lull_gate('session') AND g.key = s)
        ORDER BY g.kind, g.key FOR NO KEY UPDATE) z
        WHERE z.not_before <= clock_timestamp();
    n := least(p_extra, n);
    IF k < 2 OR n <= 0 THEN RETURN 0; END IF;
    -- An order that waits ends it soon.
    UPDATE queue q SET extra_streams = q.extra_streams + n
        WHERE q.id = p_id AND q.state = lull_live_state('running') AND q.replica_no = p_replica AND q.fence = p_fence
            AND q.control = lull_order('none') AND q.origin_key = o AND q.session_no = s;
    IF NOT FOUND THEN RETURN 0; END IF;
    UPDATE gates g SET running = g.running + n
        WHERE (g.kind = lull_gate('origin') AND g.key = o) OR (g.kind = lull_gate('session') AND g.key = s);
    RETURN n;
END $$;
