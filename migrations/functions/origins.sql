-- Origins: scheme, host and port, told apart by their names.

-- The numbers of origins. One that is new gets a number and, like the sessions given and their apps, a gate before the
-- first download passes it, so that a claim only updates.
CREATE FUNCTION lull_origins(p_origins text[], p_sessions bigint[])
RETURNS TABLE (origin text, origin_key bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    -- In order, so that two calls cannot wait for each other.
    INSERT INTO origins (origin)
        SELECT DISTINCT u.name FROM unnest(p_origins) u(name)
        WHERE NOT EXISTS (SELECT 1 FROM origins o WHERE o.origin = u.name) ORDER BY 1
        ON CONFLICT DO NOTHING;
    -- A new statement: it sees what another call has committed meanwhile.
    INSERT INTO gates (kind, key)
        SELECT lull_gate('origin'), o.origin_key FROM origins o WHERE o.origin = ANY (p_origins)
        UNION ALL SELECT lull_gate('session'), s FROM unnest(p_sessions) s
        UNION ALL SELECT lull_gate('app'), s.app_no FROM sessions s WHERE s.session_no = ANY (p_sessions)
        ORDER BY 1, 2
        ON CONFLICT DO NOTHING;
    RETURN QUERY SELECT o.origin, o.origin_key FROM origins o WHERE o.origin = ANY (p_origins);
END $$;
