-- The journal and the outbox: every statement that changes a download records it through this one function.

-- Records what happened to downloads, in the order given, and writes a delivery for each event whose type the
-- download's webhook asked for. One event of a download and sequence at most. An event without data is rendered from
-- the row of its download when it is read, with the bytes given. Answers how many deliveries were written.
CREATE FUNCTION lull_record_events(p_events new_event[]) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    n int;
BEGIN
    WITH given AS MATERIALIZED (SELECT * FROM unnest(p_events)),
    new_events AS (
        INSERT INTO events (at, session_no, download_id, type, sequence, attempt, bytes, total_bytes, payload)
        SELECT g.at, g.session_no, g.download_id, g.type, g.sequence, g.attempt,
            CASE WHEN g.data IS NULL THEN nullif(g.bytes, 0) END,
            CASE WHEN g.data IS NULL THEN g.total_bytes END, g.data
        FROM given g
        RETURNING events.id, events.download_id, events.sequence)
    INSERT INTO deliveries (event_id, download_id, session_no, type, at, sequence, event_attempt, lane, url, body,
        bytes, total_bytes)
    SELECT e.id, g.download_id, g.session_no, g.type, g.at, g.sequence, g.attempt, lull_receiver(g.webhook_url),
        g.webhook_url, g.data, coalesce(g.bytes, 0), g.total_bytes
    FROM new_events e JOIN given g ON g.download_id = e.download_id AND g.sequence = e.sequence
    WHERE g.webhook_url IS NOT NULL AND (g.webhook_events & (1 << g.type)) <> 0;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;
