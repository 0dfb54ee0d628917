-- Gates: one row for each origin, session, app and replica with a limit. Every claim and every end of an attempt writes
-- some, and an old snapshot keeps all their versions, which a look-up by equality reads from the oldest on. Equal
-- entries of an index are ordered by the places of their rows, and newer versions are mostly behind: a look-up goes
-- backward and ends at the version that it sees. It uses BETWEEN, because the planner drops an ORDER BY of an equal
-- key.

-- Returns a gate by its key.
CREATE FUNCTION lull_gate_of(p_kind smallint, p_key bigint) RETURNS SETOF gates LANGUAGE sql STABLE AS $$
    SELECT * FROM gates g WHERE g.kind = p_kind AND g.key BETWEEN p_key AND p_key ORDER BY g.key DESC LIMIT 1
$$;

-- The place of the version of a gate that the statement sees. A statement that writes a gate by its place has locked it
-- in an earlier one, so that no other transaction moves it until the commit. A gate that is not locked, and that
-- another transaction changes at this moment, is not written.
CREATE FUNCTION lull_gate_place(p_kind smallint, p_key bigint) RETURNS TABLE (place tid) LANGUAGE sql STABLE AS $$
    SELECT g.ctid FROM gates g WHERE g.kind = p_kind AND g.key BETWEEN p_key AND p_key ORDER BY g.key DESC LIMIT 1
$$;

-- The instant until which an origin gets no requests of an app: the one that it told the app, or the one that holds for
-- all apps because it told several.
CREATE FUNCTION lull_not_before(p_held timestamptz, p_origin bigint, p_app bigint) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
    SELECT greatest(p_held, (SELECT p.until FROM pushbacks p WHERE p.origin_key = p_origin AND p.app_no = p_app),
        '-infinity')
$$;

-- Locks gates of origins, sessions, apps and the deployment, in their order.
CREATE FUNCTION lull_lock_gates(p_origins bigint[], p_sessions bigint[], p_apps bigint[], p_deployment bigint[])
RETURNS void LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    PERFORM 1 FROM (
        SELECT lull_gate('origin') AS kind, u.key FROM unnest(p_origins) u(key)
        UNION SELECT lull_gate('session'), u.key FROM unnest(p_sessions) u(key)
        UNION SELECT lull_gate('app'), u.key FROM unnest(p_apps) u(key)
        UNION SELECT lull_gate('deployment'), u.key FROM unnest(p_deployment) u(key)
        ORDER BY 1, 2) n
    CROSS JOIN LATERAL (
        SELECT 1 FROM gates g WHERE g.kind = n.kind AND g.key BETWEEN n.key AND n.key
        ORDER BY g.key DESC LIMIT 1 FOR NO KEY UPDATE) z;
END $$;

-- Creates the missing gates of every kind except origins, whose gates lull_make_origins creates.
CREATE FUNCTION lull_make_gates(p_kinds smallint[], p_keys bigint[]) RETURNS void LANGUAGE sql AS $$
    WITH new_keys AS (
        INSERT INTO gate_keys (kind, key)
            -- In one order, so that two calls cannot wait for each other.
            SELECT u.kind, u.key FROM unnest(p_kinds, p_keys) u(kind, key) ORDER BY 1, 2
            ON CONFLICT DO NOTHING RETURNING kind, key)
    INSERT INTO gates (kind, key) SELECT k.kind, k.key FROM new_keys k
$$;

-- The number of downloads that all replicas run.
CREATE FUNCTION lull_running() RETURNS bigint LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    RETURN (SELECT coalesce(sum(g.running), 0)
        FROM replicas r CROSS JOIN LATERAL lull_gate_of(lull_gate('deployment'), r.replica_no) g);
END $$;
