-- Origins: scheme, host and port, identified by their names. An origin is removed under the lock of its row and of its
-- gate. A transaction that creates a lane holds a key share lock on the row until the commit; a transaction that asks
-- for an origin by name does as well, and marks it as used, so that it stays for at least a day.

-- Creates the missing origins, each with its gate; the key is in the origin's row. Returns the numbers of the new ones.
CREATE FUNCTION lull_make_origins(p_names text[]) RETURNS bigint[] LANGUAGE sql AS $$
    WITH new_origins AS (
        INSERT INTO origins (origin)
            -- In one order, so that two calls cannot wait for each other.
            SELECT u.name FROM unnest(p_names) u(name)
            WHERE NOT EXISTS (SELECT 1 FROM origins o WHERE o.origin = u.name) ORDER BY 1
            ON CONFLICT DO NOTHING RETURNING origin_key),
    new_gates AS (INSERT INTO gates (kind, key) SELECT lull_gate('origin'), n.origin_key FROM new_origins n)
    SELECT coalesce(array_agg(n.origin_key), '{}') FROM new_origins n
$$;

-- Returns the numbers of origins. A new origin gets a number and, like the given sessions and their apps, a gate before
-- its first download is stored, so that a claim only updates gates.
CREATE FUNCTION lull_origins(p_origins text[], p_sessions bigint[])
RETURNS TABLE (origin text, origin_key bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    names text[] := ARRAY(SELECT DISTINCT u.name FROM unnest(p_origins) u(name) ORDER BY 1);
    keys bigint[] := '{}';
    own xid := pg_current_xact_id()::xid;
BEGIN
    FOR try IN 1..10 LOOP
        keys := lull_make_origins(names);
        EXIT WHEN cardinality(keys) = cardinality(names);
        -- A new statement sees origins that another call has committed meanwhile.
        keys := ARRAY(
            SELECT * FROM (SELECT o.origin_key FROM origins o WHERE o.origin = ANY (names) AND o.xmin <> own
                ORDER BY o.origin_key FOR KEY SHARE) k
            -- Rows that this transaction has created need no lock until the commit.
            UNION ALL
            SELECT o.origin_key FROM origins o WHERE o.origin = ANY (names) AND o.xmin = own);
        -- An origin that was removed between the two statements is created again.
        EXIT WHEN cardinality(keys) = cardinality(names);
    END LOOP;
    IF cardinality(keys) < cardinality(names) THEN
        RAISE EXCEPTION 'an origin was removed whenever it was to be used' USING ERRCODE = '40001';
    END IF;
    PERFORM lull_use_origins(keys, clock_timestamp() - interval '1 hour');
    PERFORM lull_make_gates(array_agg(n.kind), array_agg(n.key)) FROM (
        SELECT lull_gate('session') AS kind, s AS key FROM unnest(p_sessions) s
        UNION ALL SELECT lull_gate('app'), s.app_no FROM sessions s WHERE s.session_no = ANY (p_sessions)) n;
    RETURN QUERY SELECT o.origin, o.origin_key FROM origins o WHERE o.origin_key = ANY (keys);
END $$;

-- Notes that an origin is reachable, so that all its downloads continue. Returns the instant since which it was not;
-- null if it was reachable already.
CREATE FUNCTION lull_reached(p_origin bigint) RETURNS timestamptz LANGUAGE sql AS $$
    WITH old AS MATERIALIZED (
        SELECT g.unreachable_since FROM gates g
        WHERE g.kind = lull_gate('origin') AND g.key = p_origin AND g.unreachable_since IS NOT NULL
        FOR NO KEY UPDATE),
    opened AS (
        UPDATE gates g SET unreachable_since = NULL, probe_at = NULL, probes = 0 FROM old
        WHERE g.kind = lull_gate('origin') AND g.key = p_origin)
    SELECT o.unreachable_since FROM old o
$$;

-- Notes the instants until which origins asked apps to wait; null of p_until for none. The caller has locked the
-- origins' gates. Returns the origins that asked three apps within a minute, with the instant until which three of the
-- apps wait: until then it holds for all apps.
CREATE FUNCTION lull_push_back(p_origins bigint[], p_apps bigint[], p_until timestamptz[])
RETURNS TABLE (origin_key bigint, until timestamptz) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    t timestamptz := clock_timestamp();
BEGIN
    INSERT INTO pushbacks AS p (origin_key, app_no, until, pushed_at)
        SELECT u.origin, u.app, max(u.until), t FROM unnest(p_origins, p_apps, p_until) u(origin, app, until)
        WHERE u.until IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (origin_key, app_no) DO UPDATE SET until = greatest(p.until, excluded.until), pushed_at = t;
    RETURN QUERY
    SELECT o.origin, h.until FROM (
        SELECT DISTINCT u.origin FROM unnest(p_origins, p_until) u(origin, until) WHERE u.until IS NOT NULL) o
    CROSS JOIN LATERAL (
        SELECT p.until FROM pushbacks p
        WHERE p.origin_key = o.origin AND p.pushed_at > t - interval '1 minute'
        ORDER BY p.until DESC OFFSET 2 LIMIT 1) h;
END $$;

-- Removes pushbacks that are over, at most p_limit; returns how many.
CREATE FUNCTION lull_forget_pushbacks(p_limit int) RETURNS bigint LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    n bigint;
BEGIN
    DELETE FROM pushbacks p USING (
        SELECT x.origin_key, x.app_no FROM pushbacks x
        -- A pushback counts for a minute after the answer, even if the told time was shorter.
        WHERE x.until < statement_timestamp() - interval '1 minute'
            AND x.pushed_at < statement_timestamp() - interval '1 minute'
        ORDER BY x.until LIMIT p_limit FOR UPDATE SKIP LOCKED) z
    WHERE p.origin_key = z.origin_key AND p.app_no = z.app_no;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

-- Marks origins that were last used before an instant as used now; an origin that another transaction holds is marked
-- by that one.
CREATE FUNCTION lull_use_origins(p_keys bigint[], p_before timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    stale bigint[];
BEGIN
    stale := ARRAY(SELECT o.origin_key FROM origins o WHERE o.origin_key = ANY (p_keys) AND o.used_at < p_before
        ORDER BY o.origin_key FOR NO KEY UPDATE SKIP LOCKED);
    IF cardinality(stale) > 0 THEN
        UPDATE origins o SET used_at = clock_timestamp() WHERE o.origin_key = ANY (stale);
    END IF;
END $$;

-- Keeps the origins of new lanes until the commit. If one is missing, its number was cached for too long: LU002, after
-- which the caller asks for its name again.
CREATE FUNCTION lull_hold_origins(p_keys bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    held int;
BEGIN
    PERFORM 1 FROM origins o WHERE o.origin_key = ANY (p_keys) ORDER BY o.origin_key FOR KEY SHARE;
    GET DIAGNOSTICS held = ROW_COUNT;
    IF held < (SELECT count(DISTINCT u.key) FROM unnest(p_keys) u(key)) THEN
        RAISE EXCEPTION 'an origin was removed' USING ERRCODE = 'LU002';
    END IF;
END $$;

-- Removes origins with their gates that were last used longer than p_age and a day ago, among at most p_limit behind
-- p_after. An origin with a lane, a running or resting download, or its own limit stays, and so does one whose gate
-- another transaction holds. Returns the last key of this range, null at the end, and how many were removed.
CREATE FUNCTION lull_forget_origins(p_after bigint, p_age interval, p_limit int, p_now timestamptz DEFAULT NULL)
RETURNS TABLE (last bigint, removed bigint) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    t timestamptz := least(clock_timestamp(), p_now); over timestamptz := t - p_age - interval '1 day';
    seen bigint[]; gone bigint[];
BEGIN
    seen := ARRAY(SELECT o.origin_key FROM origins o WHERE o.origin_key > p_after ORDER BY o.origin_key LIMIT p_limit);
    gone := ARRAY(SELECT o.origin_key FROM origins o WHERE o.origin_key = ANY (seen) AND o.used_at < over
        ORDER BY o.origin_key FOR UPDATE SKIP LOCKED);
    gone := ARRAY(SELECT g.key FROM gates g
        WHERE g.kind = lull_gate('origin') AND g.key = ANY (gone) AND g.running = 0 AND g.running_limit IS NULL
            AND g.not_before < t
        ORDER BY g.key FOR UPDATE SKIP LOCKED);
    -- A new statement sees lanes that were committed before the locks.
    gone := ARRAY(SELECT u.key FROM unnest(gone) u(key)
        WHERE NOT EXISTS (SELECT 1 FROM lane_keys l WHERE l.origin_key = u.key)
            AND NOT EXISTS (SELECT 1 FROM queue q
                WHERE q.origin_key = u.key AND q.state > lull_state('running'))
            AND NOT EXISTS (SELECT 1 FROM pushbacks p WHERE p.origin_key = u.key AND p.until > t));
    DELETE FROM gates g WHERE g.kind = lull_gate('origin') AND g.key = ANY (gone);
    DELETE FROM origins o WHERE o.origin_key = ANY (gone);
    last := seen[cardinality(seen)];
    removed := cardinality(gone);
    RETURN NEXT;
END $$;
