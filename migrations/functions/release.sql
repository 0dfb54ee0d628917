-- Releasing the work of a replica: after a lost lease, a restart or a lost answer of a claim.

-- Returns the downloads of a replica to the queue; returns how many it held. Further places are given back with the
-- download's own; the secrets of a download that was asked to be canceled are deleted.
CREATE FUNCTION lull_release_runs(p_replica bigint, p_ids uuid[]) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    ids uuid[]; os bigint[]; ss bigint[]; cs bigint[]; n int; t timestamptz := clock_timestamp();
BEGIN
    SELECT array_agg(q.id), array_agg(DISTINCT q.origin_key), array_agg(DISTINCT q.session_no),
            array_agg(DISTINCT q.app_no)
        INTO ids, os, ss, cs
        FROM queue q
        WHERE q.state = lull_state('running') AND q.replica_no = p_replica AND q.id = ANY (p_ids);
    IF ids IS NULL THEN RETURN 0; END IF;
    PERFORM lull_lock_gates(os, ss, cs, ARRAY[p_replica]);
    t := clock_timestamp();
    -- An order that the replica did not carry out before its end is carried out here.
    WITH locked_runs AS MATERIALIZED (
        SELECT q.id, q.fence, q.attempt, q.sequence + 1 AS sequence, q.claimed_at, q.session_no,
            q.app_no, q.origin_key, q.extra_streams, q.bytes, q.total_bytes, q.webhook_url, q.webhook_events, q.control,
            q.control = lull_order('cancel') AS is_end,
            greatest(t, q.state_since, q.measured_at) AS at, q.budget_holds, q.budget_counted,
            CASE q.control WHEN lull_order('cancel') THEN lull_event_type('canceled')
                WHEN lull_order('suspend') THEN lull_event_type('suspended')
                ELSE lull_event_type('retry_scheduled') END AS type
        FROM queue q
        WHERE q.id = ANY (ids) AND q.state = lull_state('running') AND q.replica_no = p_replica
            -- A download that ended meanwhile and was claimed again may use a mirror whose gate is not locked.
            AND q.origin_key = ANY (os)
        ORDER BY q.id FOR UPDATE),
    closed_budgets AS MATERIALIZED (
        SELECT lull_close_budgets(array_agg(ROW(h.budget_holds, h.budget_counted, NULL, NULL)::budget_end))
        FROM locked_runs h WHERE h.budget_holds IS NOT NULL),
    counted_gates AS (
        UPDATE gates g SET running = g.running - n.n FROM (
            SELECT lull_gate('origin') AS kind, h.origin_key AS key, sum(1 + h.extra_streams)::int AS n
            FROM locked_runs h GROUP BY 2
            UNION ALL
            SELECT lull_gate('session'), h.session_no, sum(1 + h.extra_streams)::int FROM locked_runs h GROUP BY 2
            UNION ALL
            SELECT lull_gate('app'), h.app_no, sum(1 + h.extra_streams)::int FROM locked_runs h GROUP BY 2
            UNION ALL
            SELECT lull_gate('deployment'), p_replica, count(*)::int FROM locked_runs h HAVING count(*) > 0) n
        CROSS JOIN LATERAL lull_gate_place(n.kind, n.key) p
        WHERE g.ctid = p.place),
    ended_rows AS (DELETE FROM queue q USING locked_runs h WHERE q.id = h.id AND h.is_end),
    counted_ends AS (
        INSERT INTO queued_counts (app_no, change)
        SELECT h.app_no, -count(*) FROM locked_runs h WHERE h.is_end GROUP BY 1),
    erased_secrets AS (DELETE FROM download_secrets s USING locked_runs h WHERE s.id = h.id AND h.is_end),
    waiting_rows AS (
        UPDATE queue q SET
            state = CASE h.control WHEN lull_order('suspend') THEN lull_state('suspended')
                ELSE lull_state('waiting') END,
            control = lull_order('none'),
            replica_no = NULL, claimed_at = NULL, extra_streams = 0, fence = q.fence + 1,
            budget_holds = NULL, budget_counted = NULL,
            run_at = greatest(h.at, d.earliest_begin_at), state_since = h.at,
            bytes_per_second = NULL, measured_at = NULL,
            attempts_without_progress = q.attempts_without_progress + 1, sequence = h.sequence
        FROM locked_runs h LEFT JOIN download_requests d ON d.id = h.id
        WHERE q.id = h.id AND NOT h.is_end),
    kept_results AS MATERIALIZED (
        SELECT lull_keep_results(array_agg(ROW(h.id, CASE WHEN h.is_end THEN h.at END, h.claimed_at, h.bytes, NULL,
            h.attempt, h.sequence,
            CASE WHEN h.is_end THEN lull_state('canceled') END,
            CASE WHEN h.is_end THEN '{}' ELSE r.result END, h.app_no)::download_results))
        FROM locked_runs h LEFT JOIN download_results r ON r.id = h.id),
    new_attempts AS (
        INSERT INTO attempts (id, fence, attempt, replica_no, started_at, ended_at, outcome)
        SELECT h.id, h.fence, h.attempt, p_replica, h.claimed_at, h.at, lull_outcome('given_back') FROM locked_runs h),
    new_events AS MATERIALIZED (
        SELECT lull_record_events(array_agg(ROW(h.at, h.session_no, h.id, h.type, h.sequence, h.attempt, NULL,
            h.bytes, h.total_bytes, h.webhook_url, h.webhook_events)::new_event))
        -- Counters are locked before receivers.
        FROM locked_runs h CROSS JOIN closed_budgets CROSS JOIN kept_results)
    SELECT count(*) INTO n FROM locked_runs CROSS JOIN new_events;
    PERFORM lull_end_flights(ids);
    PERFORM lull_enter_rows(ids);
    RETURN n;
END $$;

-- Releases the runs of a replica whose lease is over, or which a new process replaces. It handles one batch a call;
-- returns 0, and removes the replica, when no run is left.
CREATE FUNCTION lull_release_replica(p_replica bigint, p_batch int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    ids uuid[];
BEGIN
    -- Waits for a claim in progress, so that no download is claimed behind the last batch.
    PERFORM 1 FROM replicas r WHERE r.replica_no = p_replica FOR UPDATE;
    SELECT array_agg(z.id) INTO ids FROM (
        SELECT q.id FROM queue q
        WHERE q.state = lull_state('running') AND q.replica_no = p_replica LIMIT p_batch) z;
    IF ids IS NULL THEN
        PERFORM lull_release_deliveries(p_replica, '{}', false);
        UPDATE instances i SET last_seen_at = clock_timestamp()
            FROM replicas r WHERE r.replica_no = p_replica AND i.instance = r.instance;
        DELETE FROM gates g WHERE g.kind = lull_gate('deployment') AND g.key = p_replica;
        DELETE FROM gate_keys g WHERE g.kind = lull_gate('deployment') AND g.key = p_replica;
        DELETE FROM replicas WHERE replica_no = p_replica;
        RETURN 0;
    END IF;
    -- Never 0 here: more runs may be left even if all of this batch ended by themselves just now.
    RETURN greatest(1, lull_release_runs(p_replica, ids));
END $$;

-- Releases downloads that a replica claimed before an instant and does not run: the answer of its claim was lost. The
-- instant is that of the request, because a late request would release downloads that were claimed since.
CREATE FUNCTION lull_release_unknown_runs(p_replica bigint, p_known uuid[], p_before timestamptz) RETURNS int
LANGUAGE sql AS $$
    SELECT lull_release_runs(p_replica, ARRAY(
        SELECT q.id FROM queue q
        WHERE q.state = lull_state('running') AND q.replica_no = p_replica
            AND q.claimed_at < p_before AND q.id <> ALL (p_known) LIMIT 500))
$$;

-- Registers a new process on a data directory, and ends the leases of its predecessors there.
CREATE FUNCTION lull_register(p_instance uuid, p_node text, p_lease interval) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    old bigint; mine bigint;
BEGIN
    FOR old IN SELECT replica_no FROM replicas WHERE instance = p_instance FOR UPDATE LOOP
        WHILE lull_release_replica(old, 1000) > 0 LOOP END LOOP;
    END LOOP;
    INSERT INTO replicas (instance, node, expires_at)
        VALUES (p_instance, p_node, clock_timestamp() + p_lease) RETURNING replica_no INTO mine;
    PERFORM lull_make_gates(ARRAY[lull_gate('deployment')], ARRAY[mine]);
    RETURN mine;
END $$;

-- Releases a batch of expired replicas; any replica calls it every few seconds, until it returns 0.
CREATE FUNCTION lull_reap(p_batch int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    late bigint;
BEGIN
    SELECT replica_no INTO late FROM replicas WHERE expires_at < clock_timestamp()
        ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN 0; END IF;
    RETURN greatest(1, lull_release_replica(late, p_batch));
END $$;
