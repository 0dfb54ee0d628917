-- The kept bytes of failed downloads. A row is removed before its file: a file that no row names is removed by the
-- caller or by the sweep.

-- Keeps the bytes of downloads that fail, if a resume point names a part file of their own with which a later attempt
-- can continue. Bytes of canceled and of ephemeral downloads are not kept.
CREATE FUNCTION lull_keep_parts(p_ids uuid[], p_resume jsonb[], p_at timestamptz[]) RETURNS void LANGUAGE sql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
    INSERT INTO kept_parts (id, instance, fence, bytes, resume, ended_at, retention)
    SELECT u.id, (u.resume->>'instance')::uuid, (u.resume->>'fence')::bigint, (u.resume->>'offset')::bigint,
        u.resume - '{patience,restarts,furthest}'::text[], u.at, (d.spec->>'content_retention')::bigint
    FROM unnest(p_ids, p_resume, p_at) u(id, resume, at)
    JOIN download_requests d ON d.id = u.id
    WHERE lull_is_resumable(u.resume) AND u.resume->'source' IS NULL AND NOT d.spec ? 'ephemeral'
        AND u.resume->>'instance' ~ '^[0-9a-f]{32}$' AND jsonb_typeof(u.resume->'fence') = 'number'
    ON CONFLICT (id) DO UPDATE SET instance = excluded.instance, fence = excluded.fence, bytes = excluded.bytes,
        resume = excluded.resume, ended_at = excluded.ended_at, retention = excluded.retention
    WHERE excluded.fence >= kept_parts.fence
$$;

-- Gives up the kept bytes of a data directory, the oldest end first, at most p_limit rows: all whose time is over by
-- p_now, with p_retention for downloads without a time of their own; and with p_room as many others as have that many
-- bytes together. Returns the files, which the caller then removes.
CREATE FUNCTION lull_give_up_parts(
    p_instance uuid, p_now timestamptz, p_retention bigint, p_room bigint, p_limit int
) RETURNS TABLE (id uuid, fence bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    t timestamptz := least(clock_timestamp(), p_now);
BEGIN
    -- For a data directory without a replica only the rows are removed: its sweep removes the files when it is back.
    DELETE FROM kept_parts k USING (
        SELECT x.id FROM kept_parts x
        WHERE x.instance <> p_instance
            AND x.ended_at + coalesce(x.retention, p_retention) * interval '1 second' < t - interval '1 day'
        LIMIT p_limit FOR UPDATE SKIP LOCKED) z
    WHERE k.id = z.id;
    RETURN QUERY
    WITH oldest AS MATERIALIZED (
        SELECT k.id, k.ended_at + coalesce(k.retention, p_retention) * interval '1 second' <= t AS is_over,
            sum(k.bytes) OVER (ORDER BY k.ended_at, k.id) - k.bytes AS before
        FROM kept_parts k WHERE k.instance = p_instance),
    chosen AS MATERIALIZED (
        SELECT o.id FROM oldest o WHERE o.is_over OR o.before < p_room ORDER BY o.is_over DESC, o.before LIMIT p_limit),
    locked AS MATERIALIZED (
        SELECT k.id FROM kept_parts k JOIN chosen c ON c.id = k.id ORDER BY k.id FOR UPDATE OF k SKIP LOCKED)
    DELETE FROM kept_parts k USING locked l WHERE k.id = l.id RETURNING k.id, k.fence;
END $$;

-- The least bytes that a download needs which is due in one of the given lanes and has no room: more than p_room and
-- at most p_most. A lane that has one that fits among its first 256 due downloads waits for something else, and a file
-- that is sent needs no room.
CREATE FUNCTION lull_least_need(p_lanes bigint[], p_room bigint, p_most bigint) RETURNS bigint LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
    SELECT min(z.fitting) FROM unnest(p_lanes) u(lane_no) CROSS JOIN LATERAL (
        SELECT min(n.need) AS need, min(n.need) FILTER (WHERE n.need <= p_most) AS fitting FROM (
            SELECT lull_need(q.total_bytes, q.expected_bytes, q.resume) AS need FROM queue q
            WHERE q.state = lull_state('waiting') AND q.lane_no = u.lane_no AND q.run_at <= statement_timestamp()
                AND q.lane_flags & (lull_lane_flag('sends') | lull_lane_flag('stages')) = 0
            ORDER BY q.run_at, q.id LIMIT 256) n) z
    WHERE z.need > p_room
$$;
