-- Sessions whose live downloads end with their clients (session_clients).

-- Looks at the sessions that are due, at most p_limit, and returns them: is_gone tells that nobody has listened to one
-- for its patience. A client listens while it has a stream or a long poll of its session's events, at any replica.
-- A look that comes late follows a time in which clients perhaps could not listen, such as a restart of all replicas
-- or a pause of the database: the patience begins anew, with 15 seconds more to come back.
CREATE FUNCTION lull_look_at_clients(p_limit int) RETURNS TABLE (
    session_no bigint, app_no bigint, identifier text, patience int, is_gone boolean, now timestamptz
) LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    t timestamptz := clock_timestamp();
BEGIN
    RETURN QUERY
    WITH due AS MATERIALIZED (
        SELECT c.session_no, c.patience, c.absent, c.looked_at, c.look_at FROM session_clients c
        WHERE c.look_at <= t ORDER BY c.look_at LIMIT p_limit FOR UPDATE SKIP LOCKED),
    found AS MATERIALIZED (
        SELECT d.*, s.app_no, s.identifier, s.state, lull_session_is_live(d.session_no) AS is_live,
            EXISTS (SELECT 1 FROM session_listeners l
                WHERE l.app_no = s.app_no AND l.session_no = d.session_no AND l.until > d.looked_at) AS is_heard,
            interval '1 second' * greatest(1, least(5, d.patience / 4)) AS spacing
        FROM due d JOIN sessions s ON s.session_no = d.session_no),
    looked AS (
        UPDATE session_clients c SET looked_at = t,
            absent = CASE WHEN NOT f.is_live THEN NULL
                WHEN t - f.look_at > f.spacing + interval '3 seconds' THEN interval '-15 seconds'
                WHEN NOT f.is_heard THEN coalesce(f.absent + t - f.looked_at, interval '0') END,
            -- A session without live downloads is looked at less often.
            look_at = CASE WHEN f.is_live THEN t + f.spacing
                WHEN f.state < lull_session_state('invalidated') THEN t + interval '0.5 seconds' * f.patience
                ELSE 'infinity' END
        FROM found f WHERE c.session_no = f.session_no
        RETURNING f.session_no, f.app_no, f.identifier, f.patience,
            coalesce(c.absent >= interval '1 second' * f.patience, false) AS is_gone)
    SELECT l.session_no, l.app_no, l.identifier, l.patience, l.is_gone, t FROM looked l;
END $$;
