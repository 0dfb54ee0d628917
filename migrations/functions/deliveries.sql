-- The outbox of webhooks.

-- The receiver of a webhook URL: scheme and authority.
CREATE FUNCTION lull_receiver(p_url text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT hashtextextended(substring(p_url from '^[a-z]+://[^/?#]*'), 0) $$;

-- Takes due deliveries, at most p_each at once for one receiver.
CREATE FUNCTION lull_claim_deliveries(p_replica bigint, p_each int, p_total int)
RETURNS TABLE (
    delivery_no bigint, event_id uuid, download_id uuid, type smallint, at timestamptz, sequence int,
    event_attempt int, url text, body text, bytes bigint, total_bytes bigint, attempt int,
    fence bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    t timestamptz := clock_timestamp();
BEGIN
    PERFORM 1 FROM replicas r WHERE r.replica_no = p_replica AND r.expires_at > t FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the lease of this replica is over' USING ERRCODE = 'LU001';
    END IF;
    RETURN QUERY
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
        LIMIT p_total)
    UPDATE deliveries d SET state = 1, replica_no = p_replica, attempt = d.attempt + 1,
        fence = d.fence + 1
    FROM pick p WHERE d.delivery_no = p.delivery_no
    RETURNING d.delivery_no, d.event_id, d.download_id, d.type, d.at, d.sequence, d.event_attempt,
        d.url, d.body, d.bytes, d.total_bytes, d.attempt, d.fence;
END $$;
