-- Lanes: the downloads that have the same chance to run.

-- The lane of what has the same chance to run, as the program makes it: FNV-1a, 64 bits, of the numbers.
CREATE FUNCTION lull_lane(p_session bigint, p_origin bigint, p_class smallint, p_rank smallint)
RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    bytes bytea := convert_to(concat_ws('.', p_session, p_origin, p_class, p_rank), 'UTF8');
    hash numeric := 14695981039346656037;
    low int;
BEGIN
    FOR place IN 0..length(bytes) - 1 LOOP
        low := (hash % 256)::int;
        hash := ((hash - low + (low # get_byte(bytes, place))) * 1099511628211) % 18446744073709551616;
    END LOOP;
    RETURN (CASE WHEN hash >= 9223372036854775808 THEN hash - 18446744073709551616 ELSE hash END)::bigint;
END $$;

-- The head of each lane by a loose index scan: a few microseconds a lane whatever the backlog. A lane is a
-- hash; where two origins or sessions share one, each has its head.
CREATE FUNCTION lull_lanes(p_limit int) RETURNS TABLE (
    lane bigint, run_at timestamptz, session_no bigint, session text, origin_key bigint,
    class smallint, rank smallint, origin_running int, origin_limit int, origin_not_before timestamptz,
    session_running int, session_limit int
) LANGUAGE sql STABLE AS $$
    WITH RECURSIVE t AS (
        (SELECT q.lane, q.run_at, q.session_no, q.origin_key, q.class, q.rank FROM queue q
            WHERE q.state = lull_live_state('waiting')
            ORDER BY q.lane, q.origin_key, q.session_no, q.run_at, q.id LIMIT 1)
        UNION ALL
        SELECT n.* FROM t CROSS JOIN LATERAL (
            SELECT q.lane, q.run_at, q.session_no, q.origin_key, q.class, q.rank FROM queue q
            WHERE q.state = lull_live_state('waiting')
                AND (q.lane, q.origin_key, q.session_no) > (t.lane, t.origin_key, t.session_no)
            ORDER BY q.lane, q.origin_key, q.session_no, q.run_at, q.id LIMIT 1) n)
    SELECT t.lane, t.run_at, t.session_no, s.identifier, t.origin_key, t.class, t.rank,
        coalesce(o.running, 0), o.running_limit, coalesce(o.not_before, '-infinity'),
        coalesce(g.running, 0), g.running_limit
    FROM (SELECT * FROM t LIMIT p_limit) t
    JOIN sessions s ON s.session_no = t.session_no
    LEFT JOIN gates o ON o.kind = lull_gate('origin') AND o.key = t.origin_key
    LEFT JOIN gates g ON g.kind = lull_gate('session') AND g.key = t.session_no
$$;
