-- The outbox of webhooks.

-- The receiver of a webhook URL: scheme and authority.
CREATE FUNCTION lull_receiver(p_url text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT hashtextextended(substring(p_url from '^[a-z]+://[^/?#]*'), 0) $$;

-- Takes due deliveries, at most p_each at once for one receiver, with what the events of their downloads are
-- rendered from: null where a download's row is gone.
CREATE FUNCTION lull_claim_deliveries(p_replica bigint, p_each int, p_total int)
RETURNS TABLE (
    delivery_no bigint, event_id uuid, download_id uuid, type smallint, at timestamptz, sequence int,
    event_attempt int, url text, body text, bytes bigint, total_bytes bigint, attempt int,
    fence bigint, session text, download_url text, priority double precision,
    earliest_begin_at timestamptz, expected_bytes bigint, spec text, created_at timestamptz,
    started_at timestamptz, traceparent text
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    t timestamptz := clock_timestamp(); taken bigint[];
BEGIN
    PERFORM 1 FROM replicas r WHERE r.replica_no = p_replica AND r.expires_at > t FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the lease of this replica is over' USING ERRCODE = 'LU001';
    END IF;
    WITH RECURSIVE l AS (
        (SELECT d.lane FROM deliveries d WHERE d.state = 0 ORDER BY d.lane LIMIT 1)
        UNION ALL
        SELECT n.lane FROM l CROSS JOIN LATERAL (
            SELECT d.lane FROM deliveries d WHERE d.state = 0 AND d.lane > l.lane
            ORDER BY d.lane LIMIT 1) n),
    busy AS MATERIALIZED (
        SELECT d.lane, count(*) AS n FROM deliveries d
        WHERE d.state = 1 AND d.replica_no = p_replica GROUP BY d.lane),
    pick AS MATERIALIZED (
        SELECT c.delivery_no FROM l LEFT JOIN busy b ON b.lane = l.lane
        CROSS JOIN LATERAL (
            SELECT d.delivery_no FROM deliveries d
            WHERE d.state = 0 AND d.lane = l.lane AND d.run_at <= t
            ORDER BY d.run_at, d.delivery_no
            LIMIT greatest(0, p_each - coalesce(b.n, 0))
            FOR UPDATE SKIP LOCKED) c
        LIMIT p_total),
    claimed AS (
        UPDATE deliveries d SET state = 1, replica_no = p_replica, attempt = d.attempt + 1,
            fence = d.fence + 1
        FROM pick p WHERE d.delivery_no = p.delivery_no RETURNING d.delivery_no)
    SELECT array_agg(c.delivery_no) INTO taken FROM claimed c;
    -- A new statement: the claim may take what was committed after it had begun, and then its own
    -- snapshot would not have the download.
    RETURN QUERY
    SELECT c.delivery_no, c.event_id, c.download_id, c.type, c.at, c.sequence, c.event_attempt,
        c.url, c.body, c.bytes, c.total_bytes, c.attempt, c.fence, d.session, d.url, d.priority,
        d.earliest_begin_at, d.expected_bytes, d.spec::text, d.created_at, d.started_at,
        d.spec->>'traceparent'
    FROM deliveries c LEFT JOIN downloads d ON d.id = c.download_id
    WHERE c.delivery_no = ANY (taken) ORDER BY c.run_at, c.delivery_no;
END $$;
