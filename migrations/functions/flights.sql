-- Flights: one download, the leader, receives the bytes for all downloads that have joined it, its followers. Lock
-- order: the advisory locks of flights, then queue rows by id, then flight_ends, then as in lanes.sql. A transaction
-- that handles the followers of an end waits for no row of the queue. A download joins under a key share lock on its
-- leader's row, and every statement by which a leader stops leading locks this row exclusively: a query for followers
-- behind it sees all of them.

-- The advisory lock of a flight.
CREATE FUNCTION lull_flight_lock(p_flight uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT hashtextextended(p_flight::text, 5498) $$;

-- Locks the downloads that lead the given flights until the commit; returns them, at most 32 of each. Of two
-- transactions with one flight the second waits for the first.
CREATE FUNCTION lull_hold_flights(p_flights uuid[]) RETURNS uuid[] LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    ids uuid[];
BEGIN
    PERFORM pg_advisory_xact_lock(z.lock) FROM (
        SELECT DISTINCT lull_flight_lock(u.flight) AS lock FROM unnest(p_flights) u(flight) ORDER BY 1) z;
    -- A new statement sees the rows that were committed before the locks.
    ids := ARRAY(SELECT z.id FROM (SELECT DISTINCT u.flight FROM unnest(p_flights) u(flight)) f
        CROSS JOIN LATERAL (
            SELECT q.id FROM queue q
            WHERE q.flight = f.flight AND q.joined_to IS NULL
                AND q.state IN (lull_state('waiting'), lull_state('running'))
            ORDER BY q.id LIMIT 32) z);
    RETURN ARRAY(SELECT q.id FROM queue q WHERE q.id = ANY (ids) ORDER BY q.id FOR KEY SHARE);
END $$;

-- Gives downloads that this transaction has stored their flights, and lets the waiting ones join a leader that begins
-- at the same instant: one of p_held, or the first of the stored downloads. Returns the joined downloads with their
-- leaders.
CREATE FUNCTION lull_join_flights(p_ids uuid[], p_flights uuid[], p_held uuid[])
RETURNS TABLE (id uuid, joined_to uuid) LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    t timestamptz := clock_timestamp();
BEGIN
    RETURN QUERY
    WITH given AS MATERIALIZED (
        SELECT u.id, u.flight, greatest(q.run_at, t) AS begins, q.state = lull_state('waiting') AS waits
        FROM unnest(p_ids, p_flights) u(id, flight) JOIN queue q ON q.id = u.id),
    held AS MATERIALIZED (
        SELECT DISTINCT ON (q.flight, 2) q.flight,
            CASE WHEN q.state = lull_state('waiting') AND q.attempt = 0 THEN greatest(q.run_at, t) ELSE t END
                AS begins, q.id
        FROM queue q
        WHERE q.id = ANY (p_held) AND q.joined_to IS NULL AND q.flight IS NOT NULL
            AND q.state IN (lull_state('waiting'), lull_state('running'))
        ORDER BY 1, 2, 3),
    leaders AS MATERIALIZED (
        SELECT DISTINCT ON (g.flight, g.begins) g.flight, g.begins, coalesce(h.id, g.id) AS id
        FROM given g LEFT JOIN held h ON h.flight = g.flight AND h.begins = g.begins
        WHERE g.waits ORDER BY g.flight, g.begins, g.id),
    -- Joined at once: each download that led first would leave an entry in the index of leaders.
    written_rows AS (
        UPDATE queue q SET flight = g.flight, joined_to = CASE WHEN l.id <> g.id THEN l.id END,
            state = CASE WHEN l.id <> g.id THEN lull_state('joined') ELSE q.state END
        FROM given g LEFT JOIN leaders l ON g.waits AND l.flight = g.flight AND l.begins = g.begins
        WHERE q.id = g.id RETURNING q.id, q.joined_to)
    SELECT w.id, w.joined_to FROM written_rows w WHERE w.joined_to IS NOT NULL;
END $$;

-- Notes for downloads that have stopped leading how their followers continue. Every statement that stops a download
-- calls this afterwards, with the row locked.
--
-- p_resume: the resume point of a leader that left the queue. p_fence: the fences of the attempts.
CREATE FUNCTION lull_end_flights(
    p_ids uuid[], p_resume jsonb[] DEFAULT NULL, p_fence bigint[] DEFAULT NULL
) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM queue f WHERE f.joined_to = ANY (p_ids)) THEN RETURN; END IF;
    INSERT INTO flight_ends (leader, kind, fence, length, total_bytes, result, resume)
    SELECT z.id, z.kind,
        CASE WHEN z.kind = lull_flight_end('succeeded') THEN z.fence END,
        CASE WHEN z.kind = lull_flight_end('succeeded') THEN z.bytes END,
        CASE WHEN z.kind = lull_flight_end('passed') THEN (z.resume->>'total')::bigint END,
        CASE WHEN z.kind = lull_flight_end('succeeded') THEN z.result END,
        CASE WHEN z.kind = lull_flight_end('passed') AND lull_is_resumable(z.resume)
            THEN (z.resume - 'mirrors')
                || jsonb_build_object('source', coalesce(z.resume->>'source', replace(z.id::text, '-', ''))) END
    FROM (
        SELECT d.id, u.fence, d.bytes, d.result,
            CASE WHEN q.flight IS NOT NULL OR d.state IS NOT NULL
                THEN coalesce(u.resume, q.resume) END AS resume,
            CASE WHEN d.state = lull_state('succeeded') THEN lull_flight_end('succeeded')
                -- The followers of a leader that only ran out of its own time, or was ended by its client, get a new
                -- leader.
                WHEN d.state = lull_state('failed') AND d.result->'error'->>'code' IS DISTINCT FROM 'timed_out'
                    OR q.state = lull_state('attention_required') THEN lull_flight_end('failed')
                ELSE lull_flight_end('passed') END AS kind
        FROM unnest(p_ids, p_resume, p_fence) u(id, resume, fence)
        JOIN downloads d ON d.id = u.id LEFT JOIN queue q ON q.id = u.id
        WHERE (d.state IS NOT NULL OR q.state > lull_state('running') OR q.flight IS NULL)
            AND EXISTS (SELECT 1 FROM queue f WHERE f.joined_to = u.id)
        ORDER BY d.id) z
    ON CONFLICT (leader) DO UPDATE SET kind = excluded.kind, due_at = excluded.due_at, fence = excluded.fence,
        length = excluded.length, total_bytes = excluded.total_bytes, heir = NULL,
        result = excluded.result, resume = excluded.resume;
END $$;

-- The finished downloads among the given ones whose files are kept in a place of Lull's, so that others can share them.
CREATE FUNCTION lull_shareable(p_ids uuid[]) RETURNS TABLE (id uuid, fence bigint, length bigint, result jsonb)
LANGUAGE sql STABLE AS $$
    SELECT c.id, c.fence, c.length, r.result
    FROM contents c JOIN download_results r ON r.id = c.id AND r.content_fence = c.fence
    WHERE c.id = ANY (p_ids) AND c.phase < lull_content_phase('released') AND r.state = lull_state('succeeded')
        AND r.result #> '{content,destination}' IS NULL AND r.result #> '{content,changed}' IS NULL
$$;

-- Lets downloads whose attempts found the known content join the ended ones that have it, with the given fences of
-- these attempts. A download whose file is not kept any more stays as it is, and is fetched again.
CREATE FUNCTION lull_join_ended(p_ids uuid[], p_leaders uuid[], p_fences bigint[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    INSERT INTO flight_ends (leader, kind, fence, length, result)
        SELECT s.id, lull_flight_end('succeeded'), s.fence, s.length, s.result FROM lull_shareable(p_leaders) s
        ORDER BY s.id
    ON CONFLICT (leader) DO UPDATE SET kind = excluded.kind, due_at = excluded.due_at, fence = excluded.fence,
        length = excluded.length, result = excluded.result, total_bytes = NULL, heir = NULL, resume = NULL;
    UPDATE queue q SET state = lull_state('joined'), joined_to = u.leader
    FROM unnest(p_ids, p_leaders, p_fences) u(id, leader, fence)
    WHERE q.id = u.id AND q.fence = u.fence + 1 AND q.state = lull_state('waiting')
        AND EXISTS (SELECT 1 FROM flight_ends e
            WHERE e.leader = u.leader AND e.kind = lull_flight_end('succeeded'));
END $$;

-- Makes followers wait on their own with a new fence: none of their attempts may have the fence of a file that was
-- shared with them.
CREATE FUNCTION lull_part_flight(p_ids uuid[], p_flight uuid, p_resume jsonb, p_total bigint) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    UPDATE queue q SET state = lull_state('waiting'), joined_to = NULL, flight = p_flight, fence = q.fence + 1,
        state_since = greatest(c.t, q.state_since), run_at = greatest(c.t, d.earliest_begin_at, q.wake_until),
        resume = p_resume, total_bytes = p_total
    FROM download_requests d, (SELECT clock_timestamp() AS t) c
    WHERE q.id = ANY (p_ids) AND d.id = q.id;
    PERFORM lull_enter_rows(p_ids);
END $$;

-- Returns the ends of leaders that a data directory can handle: successes whose file it has, and all ends that need no
-- file.
CREATE FUNCTION lull_due_flights(p_instance uuid, p_limit int) RETURNS TABLE (
    leader uuid, kind smallint, instance uuid, fence bigint, length bigint, result text
) LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT e.leader, CASE WHEN e.kind = lull_flight_end('succeeded') AND c.id IS NULL
            THEN lull_flight_end('failed') ELSE e.kind END, c.instance, e.fence, e.length, e.result::text
    FROM flight_ends e LEFT JOIN contents c ON c.id = e.leader AND c.fence = e.fence
        AND c.phase <> lull_content_phase('lost')
    WHERE e.due_at <= statement_timestamp()
        AND (e.kind <> lull_flight_end('succeeded') OR c.id IS NULL OR c.instance = p_instance)
    ORDER BY e.due_at LIMIT p_limit;
END $$;

-- Lets the followers of an ended leader continue on their own, at most p_limit; returns how many. Each then has its own
-- attempts: the leader's failure may not concern them.
CREATE FUNCTION lull_release_flight(p_leader uuid, p_limit int) RETURNS int LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    ids uuid[];
BEGIN
    PERFORM 1 FROM flight_ends e WHERE e.leader = p_leader FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN 0; END IF;
    ids := ARRAY(SELECT q.id FROM queue q WHERE q.joined_to = p_leader
        ORDER BY q.joined_to, q.id LIMIT p_limit FOR UPDATE SKIP LOCKED);
    PERFORM lull_part_flight(ids, NULL, NULL, NULL);
    PERFORM lull_close_flight(p_leader);
    RETURN cardinality(ids);
END $$;

-- Lets followers continue on their own if the content of their leader does not meet their requirements; returns how
-- many.
CREATE FUNCTION lull_leave_flight(p_leader uuid, p_ids uuid[]) RETURNS int LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    ids uuid[];
BEGIN
    ids := ARRAY(SELECT q.id FROM queue q WHERE q.id = ANY (p_ids) AND q.joined_to = p_leader
        ORDER BY q.id FOR UPDATE SKIP LOCKED);
    PERFORM lull_part_flight(ids, NULL, NULL, NULL);
    RETURN cardinality(ids);
END $$;

-- Makes the first follower of a leader that left the new leader, with its bytes, and lets p_limit others follow the new
-- one; returns how many changed.
CREATE FUNCTION lull_pass_flight(p_leader uuid, p_limit int) RETURNS int LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    e flight_ends; next_id uuid; its_flight uuid; ids uuid[]; n int := 0;
BEGIN
    SELECT x.* INTO e FROM flight_ends x WHERE x.leader = p_leader FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN 0; END IF;
    SELECT q.id INTO next_id FROM queue q
        WHERE q.id = e.heir AND q.joined_to IS NULL AND q.flight IS NOT NULL
            AND q.state IN (lull_state('waiting'), lull_state('running'))
        FOR KEY SHARE SKIP LOCKED;
    IF next_id IS NULL AND EXISTS (SELECT 1 FROM queue q
        WHERE q.id = e.heir AND q.joined_to IS NULL AND q.flight IS NOT NULL
            AND q.state IN (lull_state('waiting'), lull_state('running'))) THEN
        -- Another transaction has locked the row for a moment.
        UPDATE flight_ends x SET due_at = clock_timestamp() + interval '100 milliseconds' WHERE x.leader = p_leader;
        RETURN 0;
    END IF;
    IF next_id IS NULL THEN
        SELECT q.id, q.flight INTO next_id, its_flight FROM queue q WHERE q.joined_to = p_leader
            ORDER BY q.joined_to, q.id LIMIT 1 FOR UPDATE SKIP LOCKED;
        IF next_id IS NOT NULL THEN
            PERFORM lull_part_flight(ARRAY[next_id], its_flight, e.resume, e.total_bytes);
            UPDATE flight_ends x SET heir = next_id WHERE x.leader = p_leader;
            n := 1;
        END IF;
    END IF;
    ids := ARRAY(SELECT q.id FROM queue q WHERE q.joined_to = p_leader
        ORDER BY q.joined_to, q.id LIMIT p_limit FOR UPDATE SKIP LOCKED);
    IF next_id IS NOT NULL THEN
        UPDATE queue q SET joined_to = next_id WHERE q.id = ANY (ids);
        n := n + cardinality(ids);
    END IF;
    PERFORM lull_close_flight(p_leader);
    RETURN n;
END $$;

-- Removes the end of a leader once it is handled: it has no follower left, and no heir that still has to copy its
-- bytes.
CREATE FUNCTION lull_close_flight(p_leader uuid) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    -- A download that joins at this moment holds the end; a new statement then sees its row.
    PERFORM 1 FROM flight_ends e WHERE e.leader = p_leader FOR UPDATE;
    IF EXISTS (SELECT 1 FROM queue q WHERE q.joined_to = p_leader) THEN RETURN; END IF;
    DELETE FROM flight_ends e WHERE e.leader = p_leader AND NOT EXISTS (
        SELECT 1 FROM queue h WHERE h.id = e.heir AND e.resume IS NOT NULL
            AND h.resume->>'source' = e.resume->>'source');
    UPDATE flight_ends e SET due_at = clock_timestamp() + interval '1 minute' WHERE e.leader = p_leader;
END $$;

-- Ends followers with the content of their leader: the file of each exists under its own name, with the given fence.
-- Returns the ended ones; the others have changed meanwhile.
CREATE FUNCTION lull_land_flight(
    p_leader uuid, p_instance uuid, p_ids uuid[], p_fences bigint[], p_results jsonb[], p_expires timestamptz[],
    p_warn timestamptz[], p_length bigint
) RETURNS TABLE (id uuid) LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH given AS MATERIALIZED (
        SELECT * FROM unnest(p_ids, p_fences, p_results, p_expires, p_warn) u(id, fence, result, expires_at, warn_at)),
    locked_rows AS MATERIALIZED (
        SELECT q.id, q.app_no, q.session_no, q.attempt, q.sequence + 1 AS sequence, q.webhook_url, q.webhook_events,
            greatest(clock_timestamp(), q.state_since) AS at, i.fence, i.result, i.expires_at, i.warn_at
        FROM queue q JOIN given i ON i.id = q.id
        WHERE q.joined_to = p_leader AND q.state = lull_state('joined') AND q.fence + 1 = i.fence
        ORDER BY q.id FOR UPDATE OF q SKIP LOCKED),
    ended_rows AS (DELETE FROM queue q USING locked_rows h WHERE q.id = h.id),
    counted_ends AS (
        INSERT INTO queued_counts (app_no, change)
        SELECT h.app_no, -count(*) FROM locked_rows h GROUP BY 1),
    erased_secrets AS (DELETE FROM download_secrets s USING locked_rows h WHERE s.id = h.id),
    kept_results AS MATERIALIZED (
        SELECT lull_keep_results(array_agg(ROW(h.id, h.at, NULL, p_length, h.fence, h.attempt, h.sequence,
            lull_state('succeeded'), h.result, h.app_no)::download_results))
        FROM locked_rows h),
    content_rows AS (
        INSERT INTO contents (id, instance, fence, length, expires_at, due_at)
        SELECT h.id, p_instance, h.fence, p_length, h.expires_at, h.warn_at FROM locked_rows h),
    new_events AS MATERIALIZED (
        SELECT lull_record_events(array_agg(ROW(h.at, h.session_no, h.id, lull_event_type('succeeded'), h.sequence,
            h.attempt, NULL, p_length, p_length, h.webhook_url, h.webhook_events)::new_event))
        FROM locked_rows h CROSS JOIN kept_results)
    SELECT h.id FROM locked_rows h CROSS JOIN new_events;
END $$;

-- Notes the missing ends of downloads that have followers and do not lead any more, of at most p_limit followers'
-- leaders; returns how many. A number above 0 means that a statement forgot to call lull_end_flights.
CREATE FUNCTION lull_audit_flights(p_limit int) RETURNS int LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    n int;
BEGIN
    WITH RECURSIVE leaders AS (
        (SELECT q.joined_to AS id, 1 AS place FROM queue q WHERE q.joined_to IS NOT NULL ORDER BY q.joined_to LIMIT 1)
        UNION ALL
        SELECT (SELECT q.joined_to FROM queue q WHERE q.joined_to > l.id ORDER BY q.joined_to LIMIT 1), l.place + 1
        FROM leaders l WHERE l.id IS NOT NULL AND l.place < p_limit)
    INSERT INTO flight_ends (leader, kind)
    SELECT l.id, lull_flight_end('failed') FROM leaders l
    WHERE l.id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM queue q
            WHERE q.id = l.id AND q.joined_to IS NULL AND q.flight IS NOT NULL
                AND q.state IN (lull_state('waiting'), lull_state('running')))
        AND NOT EXISTS (SELECT 1 FROM flight_ends e WHERE e.leader = l.id)
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;
