-- Begin hooks: a webhook that is asked before a download with a date begins, and the hook of a receiver, which is asked
-- before each try to send it the file. Such a download waits in a lane of its own kind, from which no download is
-- claimed: when it would be claimed, its hook is asked. Lock order: queue rows,
-- downloads, then as in lanes.sql.

-- The hook that is asked for a row with these flags.
CREATE FUNCTION lull_hook_of(p_spec jsonb, p_flags smallint) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_flags & lull_lane_flag('sends') <> 0 THEN p_spec->'relay'->'hook' ELSE p_spec->'begin_hook' END
$$;

-- The time that a hook has for its answer; the sender reports earlier that none will come. For a hook that has no time
-- limit: the time after which it is checked whether the question still has to be sent.
CREATE FUNCTION lull_hook_time(p_hook jsonb) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_hook->>'on_no_answer' = 'wait' THEN interval '1 hour'
        ELSE interval '1 minute' + coalesce((p_hook->>'timeout_seconds')::int, 10) * interval '1 second' END
$$;

-- The lane for downloads of a lane after their hooks were asked, and the reverse; null for none.
CREATE FUNCTION lull_asked_lane(p_lane bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT s.lane_no FROM lull_lane_of(p_lane) l JOIN lane_keys s
        ON s.origin_key = l.origin_key AND s.session_no = l.session_no
        AND s.class = l.class AND s.rank = l.rank AND s.lane_flags = l.lane_flags # lull_lane_flag('hooked')
        AND s.facet = l.facet AND s.due_bucket = l.due_bucket AND s.begin_bucket = l.begin_bucket
$$;

-- Asks the hooks of downloads of the given lanes, for each lane up to its quota minus the downloads that were asked in
-- the last two seconds and have no answer: an answer is meant for a begin soon after it. Each gets an event, which goes
-- to its hook and to the endpoints that want it. Returns the downloads that were asked about.
CREATE FUNCTION lull_ask_hooks(p_lanes bigint[], p_quotas int[]) RETURNS uuid[] LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET join_collapse_limit = 1
SET enable_bitmapscan = off AS $$
DECLARE
    ids uuid[]; t timestamptz := clock_timestamp();
BEGIN
    -- As in lull_claim, a row that a younger transaction has written is left for the next call.
    ids := ARRAY(SELECT c.id FROM unnest(p_lanes, p_quotas) w(lane_no, quota)
        CROSS JOIN LATERAL (
            SELECT * FROM lull_lane_of(w.lane_no) z WHERE z.lane_flags & lull_lane_flag('unasked') <> 0) l
        CROSS JOIN LATERAL (
            SELECT count(*)::int AS n FROM (
                SELECT q.hook_asked_at FROM queue q
                WHERE q.state = lull_state('waiting') AND q.lane_no = lull_asked_lane(l.lane_no)
                ORDER BY q.run_at DESC, q.id DESC LIMIT 256) z
            WHERE z.hook_asked_at > t - interval '2 seconds') asked
        CROSS JOIN LATERAL (
            SELECT q.id FROM queue q
            WHERE q.state = lull_state('waiting') AND q.lane_no = l.lane_no
                AND q.run_at >= l.next_at AND q.run_at <= t AND age(q.xmin) NOT BETWEEN -1000000 AND 0
            ORDER BY q.run_at, q.id LIMIT greatest(0, w.quota - asked.n)
            FOR NO KEY UPDATE OF q SKIP LOCKED) c);
    IF cardinality(ids) = 0 THEN RETURN ids; END IF;
    UPDATE queue q SET lane_flags = q.lane_flags # lull_lane_flag('hooked'), hook_asked_at = t,
        hook_sequence = q.sequence + 1, sequence = q.sequence + 1,
        run_at = t + lull_hook_time(lull_hook_of(d.spec, q.lane_flags))
    FROM download_requests d WHERE q.id = ANY (ids) AND d.id = q.id;
    PERFORM lull_enter_rows(ids);
    PERFORM lull_record_events(array_agg(ROW(greatest(t, q.state_since), q.session_no, q.id,
            k.type, q.sequence, q.attempt, NULL, q.bytes, q.total_bytes,
            lull_hook_of(d.spec, q.lane_flags)->>'url', 1 << k.type)::new_event ORDER BY q.run_at, q.id))
        FROM queue q JOIN download_requests d ON d.id = q.id CROSS JOIN LATERAL (
            SELECT CASE WHEN q.lane_flags & lull_lane_flag('sends') <> 0 THEN lull_event_type('will_send')
                ELSE lull_event_type('will_begin') END AS type) k
        WHERE q.id = ANY (ids);
    RETURN ids;
END $$;

-- Continues downloads of the given lanes, up to p_limit of each, whose hooks gave no answer in their time: the sender
-- died, or the answer could not be stored. They begin, wait for a question that is still to be sent, or are asked again
-- if there is none. Returns the downloads; those that are to be canceled stay as they are, see lull_late_cancels.
CREATE FUNCTION lull_settle_hooks(p_lanes bigint[], p_limit int) RETURNS uuid[] LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET join_collapse_limit = 1
SET enable_bitmapscan = off AS $$
DECLARE
    ids uuid[]; passed uuid[]; again uuid[]; t timestamptz := clock_timestamp();
BEGIN
    ids := ARRAY(SELECT c.id FROM unnest(p_lanes) w(lane_no)
        CROSS JOIN LATERAL (
            SELECT * FROM lull_lane_of(w.lane_no) z WHERE z.lane_flags & lull_lane_flag('asked') <> 0) l
        CROSS JOIN LATERAL (
            SELECT q.id FROM queue q
            WHERE q.state = lull_state('waiting') AND q.lane_no = l.lane_no
                AND q.run_at >= l.next_at AND q.run_at <= t AND age(q.xmin) NOT BETWEEN -1000000 AND 0
            ORDER BY q.run_at, q.id LIMIT p_limit FOR NO KEY UPDATE OF q SKIP LOCKED) c);
    IF cardinality(ids) = 0 THEN RETURN ids; END IF;
    -- A change that moved the row before its time is over, such as a resume, does not shorten the wait.
    SELECT array_agg(z.id) FILTER (WHERE z.rule = 'continue' AND z.ends <= t),
        array_agg(z.id) FILTER (WHERE z.rule = 'wait' AND NOT z.is_pending),
        coalesce(array_agg(z.id) FILTER (WHERE z.rule <> 'cancel' OR z.ends > t), '{}')
        INTO passed, again, ids FROM (
            SELECT q.id, coalesce(lull_hook_of(d.spec, q.lane_flags)->>'on_no_answer', 'continue') AS rule,
                q.hook_asked_at + lull_hook_time(lull_hook_of(d.spec, q.lane_flags)) AS ends,
                EXISTS (SELECT 1 FROM deliveries v WHERE v.download_id = q.id AND v.sequence = q.hook_sequence
                    AND v.endpoint_no IS NULL AND v.state < lull_delivery_state('succeeded')) AS is_pending
            FROM queue q JOIN download_requests d ON d.id = q.id WHERE q.id = ANY (ids)) z;
    IF passed IS NOT NULL THEN PERFORM lull_pass_rows(passed); END IF;
    UPDATE queue q SET lane_flags = q.lane_flags # lull_lane_flag('hooked'), run_at = t, hook_asked_at = NULL,
        hook_sequence = NULL, sequence = q.sequence + 1 WHERE q.id = ANY (again);
    UPDATE queue q SET run_at = greatest(q.hook_asked_at + lull_hook_time(lull_hook_of(d.spec, q.lane_flags)),
            CASE WHEN lull_hook_of(d.spec, q.lane_flags)->>'on_no_answer' = 'wait' THEN t + interval '1 hour'
                ELSE q.run_at END)
        FROM download_requests d WHERE q.id = ANY (ids) AND d.id = q.id AND q.hook_asked_at IS NOT NULL;
    PERFORM lull_enter_rows(ids);
    RETURN ids;
END $$;

-- Returns downloads of the given lanes, up to p_limit of each, that are to be canceled because their hooks gave no
-- answer in their time. After lull_settle_hooks these are the first of their lanes, so no more than p_limit are read.
CREATE FUNCTION lull_late_cancels(p_lanes bigint[], p_limit int)
RETURNS TABLE (id uuid, app_no bigint, sequence int) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET join_collapse_limit = 1
SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT c.id, c.app_no, c.hook_sequence FROM unnest(p_lanes) w(lane_no)
        CROSS JOIN LATERAL (
            SELECT * FROM lull_lane_of(w.lane_no) z WHERE z.lane_flags & lull_lane_flag('asked') <> 0) l
        CROSS JOIN LATERAL (
            SELECT z.id, z.app_no::bigint AS app_no, z.hook_sequence FROM (
                SELECT q.id, q.app_no, q.hook_sequence, q.hook_asked_at, q.lane_flags FROM queue q
                WHERE q.state = lull_state('waiting') AND q.lane_no = l.lane_no
                    AND q.run_at >= l.next_at AND q.run_at <= statement_timestamp()
                ORDER BY q.run_at, q.id LIMIT p_limit) z JOIN download_requests d ON d.id = z.id
            WHERE z.hook_asked_at + lull_hook_time(lull_hook_of(d.spec, z.lane_flags)) <= statement_timestamp()
                AND lull_hook_of(d.spec, z.lane_flags)->>'on_no_answer' = 'cancel') c;
END $$;

-- Lets rows, which the caller has locked, begin in their turn.
CREATE FUNCTION lull_pass_rows(p_ids uuid[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    UPDATE download_requests d SET
            spec = CASE WHEN q.lane_flags & lull_lane_flag('sends') <> 0 THEN d.spec ELSE d.spec - 'asks_hook' END
            || jsonb_build_object('hook_asked_at', lull_instant_text(q.hook_asked_at))
        FROM queue q WHERE q.id = ANY (p_ids) AND d.id = q.id;
    UPDATE queue q SET lane_flags = q.lane_flags & ~lull_lane_flag('hooked'), hook_asked_at = NULL,
        hook_sequence = NULL, sequence = q.sequence + 1,
        run_at = CASE WHEN q.state = lull_state('waiting') THEN clock_timestamp() ELSE q.run_at END
        WHERE q.id = ANY (p_ids);
END $$;

-- Notes the answer of the hook that was asked with the event of this sequence: its download begins in its turn. Returns
-- whether the answer was still expected.
CREATE FUNCTION lull_pass_hook(p_id uuid, p_sequence int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM queue q WHERE q.id = p_id AND q.lane_flags & lull_lane_flag('asked') <> 0
        AND q.hook_sequence = p_sequence FOR UPDATE;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM lull_pass_rows(ARRAY[p_id]);
    PERFORM lull_enter_rows(ARRAY[p_id]);
    RETURN true;
END $$;
