-- How attempts end. Lock order: gates by (kind, key), then queue rows by id.
-- The numbers of event types are those of Core's EventType.

-- Records how attempts ended; answers those whose fence still held, and which of them were recorded. One is not
-- when p_sequence is not the next number of its download: a client has changed the row meanwhile, and p_payload
-- and p_run_at do not know of that.
-- outcome: 1 succeeded, 2 failed, 3 retry at p_run_at, 4 canceled, 5 suspended, 6 attention required.
-- p_cool: an origin's Retry-After, for everybody. p_next: where not null, the origin of the next mirror, to
-- whose lane a row that stays moves.
CREATE FUNCTION lull_finish(
    p_replica bigint, p_id uuid[], p_fence bigint[], p_outcome smallint[], p_at timestamptz[],
    p_run_at timestamptz[], p_cool timestamptz[], p_bytes bigint[], p_total bigint[],
    p_attempts_without_progress int[], p_resume text[], p_result text[], p_type smallint[], p_payload text[],
    p_detail text[], p_started timestamptz[], p_origin bigint[], p_session bigint[],
    p_next text[], p_sequence int[]
) RETURNS TABLE (id uuid, is_recorded boolean) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    PERFORM 1 FROM gates g
        WHERE (g.kind = 1 AND g.key = ANY (p_origin)) OR (g.kind = 2 AND g.key = ANY (p_session))
        ORDER BY g.kind, g.key FOR NO KEY UPDATE;
    RETURN QUERY
    WITH given AS MATERIALIZED (
        SELECT u.*, o.origin_key AS next FROM unnest(p_id, p_fence, p_outcome, p_at, p_run_at, p_cool, p_bytes, p_total,
            p_attempts_without_progress, p_resume, p_result, p_type, p_payload, p_detail, p_started, p_next,
            p_sequence)
        u(id, fence, outcome, at, run_at, cool, bytes, total, attempts_without_progress, resume, result, type, payload,
            detail, started, next_origin, sequence)
        LEFT JOIN origins o ON o.origin = u.next_origin),
    -- An order that came while the attempt ended by itself still holds, and a suspend that was taken
    -- back does not; the event of such an end follows from the row, its payload is left out.
    found_runs AS MATERIALIZED (
        SELECT z.*, CASE z.outcome WHEN z.said THEN z.asked_type
                WHEN 4 THEN 11 WHEN 5 THEN 7 ELSE 2 END::smallint AS type,
            CASE z.outcome WHEN z.said THEN z.asked_payload END AS payload,
            CASE z.outcome WHEN z.said THEN z.asked_result ELSE '{}' END AS result,
            CASE z.outcome WHEN z.said THEN z.asked_run_at ELSE z.at END AS run_at
        FROM (
            SELECT q.id, q.fence, q.attempt, q.sequence + 1 AS sequence, q.claimed_at, q.session_no,
                q.origin_key, q.extra_streams, q.webhook_url, q.webhook_events, i.outcome AS said,
                greatest(i.at, q.state_since, q.measured_at) AS at,
                i.run_at AS asked_run_at, i.cool, i.bytes, i.total, i.attempts_without_progress, i.resume,
                i.result AS asked_result, i.type AS asked_type, i.payload AS asked_payload, i.detail, i.started,
                i.next, q.sequence + 1 = i.sequence AS is_recorded,
                CASE WHEN i.outcome IN (3, 5, 6) AND q.control = 1 THEN 4
                    WHEN i.outcome = 3 AND q.control = 2 THEN 5
                    WHEN i.outcome = 5 AND q.control <> 2 THEN 3
                    ELSE i.outcome END::smallint AS outcome
            FROM queue q JOIN given i ON i.id = q.id
            -- A row with a replica is running. Saying so would let the planner take the index of
            -- running rows and read all of them, the dead too, for each of the given ones.
            WHERE q.replica_no = p_replica AND q.fence = i.fence
            ORDER BY q.id FOR UPDATE OF q) z),
    locked_runs AS MATERIALIZED (SELECT * FROM found_runs WHERE is_recorded),
    counted AS (
        UPDATE gates g SET running = g.running - n.n,
            not_before = greatest(g.not_before, coalesce(n.cool, '-infinity'))
        FROM (
            SELECT 1::smallint kind, h.origin_key key, sum(1 + h.extra_streams)::int n, max(h.cool) cool
            FROM locked_runs h GROUP BY 2
            UNION ALL
            SELECT 2::smallint, h.session_no, sum(1 + h.extra_streams)::int, NULL FROM locked_runs h GROUP BY 2) n
        WHERE g.kind = n.kind AND g.key = n.key),
    gone AS (DELETE FROM queue q USING locked_runs h WHERE q.id = h.id AND h.outcome IN (1, 2, 4)),
    kept AS (
        UPDATE queue q SET replica_no = NULL, claimed_at = NULL, control = 0, extra_streams = 0,
            fence = q.fence + 1,
            state = CASE h.outcome WHEN 3 THEN 0 WHEN 5 THEN 2 ELSE 3 END, state_since = h.at,
            origin_key = coalesce(h.next, q.origin_key),
            lane = CASE WHEN h.next IS NULL THEN q.lane
                ELSE lull_lane(q.session_no, h.next, q.class, q.rank) END,
            run_at = CASE h.outcome WHEN 3 THEN greatest(coalesce(h.run_at, q.run_at), d.earliest_begin_at)
                ELSE coalesce(h.run_at, q.run_at) END,
            bytes_per_second = NULL, measured_at = NULL, bytes = h.bytes, total_bytes = h.total,
            attempts_without_progress = h.attempts_without_progress, resume = h.resume::jsonb, sequence = h.sequence
        FROM locked_runs h LEFT JOIN downloads d ON d.id = h.id
        WHERE q.id = h.id AND h.outcome IN (3, 5, 6)),
    ended AS (
        UPDATE downloads d SET state = CASE WHEN h.outcome IN (1, 2, 4) THEN h.outcome ELSE 0 END,
            finished_at = CASE WHEN h.outcome IN (1, 2, 4) THEN h.at END,
            bytes = h.bytes, attempts = h.attempt, sequence = h.sequence,
            started_at = coalesce(d.started_at, h.started),
            content_fence = CASE WHEN h.outcome = 1 THEN h.fence END,
            result = h.result::jsonb
        FROM locked_runs h WHERE d.id = h.id),
    new_attempts AS (
        INSERT INTO attempts (id, fence, attempt, replica_no, started_at, ended_at, outcome, detail)
        SELECT h.id, h.fence, h.attempt, p_replica, h.claimed_at, h.at, h.outcome, h.detail::jsonb
        FROM locked_runs h),
    new_events AS (
        INSERT INTO events (at, session_no, download_id, type, sequence, attempt, payload)
        SELECT h.at, h.session_no, h.id, h.type, h.sequence, h.attempt, h.payload FROM locked_runs h
        RETURNING events.id, events.download_id),
    new_deliveries AS (
        INSERT INTO deliveries
            (event_id, download_id, session_no, type, at, sequence, event_attempt, lane, url, body, bytes,
                total_bytes)
        SELECT n.id, h.id, h.session_no, h.type, h.at, h.sequence, h.attempt, lull_receiver(h.webhook_url),
            h.webhook_url, h.payload, h.bytes, h.total
        FROM new_events n JOIN locked_runs h ON h.id = n.download_id
        WHERE h.webhook_url IS NOT NULL AND (h.webhook_events & (1 << h.type)) <> 0)
    SELECT f.id, f.is_recorded FROM found_runs f;
END $$;
