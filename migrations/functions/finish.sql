-- The end of attempts. Lock order: gates by (kind, key), queue rows by id, then as in lanes.sql.

-- Records the ends of attempts; returns the downloads whose fence was still valid, and whether the end was recorded. An
-- end is not recorded if its sequence is not the next number of its download: a client has changed the row meanwhile,
-- and data and run_at do not reflect that.
--
-- p_pauses: the pauses before the first probe of an origin that is not reached, and after each probe that failed.
CREATE FUNCTION lull_finish(p_replica bigint, p_ends attempt_end[], p_pauses interval[])
RETURNS TABLE (id uuid, is_recorded boolean) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    ids uuid[]; fences bigint[]; points jsonb[]; os bigint[]; ss bigint[]; apps bigint[]; lost text[];
    fails boolean; waits boolean; shares boolean;
BEGIN
    SELECT array_agg(e.id), array_agg(e.fence), array_agg(e.resume), array_agg(e.origin_key), array_agg(e.session_no),
            array_agg(e.app_no), bool_or(e.outcome = lull_outcome('failed')),
            bool_or(e.outcome IN (lull_outcome('retry_scheduled'), lull_outcome('suspended'),
                lull_outcome('yielded'), lull_outcome('unreachable'), lull_outcome('received'),
                lull_outcome('unchanged'))),
            bool_or(e.outcome = lull_outcome('unchanged')),
            -- A mirror or receiver that was not used for a long time may have no number for its origin.
            array_agg(e.next_origin) FILTER (WHERE e.next_origin IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM origins o WHERE o.origin = e.next_origin))
        INTO ids, fences, points, os, ss, apps, fails, waits, shares, lost FROM unnest(p_ends) e;
    IF ids IS NULL THEN RETURN; END IF;
    IF lost IS NOT NULL THEN PERFORM lull_origins(lost, '{}'); END IF;
    PERFORM lull_lock_gates(os, ss, apps, ARRAY[p_replica]);
    RETURN QUERY
    WITH given AS MATERIALIZED (
        SELECT u.*, o.origin_key AS next,
            -- An attempt that yields, whose origin is unreachable, whose file waits to be sent, or whose content has
            -- not changed is handled as a retry, and has its own name only in its record.
            CASE WHEN u.outcome IN (lull_outcome('yielded'), lull_outcome('unreachable'), lull_outcome('received'),
                    lull_outcome('unchanged'))
                THEN lull_outcome('retry_scheduled') ELSE u.outcome END AS kind
        FROM unnest(p_ends) u LEFT JOIN origins o ON o.origin = u.next_origin),
    -- An order that came while the attempt ended by itself is still carried out, and a suspend that was taken back is
    -- not; the event of such an end follows from the row.
    found_runs AS MATERIALIZED (
        SELECT z.*, z.outcome IN (lull_outcome('succeeded'), lull_outcome('failed'), lull_outcome('canceled'))
                AS is_end,
            CASE z.outcome WHEN z.given_outcome THEN z.given_type
                WHEN lull_outcome('canceled') THEN lull_event_type('canceled')
                WHEN lull_outcome('suspended') THEN lull_event_type('suspended')
                WHEN lull_outcome('retry_scheduled') THEN lull_event_type('waiting') END AS type,
            CASE z.outcome WHEN z.given_outcome THEN z.given_data END AS data,
            CASE z.outcome WHEN z.given_outcome THEN z.given_result ELSE '{}' END AS result,
            CASE z.outcome WHEN z.given_outcome THEN z.given_run_at ELSE z.at END AS run_at
        FROM (
            SELECT q.id, q.fence, q.attempt, q.sequence + 1 AS sequence, q.claimed_at, q.session_no,
                q.app_no, q.origin_key, q.extra_streams, q.webhook_url, q.webhook_events,
                i.kind AS given_outcome, i.outcome AS called, i.reach,
                greatest(i.at, q.state_since, q.measured_at) AS at,
                i.run_at AS given_run_at, i.cool, i.bytes, i.total, i.attempts_without_progress, i.resume,
                i.result AS given_result, i.type AS given_type, i.data AS given_data, i.detail, i.started,
                i.next, i.next_flags, i.next_facet, q.sequence + 1 = i.sequence AS is_recorded,
                q.budget_holds, q.budget_counted, i.received, i.sent,
                CASE WHEN q.control = lull_order('cancel') AND i.kind IN (lull_outcome('retry_scheduled'),
                        lull_outcome('suspended'), lull_outcome('attention_required'))
                        THEN lull_outcome('canceled')
                    WHEN q.control = lull_order('suspend') AND i.kind = lull_outcome('retry_scheduled')
                        THEN lull_outcome('suspended')
                    WHEN q.control <> lull_order('suspend') AND i.kind = lull_outcome('suspended')
                        THEN lull_outcome('retry_scheduled')
                    ELSE i.kind END AS outcome
            FROM queue q JOIN given i ON i.id = q.id
            -- A row with a replica is running. A condition on the state would let the planner read the whole index of
            -- running rows, dead ones included, for each given row.
            WHERE q.replica_no = p_replica AND q.fence = i.fence
            ORDER BY q.id FOR UPDATE OF q) z),
    locked_runs AS MATERIALIZED (SELECT * FROM found_runs WHERE is_recorded),
    closed_budgets AS MATERIALIZED (
        SELECT lull_close_budgets(array_agg(
            ROW(h.budget_holds, h.budget_counted, h.received, h.sent)::budget_end))
        FROM locked_runs h WHERE h.budget_holds IS NOT NULL),
    held_origins AS MATERIALIZED (
        SELECT p.* FROM (SELECT array_agg(h.origin_key) AS origins, array_agg(h.app_no) AS apps,
                array_agg(h.cool) AS cool
            FROM locked_runs h WHERE h.cool IS NOT NULL HAVING count(*) > 0) c
        CROSS JOIN LATERAL lull_push_back(c.origins, c.apps, c.cool) p),
    counted_gates AS (
        UPDATE gates g SET running = g.running - n.n,
            not_before = greatest(g.not_before, coalesce(n.held, '-infinity')),
            unreachable_since = CASE WHEN n.reached THEN NULL ELSE coalesce(g.unreachable_since, n.missed_at) END,
            -- Only the end of the probe moves the next one; an attempt that began earlier says nothing about the time
            -- of the next probe.
            probe_at = CASE WHEN n.reached THEN NULL
                WHEN g.unreachable_since IS NULL THEN n.missed_at + p_pauses[1]
                WHEN n.probed_at IS NOT NULL
                    THEN n.probed_at + p_pauses[least(g.probes + 1, cardinality(p_pauses))]
                ELSE coalesce(n.stopped_at, g.probe_at) END,
            probes = CASE WHEN n.reached THEN 0 ELSE g.probes END
        FROM (
            SELECT lull_gate('origin') AS kind, h.origin_key AS key, sum(1 + h.extra_streams)::int AS n,
                (SELECT p.until FROM held_origins p WHERE p.origin_key = h.origin_key) AS held,
                coalesce(bool_or(h.reach = lull_reach('reached')), false) AS reached,
                max(h.at) FILTER (WHERE h.reach IN (lull_reach('missed'), lull_reach('probe_missed'))) AS missed_at,
                max(h.at) FILTER (WHERE h.reach = lull_reach('probe_missed')) AS probed_at,
                max(h.at) FILTER (WHERE h.reach = lull_reach('probe_stopped')) AS stopped_at
            FROM locked_runs h GROUP BY 2
            UNION ALL
            SELECT lull_gate('session'), h.session_no, sum(1 + h.extra_streams)::int, NULL, false, NULL, NULL, NULL
            FROM locked_runs h GROUP BY 2
            UNION ALL
            SELECT lull_gate('app'), h.app_no, sum(1 + h.extra_streams)::int, NULL, false, NULL, NULL, NULL
            FROM locked_runs h GROUP BY 2
            UNION ALL
            SELECT lull_gate('deployment'), p_replica, count(*)::int, NULL, false, NULL, NULL, NULL
            FROM locked_runs h HAVING count(*) > 0) n
        CROSS JOIN LATERAL lull_gate_place(n.kind, n.key) p
        WHERE g.ctid = p.place),
    ended_rows AS (DELETE FROM queue q USING locked_runs h WHERE q.id = h.id AND h.is_end),
    counted_ends AS (
        INSERT INTO queued_counts (app_no, change)
        SELECT h.app_no, -count(*) FROM locked_runs h WHERE h.is_end GROUP BY 1),
    waiting_rows AS (
        UPDATE queue q SET replica_no = NULL, claimed_at = NULL, control = lull_order('none'), extra_streams = 0,
            fence = q.fence + 1, budget_holds = NULL, budget_counted = NULL,
            state = CASE h.outcome WHEN lull_outcome('retry_scheduled') THEN lull_state('waiting')
                WHEN lull_outcome('suspended') THEN lull_state('suspended')
                WHEN lull_outcome('attention_required') THEN lull_state('attention_required') END,
            state_since = h.at,
            origin_key = coalesce(h.next, q.origin_key),
            lane_flags = coalesce(h.next_flags, q.lane_flags), facet = coalesce(h.next_facet, q.facet), sent_bytes = 0,
            run_at = CASE h.outcome WHEN lull_outcome('retry_scheduled')
                    THEN greatest(coalesce(h.run_at, q.run_at), d.earliest_begin_at)
                ELSE coalesce(h.run_at, q.run_at) END,
            bytes_per_second = NULL, measured_at = NULL, bytes = h.bytes, total_bytes = h.total,
            attempts_without_progress = h.attempts_without_progress, resume = h.resume, sequence = h.sequence
        FROM locked_runs h LEFT JOIN download_requests d ON d.id = h.id
        WHERE q.id = h.id AND NOT h.is_end),
    kept_results AS MATERIALIZED (
        SELECT lull_keep_results(array_agg(ROW(h.id, CASE WHEN h.is_end THEN h.at END, h.started, h.bytes,
            CASE WHEN h.outcome = lull_outcome('succeeded') THEN h.fence END, h.attempt, h.sequence,
            CASE h.outcome WHEN lull_outcome('succeeded') THEN lull_state('succeeded')
                WHEN lull_outcome('failed') THEN lull_state('failed')
                WHEN lull_outcome('canceled') THEN lull_state('canceled') END,
            h.result, h.app_no)::download_results))
        FROM locked_runs h),
    new_attempts AS (
        INSERT INTO attempts (id, fence, attempt, replica_no, started_at, ended_at, outcome, detail)
        SELECT h.id, h.fence, h.attempt, p_replica, h.claimed_at, h.at,
            CASE WHEN h.outcome = lull_outcome('retry_scheduled')
                    AND h.called IN (lull_outcome('yielded'), lull_outcome('unreachable'), lull_outcome('received'),
                        lull_outcome('unchanged'))
                THEN h.called ELSE h.outcome END, h.detail
        FROM locked_runs h),
    new_events AS MATERIALIZED (
        SELECT lull_record_events(array_agg(ROW(h.at, h.session_no, h.id, h.type, h.sequence, h.attempt, h.data,
            h.bytes, h.total, h.webhook_url, h.webhook_events)::new_event))
        -- Counters are locked before receivers.
        FROM locked_runs h CROSS JOIN closed_budgets CROSS JOIN kept_results)
    SELECT f.id, f.is_recorded FROM found_runs f CROSS JOIN new_events;
    -- A record is found by its attempt.
    IF fails THEN
        PERFORM lull_keep_parts(array_agg(u.id), array_agg(u.resume), array_agg(r.finished_at))
        FROM unnest(p_ends) u
        JOIN attempts a ON a.id = u.id AND a.fence = u.fence AND a.outcome = lull_outcome('failed')
            AND a.replica_no = p_replica
        JOIN download_results r ON r.id = u.id AND r.state = lull_state('failed')
        WHERE u.outcome = lull_outcome('failed') AND lull_is_resumable(u.resume);
    END IF;
    PERFORM lull_end_flights(ids, points, fences);
    IF shares THEN
        PERFORM lull_join_ended(array_agg(u.id), array_agg(u.shared_from), array_agg(u.fence)) FROM unnest(p_ends) u
            WHERE u.shared_from IS NOT NULL;
    END IF;
    IF waits THEN PERFORM lull_enter_rows(ids); END IF;
END $$;
