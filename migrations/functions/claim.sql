-- Claiming downloads, and further places for the streams of a running download. Lock order everywhere: replica, gates
-- by (kind, key), queue rows by id, then as in lanes.sql.

-- The missing bytes of a waiting download; 0 if unknown.
CREATE FUNCTION lull_need(p_total bigint, p_expected bigint, p_resume jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    -- A resume point that cannot be read counts as none; it must not fail the claim of other downloads. Bytes that are
    -- copied from another download's file need room as well.
    SELECT greatest(0, coalesce(p_total, p_expected, 0) - CASE
        WHEN p_resume IS NULL OR jsonb_typeof(p_resume->'offset') IS DISTINCT FROM 'number'
            OR p_resume->'source' IS NOT NULL THEN 0
        ELSE least((p_resume->>'offset')::numeric, 9000000000000000000)::bigint END)
$$;

-- The bytes that a waiting download has still to move: those of its file if that waits to be sent, else its missing
-- bytes; 0 if unknown.
CREATE FUNCTION lull_work(
    p_flags smallint, p_bytes bigint, p_total bigint, p_expected bigint, p_resume jsonb
) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_flags & lull_lane_flag('sends') <> 0 THEN p_bytes
        ELSE lull_need(p_total, p_expected, p_resume) END
$$;

-- The bytes that a live download has still to move, as far as it has come; null if unknown.
CREATE FUNCTION lull_left(
    p_flags smallint, p_bytes bigint, p_sent bigint, p_total bigint, p_expected bigint
) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_flags & lull_lane_flag('sends') <> 0 THEN greatest(0, p_bytes - p_sent)
        WHEN p_total IS NOT NULL OR p_expected IS NOT NULL THEN greatest(0, coalesce(p_total, p_expected) - p_bytes) END
$$;

-- Whether the data directory has bytes of a waiting download with which its next attempt continues.
CREATE FUNCTION lull_is_resumable(p_resume jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT p_resume IS NOT NULL AND p_resume->'void' IS NULL
        AND coalesce(p_resume->'offset' > '0'::jsonb AND jsonb_typeof(p_resume->'offset') = 'number', false)
$$;

-- Takes due downloads from the lanes given, in their order, up to each quota and to the room under all gates, but only
-- such as fit together into p_room bytes of disk; null is any room, and 0 admits files that are sent. One that does not
-- fit is passed by; where room is short only the first 256 of a lane are looked at, so that a claim stays cheap when
-- very many wait that do not fit.
-- p_limit is the deployment's limit, p_apps has those of apps; null is none, and a gate's own limit of an app or a
-- session only lowers it. p_budgets is as in budgets.sql; null where the policy has none. What needs more than fits in
-- its lane (claim_lane) and no more than the longest opening is passed by, unless it can be gone on with. One whose
-- time is over is left to be ended. Of the lanes of an origin that is not reached one download comes through when it is
-- time to try again, of all origins together as p_probes says. A replica whose lease is over gets SQLSTATE LU001.
CREATE FUNCTION lull_claim(
    p_replica bigint, p_lanes claim_lane[], p_apps app_limit[], p_limit int, p_total int, p_room bigint,
    p_budgets jsonb DEFAULT NULL, p_probes claim_probes DEFAULT NULL
) RETURNS TABLE (
    id uuid, fence bigint, attempt int, attempts_without_progress int, sequence int, url text, session text,
    session_no bigint, app_no bigint, origin_key bigint, class smallint, priority double precision,
    created_at timestamptz, earliest_begin_at timestamptz, started_at timestamptz,
    claimed_at timestamptz, deadline timestamptz, expected_bytes bigint, bytes bigint,
    webhook_url text, webhook_events bigint, control smallint, spec text, resume text, total_bytes bigint,
    lane_no bigint, waited_since timestamptz, run_at timestamptz, is_probe boolean, need bigint
) LANGUAGE plpgsql
-- Every step is a look-up by key, in the written order, so that no plan depends on the number of rows.
SET join_collapse_limit = 1 SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    os bigint[]; ss bigint[]; cs bigint[]; total int := p_total; t timestamptz := clock_timestamp();
    room bigint := coalesce(p_room, 9223372036854775807);
    bounds bigint[]; limited bigint[]; chunk bigint := (p_budgets->>'chunk')::bigint;
BEGIN
    -- KEY SHARE conflicts with the reaper's FOR UPDATE, not with the heartbeat's UPDATE.
    PERFORM 1 FROM replicas r
        WHERE r.replica_no = p_replica AND r.expires_at > t AND NOT r.draining FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the lease of this replica has expired' USING ERRCODE = 'LU001';
    END IF;
    SELECT array_agg(DISTINCT l.origin_key), array_agg(DISTINCT l.session_no), array_agg(DISTINCT l.app_no)
        INTO os, ss, cs FROM unnest(p_lanes) w CROSS JOIN LATERAL lull_lane_of(w.lane_no) l;
    PERFORM lull_lock_gates(os, ss, cs, CASE WHEN p_limit IS NULL THEN ARRAY[p_replica] ELSE ARRAY[0, p_replica] END);
    limited := ARRAY(SELECT g.key FROM unnest(ss) u(key) CROSS JOIN LATERAL lull_gate_of(lull_gate('session'), u.key) g
        WHERE g.per_origin IS NOT NULL);
    t := clock_timestamp();
    IF p_limit IS NOT NULL THEN total := least(total, p_limit - lull_running()); END IF;
    IF p_budgets IS NOT NULL THEN bounds := lull_budget_bounds(p_budgets, cardinality(p_lanes)); END IF;
    -- A new statement has a snapshot younger than the gates' locks. It may show rows of transactions that began after
    -- this one: their events would be behind the event of this claim in the journal, so such a row (its xmin is not
    -- older than this transaction) is left for the next claim. The window of a million transactions excludes rows that
    -- have waited for longer than transaction numbers last.
    RETURN QUERY
    -- Running downloads are counted for sessions that limit them, whose gates are locked: there are no more of them
    -- than places.
    WITH connections AS MATERIALIZED (
        SELECT q.session_no, q.origin_key, sum(1 + q.extra_streams)::int AS n FROM queue q
        WHERE limited <> '{}' AND q.state = lull_state('running') AND q.session_no = ANY (limited)
        GROUP BY 1, 2),
    open_lanes AS MATERIALIZED (
        SELECT w.ord, w.quota, l.lane_no, l.next_at, l.origin_key AS origin, l.session_no AS sess, l.app_no AS app,
            least(coalesce(og.running_limit, w.origin_limit) - og.running,
                CASE WHEN og.unreachable_since IS NULL OR l.lane_flags & lull_lane_flag('apart') <> 0 THEN NULL
                    WHEN og.probe_at <= t THEN 1 ELSE 0 END) AS ofree,
            og.unreachable_since IS NOT NULL AND l.lane_flags & lull_lane_flag('apart') = 0 AS is_probe,
            coalesce(least(sg.running_limit, w.session_limit) - sg.running, total) AS sfree,
            coalesce(least(ag.running_limit, (
                SELECT min(a.most) FROM unnest(p_apps) a WHERE a.app_no = l.app_no))
                - ag.running, total) AS afree,
            coalesce(sg.per_origin - coalesce((SELECT c.n FROM connections c
                WHERE c.session_no = l.session_no AND c.origin_key = l.origin_key), 0), total) AS cfree,
            -- A file that is sent needs no room.
            least(CASE WHEN l.lane_flags & lull_lane_flag('sends') = 0 THEN room END, bounds[w.ord],
                9223372036854775807) AS most,
            w.fits, w.longest, w.unsized
        FROM unnest(p_lanes) WITH ORDINALITY
            w(lane_no, quota, origin_limit, session_limit, fits, longest, unsized, ord)
        CROSS JOIN LATERAL lull_lane_of(w.lane_no) l
        CROSS JOIN LATERAL lull_gate_of(lull_gate('origin'), l.origin_key) og
        CROSS JOIN LATERAL lull_gate_of(lull_gate('session'), l.session_no) sg
        CROSS JOIN LATERAL lull_gate_of(lull_gate('app'), l.app_no) ag
        WHERE lull_not_before(og.not_before, l.origin_key, l.app_no) <= t),
    due_runs AS MATERIALIZED (
        SELECT c.id, c.run_at, c.need, c.state_since, w.*
        FROM open_lanes w
        CROSS JOIN LATERAL (
            SELECT q.id, q.run_at, q.state_since, lull_need(q.total_bytes, q.expected_bytes, q.resume) AS need
            FROM queue q
            WHERE q.state = lull_state('waiting') AND q.lane_no = w.lane_no
                -- The bytes of an upload that receives are not whole, whatever its lane says.
                AND q.lane_flags & lull_lane_flag('stages') = 0
                AND q.run_at >= w.next_at
                AND q.run_at <= CASE WHEN w.most >= 17179869184 AND w.fits IS NULL THEN t ELSE coalesce((
                    SELECT n.run_at FROM queue n
                    WHERE n.state = lull_state('waiting') AND n.lane_no = w.lane_no
                        AND n.run_at >= w.next_at AND n.run_at <= t
                    ORDER BY n.run_at, n.id OFFSET 256 LIMIT 1), t) END
                AND CASE WHEN bounds[w.ord] IS NULL THEN lull_need(q.total_bytes, q.expected_bytes, q.resume)
                    ELSE coalesce(nullif(lull_need(q.total_bytes, q.expected_bytes, q.resume), 0), chunk) END
                    <= w.most
                AND (w.fits IS NULL OR lull_is_resumable(q.resume) OR coalesce(
                    coalesce(nullif(lull_need(q.total_bytes, q.expected_bytes, q.resume), 0), w.unsized)
                        NOT BETWEEN w.fits + 1 AND w.longest, true))
                AND q.deadline > t AND age(q.xmin) NOT BETWEEN -1000000 AND 0
            ORDER BY q.run_at, q.id LIMIT greatest(0, least(w.quota, w.ofree, w.sfree, w.afree, w.cfree, total))
            FOR NO KEY UPDATE OF q SKIP LOCKED) c),
    fitting_runs AS MATERIALIZED (
        SELECT z.id, z.need, z.ord, z.run_at, z.state_since AS waited_since, z.is_probe FROM (
            SELECT r.*, row_number() OVER (PARTITION BY origin ORDER BY ord, run_at) o_rank,
                row_number() OVER (PARTITION BY sess ORDER BY ord, run_at) s_rank,
                row_number() OVER (PARTITION BY app ORDER BY ord, run_at) a_rank,
                row_number() OVER (PARTITION BY sess, origin ORDER BY ord, run_at) c_rank,
                row_number() OVER (ORDER BY ord, run_at) t_rank,
                count(*) FILTER (WHERE r.is_probe) OVER (ORDER BY ord, run_at, id ROWS UNBOUNDED PRECEDING) p_rank,
                sum(need) OVER (ORDER BY ord, run_at, id ROWS UNBOUNDED PRECEDING) t_need
            FROM due_runs r) z
        WHERE z.o_rank <= z.ofree AND z.s_rank <= z.sfree AND z.a_rank <= z.afree AND z.c_rank <= z.cfree
            AND z.t_rank <= total AND (NOT z.is_probe OR z.p_rank <= coalesce((p_probes).most, total))
            AND z.t_need <= room),
    reserved_runs AS MATERIALIZED (
        SELECT r.id, r.holds
        FROM (SELECT array_agg(ROW(f.id, f.ord, f.need)::budget_claim ORDER BY f.ord, f.run_at) AS runs
            FROM fitting_runs f WHERE p_budgets IS NOT NULL) z
        CROSS JOIN LATERAL lull_reserve_budgets(z.runs, p_budgets) r),
    admitted_runs AS MATERIALIZED (
        SELECT f.id, NULL::budget_hold[] AS holds, f.waited_since, f.is_probe, f.need
            FROM fitting_runs f WHERE p_budgets IS NULL
        UNION ALL SELECT r.id, r.holds, f.waited_since, f.is_probe, f.need
            FROM reserved_runs r JOIN fitting_runs f ON f.id = r.id),
    claimed_runs AS (
        UPDATE queue q SET state = lull_state('running'), replica_no = p_replica,
            budget_holds = p.holds, budget_counted = NULL,
            claimed_at = greatest(t, q.state_since), state_since = greatest(t, q.state_since),
            bytes_per_second = NULL, measured_at = NULL, sent_bytes = 0,
            fence = q.fence + 1, attempt = q.attempt + 1, sequence = q.sequence + 1
        FROM admitted_runs p WHERE q.id = p.id RETURNING q.*, p.waited_since, p.is_probe, p.need),
    counted_gates AS (
        UPDATE gates g SET running = g.running + n.n,
            -- The end of the probe sets the time of the next one; if the probe is lost, another one may begin then.
            probe_at = CASE WHEN n.is_probe THEN t + (p_probes).pause * interval '1 millisecond' ELSE g.probe_at END,
            probes = g.probes + n.is_probe::int
        FROM (
            SELECT lull_gate('origin') AS kind, k.origin_key AS key, count(*)::int AS n, bool_or(k.is_probe) AS is_probe
            FROM claimed_runs k GROUP BY 2
            UNION ALL
            SELECT lull_gate('session'), k.session_no, count(*)::int, false FROM claimed_runs k GROUP BY 2
            UNION ALL
            SELECT lull_gate('app'), k.app_no, count(*)::int, false FROM claimed_runs k GROUP BY 2
            UNION ALL
            SELECT lull_gate('deployment'), p_replica, count(*)::int, false FROM claimed_runs k HAVING count(*) > 0) n
        CROSS JOIN LATERAL lull_gate_place(n.kind, n.key) p
        WHERE g.ctid = p.place),
    new_events AS MATERIALIZED (
        SELECT lull_record_events(array_agg(ROW(k.claimed_at, k.session_no, k.id, lull_event_type('started'),
            k.sequence, k.attempt, NULL, k.bytes, k.total_bytes, k.webhook_url, k.webhook_events)::new_event))
        FROM claimed_runs k)
    -- LEFT JOIN: a download whose request is missing must still be returned, so that it can be failed.
    SELECT k.id, k.fence, k.attempt, k.attempts_without_progress, k.sequence, d.url, d.session, k.session_no, k.app_no,
        k.origin_key, k.class, d.priority, d.created_at, d.earliest_begin_at, r.started_at,
        k.claimed_at, k.deadline, k.expected_bytes, k.bytes, k.webhook_url, k.webhook_events, k.control, d.spec::text,
        k.resume::text, k.total_bytes, k.lane_no, k.waited_since, k.run_at,
        k.is_probe, k.need
    FROM claimed_runs k CROSS JOIN new_events LEFT JOIN download_requests d ON d.id = k.id
        LEFT JOIN download_results r ON r.id = k.id;
END $$;

-- Takes up to p_extra further places for a running download, within the room under the gates of its origin, session and
-- app; returns how many. A download of an origin that asked for a pause gets no further streams.
CREATE FUNCTION lull_widen(
    p_replica bigint, p_id uuid, p_fence bigint, p_extra int, p_origin_limit int, p_session_limit int,
    p_app_limit int
) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    o bigint; s bigint; a bigint; n int; k int;
BEGIN
    SELECT q.origin_key, q.session_no, q.app_no INTO o, s, a FROM queue q
        WHERE q.id = p_id AND q.replica_no = p_replica AND q.fence = p_fence;
    IF NOT FOUND THEN RETURN 0; END IF;
    PERFORM lull_lock_gates(ARRAY[o], ARRAY[s], ARRAY[a], '{}');
    SELECT min(z.free), count(*) INTO n, k FROM (
        SELECT coalesce(CASE g.kind WHEN lull_gate('origin') THEN coalesce(g.running_limit, p_origin_limit)
                WHEN lull_gate('session') THEN least(g.running_limit, p_session_limit)
                ELSE least(g.running_limit, p_app_limit) END - g.running, p_extra) AS free,
            lull_not_before(g.not_before, o, a) AS not_before
        FROM (VALUES (lull_gate('origin'), o), (lull_gate('session'), s), (lull_gate('app'), a)) n(kind, key)
        CROSS JOIN LATERAL lull_gate_of(n.kind, n.key) g) z
        WHERE z.not_before <= statement_timestamp();
    n := least(p_extra, n);
    IF k < 3 OR n <= 0 THEN RETURN 0; END IF;
    SELECT least(n, g.per_origin - (SELECT sum(1 + q.extra_streams)::int FROM queue q
            WHERE q.state = lull_state('running') AND q.session_no = s AND q.origin_key = o)) INTO n
        FROM lull_gate_of(lull_gate('session'), s) g;
    IF n <= 0 THEN RETURN 0; END IF;
    -- A download with a pending order ends soon.
    UPDATE queue q SET extra_streams = q.extra_streams + n
        WHERE q.id = p_id AND q.state = lull_state('running') AND q.replica_no = p_replica AND q.fence = p_fence
            AND q.control = lull_order('none') AND q.origin_key = o AND q.session_no = s;
    IF NOT FOUND THEN RETURN 0; END IF;
    UPDATE gates g SET running = g.running + n
        FROM (VALUES (lull_gate('origin'), o), (lull_gate('session'), s), (lull_gate('app'), a)) z(kind, key)
        CROSS JOIN LATERAL lull_gate_place(z.kind, z.key) p
        WHERE g.ctid = p.place;
    RETURN n;
END $$;
