-- Removing ended downloads, sessions and deliveries when their time is over, a bounded number of rows a call. A call
-- begins behind the last row of the call before, so that rows that have to stay are not read again and again. p_now:
-- the latest instant that counts as now, because the database's clock may jump; null to use that clock alone.

-- Removes downloads that ended longer than p_age ago, with their attempts and deliveries, among at most p_limit behind
-- p_after. A download stays while its file is kept, a webhook of it has to be sent, or an event of it is in the
-- journal. Returns the last id of this range, null at the end, and how many were removed.
CREATE FUNCTION lull_forget_downloads(p_after uuid, p_age interval, p_limit int, p_now timestamptz DEFAULT NULL)
RETURNS TABLE (last uuid, removed bigint) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    over timestamptz := least(clock_timestamp(), p_now) - p_age; seen uuid[]; gone uuid[];
    -- An identifier contains the millisecond of its creation: a younger download cannot have ended before; a day allows
    -- for clocks that differ.
    newest uuid := (lpad(to_hex(floor(extract(epoch FROM over + interval '1 day') * 1000)::bigint), 12, '0')
        || 'ffffffffffffffffffff')::uuid;
BEGIN
    seen := ARRAY(
        SELECT d.id FROM download_requests d WHERE d.id > p_after AND d.id < newest ORDER BY d.id LIMIT p_limit);
    gone := ARRAY(SELECT d.id FROM download_requests d JOIN download_results r ON r.id = d.id
        WHERE d.id = ANY (seen) AND r.state IS NOT NULL AND r.finished_at < over
            AND NOT EXISTS (SELECT 1 FROM contents c
                -- An object in a store is found by its download until it is removed or forgotten.
                WHERE c.id = d.id AND (c.phase < lull_content_phase('released')
                    OR d.spec->'destination'->'store' IS NOT NULL))
            AND NOT EXISTS (SELECT 1 FROM kept_parts k WHERE k.id = d.id)
            AND NOT EXISTS (SELECT 1 FROM deliveries v
                WHERE v.download_id = d.id AND v.state < lull_delivery_state('succeeded'))
            AND NOT EXISTS (SELECT 1 FROM events e WHERE e.download_id = d.id)
        ORDER BY d.id FOR UPDATE OF d SKIP LOCKED);
    -- Lists show the origins of the downloads that stay.
    PERFORM lull_use_origins(ARRAY(SELECT DISTINCT d.origin_key FROM download_requests d
        WHERE d.id = ANY (seen) AND d.id <> ALL (gone)), over);
    DELETE FROM attempts a WHERE a.id = ANY (gone);
    DELETE FROM deliveries v WHERE v.download_id = ANY (gone);
    DELETE FROM external_ids x WHERE x.id = ANY (gone);
    -- A lost file that is found later has no download any more.
    UPDATE contents c SET phase = lull_content_phase('released')
        WHERE c.id = ANY (gone) AND c.phase = lull_content_phase('lost');
    DELETE FROM download_secrets s WHERE s.id = ANY (gone);
    DELETE FROM download_requests d WHERE d.id = ANY (gone);
    DELETE FROM download_results r WHERE r.id = ANY (gone);
    last := seen[cardinality(seen)];
    removed := cardinality(gone);
    RETURN NEXT;
END $$;

-- Removes deliveries that ended longer than p_age ago, even of downloads that are still there.
CREATE FUNCTION lull_forget_deliveries(p_after bigint, p_age interval, p_limit int, p_now timestamptz DEFAULT NULL)
RETURNS TABLE (last bigint, removed bigint) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    over timestamptz := least(clock_timestamp(), p_now) - p_age; seen bigint[];
BEGIN
    seen := ARRAY(SELECT d.delivery_no FROM deliveries d WHERE d.delivery_no > p_after
        ORDER BY d.delivery_no LIMIT p_limit);
    DELETE FROM deliveries d WHERE d.delivery_no IN (
        SELECT x.delivery_no FROM deliveries x
        WHERE x.delivery_no = ANY (seen) AND x.state >= lull_delivery_state('succeeded') AND x.finished_at < over
        ORDER BY x.delivery_no FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS removed = ROW_COUNT;
    last := seen[cardinality(seen)];
    RETURN NEXT;
END $$;

-- Removes versions of sessions, with their secrets, that were replaced longer than p_age ago and under which no
-- download is left: the downloads of a version were created before the next one, except the ones that were being
-- created at that moment.
CREATE FUNCTION lull_forget_session_versions(
    p_session bigint, p_version int, p_age interval, p_limit int, p_now timestamptz DEFAULT NULL)
RETURNS TABLE (last_session bigint, last_version int, removed bigint) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    over timestamptz := least(clock_timestamp(), p_now) - p_age; sessions_seen bigint[]; versions_seen int[];
BEGIN
    SELECT array_agg(z.session_no), array_agg(z.version) INTO sessions_seen, versions_seen FROM (
        SELECT v.session_no, v.version FROM session_versions v
        WHERE (v.session_no, v.version) > (p_session, p_version) ORDER BY v.session_no, v.version LIMIT p_limit) z;
    WITH unused_versions AS MATERIALIZED (
        SELECT u.session_no, u.version FROM unnest(sessions_seen, versions_seen) u(session_no, version)
        CROSS JOIN LATERAL (
            SELECT n.created_at FROM session_versions n
            WHERE n.session_no = u.session_no AND n.version > u.version ORDER BY n.version LIMIT 1) n
        WHERE n.created_at < over AND NOT EXISTS (
            SELECT 1 FROM download_requests d WHERE d.session_no = u.session_no AND d.id < (lpad(to_hex(
                floor(extract(epoch FROM n.created_at + interval '1 day') * 1000)::bigint), 12, '0')
                || 'ffffffffffffffffffff')::uuid)),
    erased_secrets AS (
        DELETE FROM session_secrets s USING unused_versions u
        WHERE s.session_no = u.session_no AND s.version = u.version),
    removed_versions AS (
        DELETE FROM session_versions v USING unused_versions u
        WHERE v.session_no = u.session_no AND v.version = u.version RETURNING 1)
    SELECT count(*) INTO removed FROM removed_versions;
    last_session := sessions_seen[cardinality(sessions_seen)];
    last_version := versions_seen[cardinality(versions_seen)];
    RETURN NEXT;
END $$;

-- Removes sessions that were invalidated longer than p_age ago and have no download, no lane, and no wake whose end is
-- still to be recorded.
CREATE FUNCTION lull_forget_sessions(p_after bigint, p_age interval, p_limit int, p_now timestamptz DEFAULT NULL)
RETURNS TABLE (last bigint, removed bigint) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    over timestamptz := least(clock_timestamp(), p_now) - p_age; seen bigint[]; gone bigint[];
BEGIN
    seen := ARRAY(SELECT s.session_no FROM sessions s WHERE s.session_no > p_after ORDER BY s.session_no LIMIT p_limit);
    gone := ARRAY(SELECT s.session_no FROM sessions s
        WHERE s.session_no = ANY (seen) AND s.state = lull_session_state('invalidated') AND s.updated_at < over
            AND NOT EXISTS (SELECT 1 FROM download_requests d WHERE d.session_no = s.session_no)
            AND NOT EXISTS (SELECT 1 FROM lane_keys l WHERE l.session_no = s.session_no)
            AND NOT EXISTS (SELECT 1 FROM wakes k WHERE k.session_no = s.session_no AND k.finish_at IS NOT NULL)
        ORDER BY s.session_no FOR UPDATE OF s SKIP LOCKED);
    WITH closed AS (
        DELETE FROM gates g WHERE g.kind = lull_gate('session') AND g.key = ANY (gone) AND g.running = 0
        RETURNING g.key)
    DELETE FROM gate_keys g USING closed c WHERE g.kind = lull_gate('session') AND g.key = c.key;
    DELETE FROM session_wakes w WHERE w.session_no = ANY (gone);
    DELETE FROM wakes k WHERE k.session_no = ANY (gone);
    DELETE FROM session_news n WHERE n.session_no = ANY (gone);
    DELETE FROM session_secrets x WHERE x.session_no = ANY (gone);
    DELETE FROM session_versions v WHERE v.session_no = ANY (gone);
    DELETE FROM sessions s WHERE s.session_no = ANY (gone);
    last := seen[cardinality(seen)];
    removed := cardinality(gone);
    RETURN NEXT;
END $$;
