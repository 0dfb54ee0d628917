-- Several streams for one large file: each counts under the limits of its origin and its session.

-- Places that a running download holds beside its own; given back with it.
ALTER TABLE queue ADD COLUMN extra int NOT NULL DEFAULT 0 CHECK (extra >= 0);

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
        SELECT coalesce(g.lim, CASE g.kind WHEN 1 THEN p_origin_limit ELSE p_session_limit END)
                - g.running AS free, g.not_before
        FROM gates g WHERE (g.kind = 1 AND g.key = o) OR (g.kind = 2 AND g.key = s)
        ORDER BY g.kind, g.key FOR NO KEY UPDATE) z
        WHERE z.not_before <= clock_timestamp();
    n := least(p_extra, n);
    IF k < 2 OR n <= 0 THEN RETURN 0; END IF;
    -- An order that waits ends it soon.
    UPDATE queue q SET extra = q.extra + n
        WHERE q.id = p_id AND q.state = 1 AND q.replica_no = p_replica AND q.fence = p_fence
            AND q.control = 0 AND q.origin_key = o AND q.session_no = s;
    IF NOT FOUND THEN RETURN 0; END IF;
    UPDATE gates g SET running = g.running + n
        WHERE (g.kind = 1 AND g.key = o) OR (g.kind = 2 AND g.key = s);
    RETURN n;
END $$;

-- As before, and further places are given back with the download's own.
CREATE OR REPLACE FUNCTION lull_finish(
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
                q.origin_key, q.extra, q.hook, q.hook_mask, i.outcome AS said, i.at,
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
            SELECT 1::smallint kind, h.origin_key key, sum(1 + h.extra)::int n, max(h.cool) cool
            FROM held h GROUP BY 2
            UNION ALL
            SELECT 2::smallint, h.session_no, sum(1 + h.extra)::int, NULL FROM held h GROUP BY 2) n
        WHERE g.kind = n.kind AND g.key = n.key),
    gone AS (DELETE FROM queue q USING held h WHERE q.id = h.id AND h.outcome IN (1, 2, 4)),
    kept AS (
        UPDATE queue q SET replica_no = NULL, claimed_at = NULL, control = 0, extra = 0,
            fence = q.fence + 1,
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

-- As before, and further places are given back with the download's own.
CREATE OR REPLACE FUNCTION lull_let_go(p_replica bigint, p_ids uuid[]) RETURNS int LANGUAGE plpgsql AS $$
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
            q.origin_key, q.extra, q.bytes, q.total_bytes, q.hook, q.hook_mask, q.control,
            CASE q.control WHEN 1 THEN 11 WHEN 2 THEN 7 ELSE 5 END::smallint AS type
        FROM queue q WHERE q.id = ANY (ids) AND q.state = 1 AND q.replica_no = p_replica
        ORDER BY q.id FOR UPDATE),
    counted AS (
        UPDATE gates g SET running = g.running - n.n FROM (
            SELECT 1::smallint kind, h.origin_key key, sum(1 + h.extra)::int n FROM held h GROUP BY 2
            UNION ALL
            SELECT 2::smallint, h.session_no, sum(1 + h.extra)::int FROM held h GROUP BY 2) n
        WHERE g.kind = n.kind AND g.key = n.key),
    gone AS (DELETE FROM queue q USING held h WHERE q.id = h.id AND h.control = 1),
    erased AS (DELETE FROM download_secrets s USING held h WHERE s.id = h.id AND h.control = 1),
    kept AS (
        UPDATE queue q SET state = CASE h.control WHEN 2 THEN 2 ELSE 0 END, control = 0,
            replica_no = NULL, claimed_at = NULL, extra = 0, fence = q.fence + 1, run_at = t, state_since = t,
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
