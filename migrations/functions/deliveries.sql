-- The outbox of webhooks.

-- The receiver of a webhook URL: scheme and authority.
CREATE FUNCTION lull_receiver(p_url text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT hashtextextended(substring(p_url from '^[a-z]+://[^/?#]*'), 0) $$;

-- Why a delivery for a URL that rests is given up.
CREATE FUNCTION lull_rest_reason() RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT 'the receiver answered 410 Gone to another delivery' $$;

-- URLs answered 410: they rest for p_rest, and what waits for them is given up, up to p_limit deliveries now and
-- the others when they are due. Answers the URLs, and how many deliveries were given up for each besides those
-- given.
CREATE FUNCTION lull_rest(p_numbers bigint[], p_rest interval, p_limit int)
RETURNS TABLE (app_no bigint, url text, until timestamptz, ended bigint) LANGUAGE sql AS $$
    WITH gone_urls AS MATERIALIZED (
        SELECT DISTINCT s.app_no, d.url FROM deliveries d JOIN sessions s ON s.session_no = d.session_no
        WHERE d.delivery_no = ANY (p_numbers) AND d.state = lull_delivery_state('given_up')
            AND d.last_status = 410),
    new_rests AS (
        INSERT INTO webhook_rests AS w (app_no, url, since, until)
        SELECT g.app_no, g.url, clock_timestamp(), clock_timestamp() + p_rest FROM gone_urls g
        ORDER BY g.app_no, g.url
        ON CONFLICT (app_no, url) DO UPDATE SET until = excluded.until,
            since = CASE WHEN w.until > excluded.since THEN w.since ELSE excluded.since END
        RETURNING w.app_no, w.url, w.until),
    waiting_deliveries AS MATERIALIZED (
        SELECT d.delivery_no, g.app_no, g.url
        FROM gone_urls g JOIN deliveries d ON d.lane = lull_receiver(g.url) AND d.url = g.url
            AND d.state = lull_delivery_state('pending')
        WHERE d.session_no IN (SELECT s.session_no FROM sessions s WHERE s.app_no = g.app_no)
        LIMIT p_limit FOR UPDATE OF d SKIP LOCKED),
    ended_deliveries AS (
        UPDATE deliveries d SET state = lull_delivery_state('given_up'), fence = d.fence + 1,
            finished_at = clock_timestamp(),
            last_error = lull_rest_reason()
        FROM waiting_deliveries w WHERE d.delivery_no = w.delivery_no RETURNING w.app_no, w.url)
    SELECT r.app_no, r.url, r.until,
        (SELECT count(*) FROM ended_deliveries e WHERE e.app_no = r.app_no AND e.url = r.url)
    FROM new_rests r
$$;

-- Takes due deliveries, at most p_each at once for one receiver, with what the events of their downloads are
-- rendered from: null where a download's row is gone. Those for a URL that rests are given up at once and come
-- back with is_ended.
CREATE FUNCTION lull_claim_deliveries(p_replica bigint, p_each int, p_total int)
RETURNS TABLE (
    delivery_no bigint, event_id uuid, download_id uuid, type smallint, at timestamptz, sequence int,
    event_attempt int, url text, body text, bytes bigint, total_bytes bigint, attempt int,
    fence bigint, session text, download_url text, priority double precision,
    earliest_begin_at timestamptz, expected_bytes bigint, spec text, created_at timestamptz,
    started_at timestamptz, traceparent text, is_ended boolean, result text
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    t timestamptz := clock_timestamp(); taken bigint[];
BEGIN
    PERFORM 1 FROM replicas r WHERE r.replica_no = p_replica AND r.expires_at > t FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the lease of this replica is over' USING ERRCODE = 'LU001';
    END IF;
    WITH RECURSIVE lanes AS (
        (SELECT d.lane FROM deliveries d WHERE d.state = lull_delivery_state('pending')
            ORDER BY d.lane LIMIT 1)
        UNION ALL
        SELECT n.lane FROM lanes l CROSS JOIN LATERAL (
            SELECT d.lane FROM deliveries d WHERE d.state = lull_delivery_state('pending') AND d.lane > l.lane
            ORDER BY d.lane LIMIT 1) n),
    busy_lanes AS MATERIALIZED (
        SELECT d.lane, count(*) AS n FROM deliveries d
        WHERE d.state = lull_delivery_state('sending') AND d.replica_no = p_replica GROUP BY d.lane),
    due_deliveries AS MATERIALIZED (
        SELECT c.* FROM lanes l LEFT JOIN busy_lanes b ON b.lane = l.lane
        CROSS JOIN LATERAL (
            SELECT d.delivery_no, d.session_no, d.url FROM deliveries d
            WHERE d.state = lull_delivery_state('pending') AND d.lane = l.lane AND d.run_at <= t
            ORDER BY d.run_at, d.delivery_no
            LIMIT greatest(0, p_each - coalesce(b.n, 0))
            FOR UPDATE SKIP LOCKED) c
        LIMIT p_total),
    judged_deliveries AS MATERIALIZED (
        SELECT p.delivery_no, w.since, w.until FROM due_deliveries p
        LEFT JOIN (sessions s JOIN webhook_rests w ON w.app_no = s.app_no AND w.until > t)
            ON s.session_no = p.session_no AND w.url = p.url),
    claimed_deliveries AS (
        UPDATE deliveries d SET fence = d.fence + 1,
            state = CASE WHEN p.until IS NULL THEN lull_delivery_state('sending')
                ELSE lull_delivery_state('given_up') END,
            replica_no = CASE WHEN p.until IS NULL THEN p_replica END,
            attempt = CASE WHEN p.until IS NULL THEN d.attempt + 1 ELSE d.attempt END,
            finished_at = CASE WHEN p.until IS NOT NULL THEN t END,
            last_error = CASE WHEN p.until IS NULL THEN d.last_error ELSE lull_rest_reason() END
        FROM judged_deliveries p WHERE d.delivery_no = p.delivery_no
        RETURNING d.delivery_no)
    SELECT array_agg(c.delivery_no) INTO taken FROM claimed_deliveries c;
    -- A new statement: the claim may take what was committed after it had begun, and then its own
    -- snapshot would not have the download.
    RETURN QUERY
    SELECT c.delivery_no, c.event_id, c.download_id, c.type, c.at, c.sequence, c.event_attempt,
        c.url, c.body, c.bytes, c.total_bytes, c.attempt, c.fence, d.session, d.url, d.priority,
        d.earliest_begin_at, d.expected_bytes, d.spec::text, d.created_at, d.started_at,
        d.spec->>'traceparent', c.state = lull_delivery_state('given_up'),
        CASE WHEN c.body IS NULL AND c.type IN (lull_event_type('succeeded'), lull_event_type('failed'),
            lull_event_type('canceled')) THEN d.result::text END
    FROM deliveries c LEFT JOIN downloads d ON d.id = c.download_id
    WHERE c.delivery_no = ANY (taken) ORDER BY c.run_at, c.delivery_no;
END $$;
