-- Reading lanes again, by their numbers.

-- Returns the given lanes that are due, with the columns of lull_lanes; the columns about pages are null.
CREATE FUNCTION lull_lanes_again(p_lanes bigint[], p_ahead interval) RETURNS TABLE (
    lane_no bigint, next_at timestamptz, app_no bigint, app text, session_no bigint, session text,
    origin_key bigint, origin text, class smallint, rank smallint, lane_flags smallint, facet int,
    due_bucket timestamptz, begin_bucket timestamptz, largest_need bigint, guard_at timestamptz,
    fits bigint, vector text,
    origin_running int, origin_limit int, origin_not_before timestamptz, origin_unreachable_since timestamptz,
    origin_probe_at timestamptz,
    session_running int, session_limit int, app_running int, app_limit int, connections int, connections_limit int,
    group_at timestamptz, has_more_groups boolean, has_more_lanes boolean
) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET join_collapse_limit = 1
SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT l.lane_no, l.next_at, l.app_no, n.name, l.session_no, s.identifier, l.origin_key, o.origin, l.class,
        l.rank, l.lane_flags, l.facet, l.due_bucket, l.begin_bucket, l.largest_need,
        CASE WHEN least(l.due_bucket, l.begin_bucket) < 'infinity' THEN
            (SELECT w.guard_at FROM lane_loads w WHERE w.lane_no = l.lane_no) END,
        CASE WHEN l.due_bucket < 'infinity' THEN
            (SELECT w.fits FROM lane_loads w WHERE w.lane_no = l.lane_no) END,
        CASE WHEN l.facet <> 0 THEN (SELECT v.vector FROM facets v WHERE v.facet_no = l.facet) END,
        coalesce(g.running, 0), g.running_limit,
        lull_not_before(g.not_before, l.origin_key, l.app_no), g.unreachable_since, g.probe_at,
        coalesce(h.running, 0), h.running_limit, coalesce(f.running, 0), f.running_limit,
        CASE WHEN h.per_origin IS NOT NULL THEN (SELECT coalesce(sum(1 + q.extra_streams), 0)::int FROM queue q
            WHERE q.state = lull_state('running') AND q.session_no = l.session_no
                AND q.origin_key = l.origin_key) END, h.per_origin,
        l.next_at, false, false
    FROM unnest(p_lanes) u(lane_no)
    CROSS JOIN LATERAL lull_lane_of(u.lane_no) l
    JOIN apps n ON n.app_no = l.app_no
    JOIN sessions s ON s.session_no = l.session_no
    LEFT JOIN origins o ON o.origin_key = l.origin_key
    LEFT JOIN LATERAL lull_gate_of(lull_gate('origin'), l.origin_key) g ON true
    LEFT JOIN LATERAL lull_gate_of(lull_gate('session'), l.session_no) h ON true
    LEFT JOIN LATERAL lull_gate_of(lull_gate('app'), l.app_no) f ON true
    WHERE l.next_at <= statement_timestamp() + p_ahead AND l.next_at < 'infinity';
END $$;
