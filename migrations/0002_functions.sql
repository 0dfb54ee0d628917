-- Claim, finish, reap: the statements that move a download. Lock order everywhere:
-- replica, then gates by (kind, key), then queue rows by id.

-- The numbers of event types are those of Core's EventType.

-- The receiver of a webhook URL: scheme and authority.
CREATE FUNCTION lull_receiver(p_url text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT hashtextextended(substring(p_url from '^[a-z]+://[^/?#]*'), 0) $$;

-- Takes due downloads from the lanes given, up to each quota and to the room under both gates.
-- A replica whose lease is over gets SQLSTATE LU001.
CREATE FUNCTION lull_claim(
    p_replica bigint, p_lanes bigint[], p_origins bigint[], p_sessions bigint[], p_quotas int[],
    p_origin_limit int, p_session_limit int, p_total int
) RETURNS TABLE (
    id uuid, fence bigint, attempt int, barren int, sequence int, url text, session text,
    session_no bigint, app_no bigint, origin_key bigint, class smallint, priority double precision,
    created_at timestamptz, earliest_begin_at timestamptz, started_at timestamptz,
    claimed_at timestamptz, deadline timestamptz, expected_bytes bigint, bytes bigint,
    hook text, hook_mask int, control smallint, spec text, resume text
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    gk smallint[]; gkey bigint[]; gfree int[]; t timestamptz := clock_timestamp();
BEGIN
    -- KEY SHARE conflicts with the reaper's FOR UPDATE, not with the heartbeat's UPDATE.
    PERFORM 1 FROM replicas r
        WHERE r.replica_no = p_replica AND r.expires_at > t AND NOT r.draining FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the lease of this replica is over' USING ERRCODE = 'LU001';
    END IF;
    SELECT array_agg(z.kind), array_agg(z.key), array_agg(z.free) INTO gk, gkey, gfree FROM (
        SELECT g.kind, g.key,
            coalesce(g.lim, CASE g.kind WHEN 1 THEN p_origin_limit ELSE p_session_limit END)
                - g.running AS free
        FROM gates g
        WHERE ((g.kind = 1 AND g.key = ANY (p_origins)) OR (g.kind = 2 AND g.key = ANY (p_sessions)))
            AND g.not_before <= t
        ORDER BY g.kind, g.key FOR NO KEY UPDATE) z
        WHERE z.free > 0;
    -- A new statement, hence a snapshot younger than the gates' locks.
    RETURN QUERY
    WITH gt AS MATERIALIZED (SELECT * FROM unnest(gk, gkey, gfree) u(kind, key, free)),
    cand AS MATERIALIZED (
        SELECT c.id, c.run_at, w.ord, w.origin, w.sess, og.free AS ofree, sg.free AS sfree
        FROM unnest(p_lanes, p_origins, p_sessions, p_quotas) WITH ORDINALITY
            w(lane, origin, sess, quota, ord)
        JOIN gt og ON og.kind = 1 AND og.key = w.origin
        JOIN gt sg ON sg.kind = 2 AND sg.key = w.sess
        CROSS JOIN LATERAL (
            SELECT q.id, q.run_at FROM queue q
            WHERE q.state = 0 AND q.lane = w.lane AND q.run_at <= t
            ORDER BY q.run_at, q.id LIMIT least(w.quota, og.free, sg.free)
            FOR NO KEY UPDATE SKIP LOCKED) c),
    pick AS MATERIALIZED (
        SELECT z.id FROM (
            SELECT cand.*, row_number() OVER (PARTITION BY origin ORDER BY ord, run_at) o_rank,
                row_number() OVER (PARTITION BY sess ORDER BY ord, run_at) s_rank,
                row_number() OVER (ORDER BY ord, run_at) t_rank
            FROM cand) z
        WHERE z.o_rank <= z.ofree AND z.s_rank <= z.sfree AND z.t_rank <= p_total),
    taken AS (
        UPDATE queue q SET state = 1, replica_no = p_replica, claimed_at = t, state_since = t,
            fence = q.fence + 1, attempt = q.attempt + 1, sequence = q.sequence + 1
        FROM pick p WHERE q.id = p.id RETURNING q.*),
    counted AS (
        UPDATE gates g SET running = g.running + n.n FROM (
            SELECT 1::smallint kind, k.origin_key key, count(*)::int n FROM taken k GROUP BY 2
            UNION ALL
            SELECT 2::smallint, k.session_no, count(*)::int FROM taken k GROUP BY 2) n
        WHERE g.kind = n.kind AND g.key = n.key),
    begun AS (
        INSERT INTO events (at, session_no, download_id, type, sequence, attempt)
        SELECT t, k.session_no, k.id, 3, k.sequence, k.attempt FROM taken k
        RETURNING events.id, events.download_id),
    told AS (
        INSERT INTO deliveries
            (event_id, download_id, type, at, sequence, event_attempt, lane, url, bytes, total_bytes)
        SELECT b.id, k.id, 3, t, k.sequence, k.attempt, lull_receiver(k.hook), k.hook, k.bytes,
            k.total_bytes
        FROM begun b JOIN taken k ON k.id = b.download_id
        WHERE k.hook IS NOT NULL AND (k.hook_mask & (1 << 3)) <> 0)
    -- LEFT JOIN: a download whose wide row is gone must still come back, to be failed.
    SELECT k.id, k.fence, k.attempt, k.barren, k.sequence, d.url, d.session, k.session_no, d.app_no,
        k.origin_key, k.class, d.priority, d.created_at, d.earliest_begin_at, d.started_at,
        k.claimed_at, k.deadline, k.expected_bytes, k.bytes, k.hook, k.hook_mask, k.control, d.spec::text,
        k.resume::text
    FROM taken k LEFT JOIN downloads d ON d.id = k.id;
END $$;

-- Records how attempts ended; answers the ids whose fence still held.
-- outcome: 1 succeeded, 2 failed, 3 retry at p_run_at, 4 canceled, 5 suspended, 6 attention required.
-- p_cool: an origin's Retry-After, for everybody.
CREATE FUNCTION lull_finish(
    p_replica bigint, p_id uuid[], p_fence bigint[], p_outcome smallint[], p_at timestamptz[],
    p_run_at timestamptz[], p_cool timestamptz[], p_bytes bigint[], p_total bigint[],
    p_barren int[], p_resume text[], p_result text[], p_type smallint[], p_payload text[],
    p_detail text[], p_started timestamptz[], p_origin bigint[], p_session bigint[]
) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    PERFORM 1 FROM gates g
        WHERE (g.kind = 1 AND g.key = ANY (p_origin)) OR (g.kind = 2 AND g.key = ANY (p_session))
        ORDER BY g.kind, g.key FOR NO KEY UPDATE;
    RETURN QUERY
    WITH given AS MATERIALIZED (
        SELECT * FROM unnest(p_id, p_fence, p_outcome, p_at, p_run_at, p_cool, p_bytes, p_total,
            p_barren, p_resume, p_result, p_type, p_payload, p_detail, p_started)
        u(id, fence, outcome, at, run_at, cool, bytes, total, barren, resume, result, type, payload,
            detail, started)),
    -- An order that came while the attempt ended by itself still holds, and a suspend that was taken
    -- back does not; the event of such an end follows from the row, its payload is left out.
    held AS MATERIALIZED (
        SELECT z.*, CASE z.outcome WHEN z.said THEN z.asked_type
                WHEN 4 THEN 11 WHEN 5 THEN 7 ELSE 2 END::smallint AS type,
            CASE z.outcome WHEN z.said THEN z.asked_payload END AS payload,
            CASE z.outcome WHEN z.said THEN z.asked_result ELSE '{}' END AS result,
            CASE z.outcome WHEN z.said THEN z.asked_run_at ELSE z.at END AS run_at
        FROM (
            SELECT q.id, q.fence, q.attempt, q.sequence + 1 AS sequence, q.claimed_at, q.session_no,
                q.origin_key, q.hook, q.hook_mask, i.outcome AS said, i.at,
                i.run_at AS asked_run_at, i.cool, i.bytes, i.total, i.barren, i.resume,
                i.result AS asked_result, i.type AS asked_type, i.payload AS asked_payload, i.detail, i.started,
                CASE WHEN i.outcome IN (3, 5, 6) AND q.control = 1 THEN 4
                    WHEN i.outcome = 3 AND q.control = 2 THEN 5
                    WHEN i.outcome = 5 AND q.control <> 2 THEN 3
                    ELSE i.outcome END::smallint AS outcome
            FROM queue q JOIN given i ON i.id = q.id
            -- A row with a replica is running. Saying so would let the planner take the index of
            -- running rows and read all of them, the dead too, for each of the given ones.
            WHERE q.replica_no = p_replica AND q.fence = i.fence
            ORDER BY q.id FOR UPDATE OF q) z),
    counted AS (
        UPDATE gates g SET running = g.running - n.n,
            not_before = greatest(g.not_before, coalesce(n.cool, '-infinity'))
        FROM (
            SELECT 1::smallint kind, h.origin_key key, count(*)::int n, max(h.cool) cool
            FROM held h GROUP BY 2
            UNION ALL
            SELECT 2::smallint, h.session_no, count(*)::int, NULL FROM held h GROUP BY 2) n
        WHERE g.kind = n.kind AND g.key = n.key),
    gone AS (DELETE FROM queue q USING held h WHERE q.id = h.id AND h.outcome IN (1, 2, 4)),
    kept AS (
        UPDATE queue q SET replica_no = NULL, claimed_at = NULL, control = 0, fence = q.fence + 1,
            state = CASE h.outcome WHEN 3 THEN 0 WHEN 5 THEN 2 ELSE 3 END, state_since = h.at,
            run_at = coalesce(h.run_at, q.run_at), bytes = h.bytes, total_bytes = h.total,
            barren = h.barren, resume = h.resume::jsonb, sequence = h.sequence
        FROM held h WHERE q.id = h.id AND h.outcome IN (3, 5, 6)),
    ended AS (
        UPDATE downloads d SET state = CASE WHEN h.outcome IN (1, 2, 4) THEN h.outcome ELSE 0 END,
            finished_at = CASE WHEN h.outcome IN (1, 2, 4) THEN h.at END,
            bytes = h.bytes, attempts = h.attempt, sequence = h.sequence,
            started_at = coalesce(d.started_at, h.started),
            win_fence = CASE WHEN h.outcome = 1 THEN h.fence END,
            result = h.result::jsonb
        FROM held h WHERE d.id = h.id),
    tried AS (
        INSERT INTO attempts (id, fence, attempt, replica_no, started_at, ended_at, outcome, detail)
        SELECT h.id, h.fence, h.attempt, p_replica, h.claimed_at, h.at, h.outcome, h.detail::jsonb
        FROM held h),
    noted AS (
        INSERT INTO events (at, session_no, download_id, type, sequence, attempt, payload)
        SELECT h.at, h.session_no, h.id, h.type, h.sequence, h.attempt, h.payload FROM held h
        RETURNING events.id, events.download_id),
    told AS (
        INSERT INTO deliveries
            (event_id, download_id, type, at, sequence, event_attempt, lane, url, body, bytes,
                total_bytes)
        SELECT n.id, h.id, h.type, h.at, h.sequence, h.attempt, lull_receiver(h.hook), h.hook,
            h.payload, h.bytes, h.total
        FROM noted n JOIN held h ON h.id = n.download_id
        WHERE h.hook IS NOT NULL AND (h.hook_mask & (1 << h.type)) <> 0)
    SELECT h.id FROM held h;
END $$;

-- Lets downloads that a replica holds wait again; answers how many it held.
CREATE FUNCTION lull_let_go(p_replica bigint, p_ids uuid[]) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    ids uuid[]; os bigint[]; ss bigint[]; n int; t timestamptz := clock_timestamp();
BEGIN
    SELECT array_agg(q.id), array_agg(DISTINCT q.origin_key), array_agg(DISTINCT q.session_no)
        INTO ids, os, ss
        FROM queue q WHERE q.state = 1 AND q.replica_no = p_replica AND q.id = ANY (p_ids);
    IF ids IS NULL THEN RETURN 0; END IF;
    PERFORM 1 FROM gates g
        WHERE (g.kind = 1 AND g.key = ANY (os)) OR (g.kind = 2 AND g.key = ANY (ss))
        ORDER BY g.kind, g.key FOR NO KEY UPDATE;
    -- An order that the replica did not live to carry out is carried out here.
    WITH held AS MATERIALIZED (
        SELECT q.id, q.fence, q.attempt, q.sequence + 1 AS sequence, q.claimed_at, q.session_no,
            q.origin_key, q.bytes, q.total_bytes, q.hook, q.hook_mask, q.control,
            CASE q.control WHEN 1 THEN 11 WHEN 2 THEN 7 ELSE 5 END::smallint AS type
        FROM queue q WHERE q.id = ANY (ids) AND q.state = 1 AND q.replica_no = p_replica
        ORDER BY q.id FOR UPDATE),
    counted AS (
        UPDATE gates g SET running = g.running - n.n FROM (
            SELECT 1::smallint kind, h.origin_key key, count(*)::int n FROM held h GROUP BY 2
            UNION ALL
            SELECT 2::smallint, h.session_no, count(*)::int FROM held h GROUP BY 2) n
        WHERE g.kind = n.kind AND g.key = n.key),
    gone AS (DELETE FROM queue q USING held h WHERE q.id = h.id AND h.control = 1),
    kept AS (
        UPDATE queue q SET state = CASE h.control WHEN 2 THEN 2 ELSE 0 END, control = 0,
            replica_no = NULL, claimed_at = NULL, fence = q.fence + 1, run_at = t, state_since = t,
            barren = q.barren + 1, sequence = h.sequence
        FROM held h WHERE q.id = h.id AND h.control <> 1),
    begun AS (
        UPDATE downloads d SET started_at = coalesce(d.started_at, h.claimed_at)
        FROM held h WHERE d.id = h.id AND h.control <> 1),
    ended AS (
        UPDATE downloads d SET started_at = coalesce(d.started_at, h.claimed_at), state = 4,
            finished_at = t, bytes = h.bytes, attempts = h.attempt, sequence = h.sequence,
            result = '{}'
        FROM held h WHERE d.id = h.id AND h.control = 1),
    tried AS (
        INSERT INTO attempts (id, fence, attempt, replica_no, started_at, ended_at, outcome)
        SELECT h.id, h.fence, h.attempt, p_replica, h.claimed_at, t, 9 FROM held h),
    noted AS (
        INSERT INTO events (at, session_no, download_id, type, sequence, attempt)
        SELECT t, h.session_no, h.id, h.type, h.sequence, h.attempt FROM held h
        RETURNING events.id, events.download_id),
    told AS (
        INSERT INTO deliveries
            (event_id, download_id, type, at, sequence, event_attempt, lane, url, bytes, total_bytes)
        SELECT n.id, h.id, h.type, t, h.sequence, h.attempt, lull_receiver(h.hook), h.hook, h.bytes,
            h.total_bytes
        FROM noted n JOIN held h ON h.id = n.download_id
        WHERE h.hook IS NOT NULL AND (h.hook_mask & (1 << h.type)) <> 0)
    SELECT count(*) INTO n FROM held;
    RETURN n;
END $$;

-- Gives back what a replica ran: its lease is over, or the process that replaced it asks.
-- One batch a call; answers 0, and removes the replica, when nothing is left.
CREATE FUNCTION lull_give_back(p_replica bigint, p_batch int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    ids uuid[];
BEGIN
    -- Waits for a claim that is under way, so that nothing is claimed behind the last look.
    PERFORM 1 FROM replicas r WHERE r.replica_no = p_replica FOR UPDATE;
    SELECT array_agg(z.id) INTO ids FROM (
        SELECT q.id FROM queue q WHERE q.state = 1 AND q.replica_no = p_replica LIMIT p_batch) z;
    IF ids IS NULL THEN
        UPDATE deliveries SET state = 0, replica_no = NULL, fence = fence + 1
            WHERE state = 1 AND replica_no = p_replica;
        DELETE FROM replicas WHERE replica_no = p_replica;
        RETURN 0;
    END IF;
    -- At none there may be more: those of this batch ended by themselves just now.
    RETURN greatest(1, lull_let_go(p_replica, ids));
END $$;

-- What a replica holds for a while and does not run: the answer of its claim was lost.
CREATE FUNCTION lull_let_strays_go(p_replica bigint, p_known uuid[], p_age interval) RETURNS int
LANGUAGE sql AS $$
    SELECT lull_let_go(p_replica, ARRAY(
        SELECT q.id FROM queue q WHERE q.state = 1 AND q.replica_no = p_replica
            AND q.claimed_at < clock_timestamp() - p_age AND q.id <> ALL (p_known) LIMIT 500))
$$;

-- A new process on a data directory: the leases of its predecessors there end now.
CREATE FUNCTION lull_register(p_instance uuid, p_node text, p_lease interval) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    old bigint; mine bigint;
BEGIN
    FOR old IN SELECT replica_no FROM replicas WHERE instance = p_instance FOR UPDATE LOOP
        WHILE lull_give_back(old, 1000) > 0 LOOP END LOOP;
    END LOOP;
    INSERT INTO replicas (instance, node, expires_at)
        VALUES (p_instance, p_node, clock_timestamp() + p_lease) RETURNING replica_no INTO mine;
    RETURN mine;
END $$;

-- Any replica, every few seconds; repeat until it answers 0.
CREATE FUNCTION lull_reap(p_batch int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    late bigint;
BEGIN
    SELECT replica_no INTO late FROM replicas WHERE expires_at < clock_timestamp()
        ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN 0; END IF;
    RETURN greatest(1, lull_give_back(late, p_batch));
END $$;

-- The head of each lane by a loose index scan: a few microseconds a lane whatever the backlog.
CREATE FUNCTION lull_lanes(p_limit int) RETURNS TABLE (
    lane bigint, run_at timestamptz, session_no bigint, session text, origin_key bigint,
    class smallint, rank smallint, origin_running int, origin_limit int, origin_not_before timestamptz,
    session_running int, session_limit int
) LANGUAGE sql STABLE AS $$
    WITH RECURSIVE t AS (
        (SELECT q.lane, q.run_at, q.session_no, q.origin_key, q.class, q.rank FROM queue q
            WHERE q.state = 0 ORDER BY q.lane, q.run_at, q.id LIMIT 1)
        UNION ALL
        SELECT n.* FROM t CROSS JOIN LATERAL (
            SELECT q.lane, q.run_at, q.session_no, q.origin_key, q.class, q.rank FROM queue q
            WHERE q.state = 0 AND q.lane > t.lane ORDER BY q.lane, q.run_at, q.id LIMIT 1) n)
    SELECT t.lane, t.run_at, t.session_no, s.identifier, t.origin_key, t.class, t.rank,
        coalesce(o.running, 0), o.lim, coalesce(o.not_before, '-infinity'),
        coalesce(g.running, 0), g.lim
    FROM (SELECT * FROM t LIMIT p_limit) t
    JOIN sessions s ON s.session_no = t.session_no
    LEFT JOIN gates o ON o.kind = 1 AND o.key = t.origin_key
    LEFT JOIN gates g ON g.kind = 2 AND g.key = t.session_no
$$;

-- Takes due deliveries, at most p_each at once for one receiver.
CREATE FUNCTION lull_claim_deliveries(p_replica bigint, p_each int, p_total int)
RETURNS TABLE (
    delivery_no bigint, event_id uuid, download_id uuid, type smallint, at timestamptz, sequence int,
    event_attempt int, url text, body text, bytes bigint, total_bytes bigint, attempt int,
    fence bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    t timestamptz := clock_timestamp();
BEGIN
    PERFORM 1 FROM replicas r WHERE r.replica_no = p_replica AND r.expires_at > t FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the lease of this replica is over' USING ERRCODE = 'LU001';
    END IF;
    RETURN QUERY
    WITH RECURSIVE l AS (
        (SELECT d.lane FROM deliveries d WHERE d.state = 0 ORDER BY d.lane LIMIT 1)
        UNION ALL
        SELECT n.lane FROM l CROSS JOIN LATERAL (
            SELECT d.lane FROM deliveries d WHERE d.state = 0 AND d.lane > l.lane
            ORDER BY d.lane LIMIT 1) n),
    busy AS MATERIALIZED (
        SELECT d.lane, count(*) AS n FROM deliveries d
        WHERE d.state = 1 AND d.replica_no = p_replica GROUP BY d.lane),
    pick AS MATERIALIZED (
        SELECT c.delivery_no FROM l LEFT JOIN busy b ON b.lane = l.lane
        CROSS JOIN LATERAL (
            SELECT d.delivery_no FROM deliveries d
            WHERE d.state = 0 AND d.lane = l.lane AND d.run_at <= t
            ORDER BY d.run_at, d.delivery_no
            LIMIT greatest(0, p_each - coalesce(b.n, 0))
            FOR UPDATE SKIP LOCKED) c
        LIMIT p_total)
    UPDATE deliveries d SET state = 1, replica_no = p_replica, attempt = d.attempt + 1,
        fence = d.fence + 1
    FROM pick p WHERE d.delivery_no = p.delivery_no
    RETURNING d.delivery_no, d.event_id, d.download_id, d.type, d.at, d.sequence, d.event_attempt,
        d.url, d.body, d.bytes, d.total_bytes, d.attempt, d.fence;
END $$;
