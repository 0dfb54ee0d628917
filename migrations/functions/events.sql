-- The journal and the outbox: every statement that changes a download records it through this one function.

-- The identifier of an event. It sorts by time (RFC 9562, version 7): 48 bits of `at` in milliseconds, then the last
-- 38 bits of `journal_no` around the variant's two, then the last 36 of `xid`, so that an identifier leads to its
-- place without an index of its own.
CREATE FUNCTION lull_event_id(p_at timestamptz, p_number bigint, p_xid xid8) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex(floor(extract(epoch FROM p_at - timestamptz '1970-01-01 00:00:00+00') * 1000)::bigint), 12, '0')
        || to_hex(28672 | ((p_number >> 26) & 4095))
        || to_hex((-9223372036854775808)::bigint | ((p_number & 67108863) << 36)
            | (p_xid::text::bigint & 68719476735)))::uuid
$$;

-- Writes the deliveries of events whose types the downloads' webhooks asked for; answers how many.
CREATE FUNCTION lull_write_deliveries(p_events new_event[]) RETURNS int LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
    names text[]; numbers bigint[]; found text[]; n int; t timestamptz;
BEGIN
    names := ARRAY(SELECT DISTINCT lull_receiver(g.webhook_url) FROM unnest(p_events) g
        WHERE g.webhook_url IS NOT NULL AND (g.webhook_events & (1 << g.type)) <> 0 ORDER BY 1);
    LOOP
        SELECT array_agg(r.receiver_no), array_agg(r.receiver) INTO numbers, found FROM (
            SELECT x.receiver_no, x.receiver FROM receivers x WHERE x.receiver = ANY (names)
            ORDER BY x.receiver_no FOR KEY SHARE) r;
        EXIT WHEN cardinality(found) = cardinality(names);
        INSERT INTO receivers (receiver)
            SELECT u.name FROM unnest(names) u(name) WHERE u.name <> ALL (coalesce(found, '{}')) ORDER BY 1
            ON CONFLICT DO NOTHING;
    END LOOP;
    t := clock_timestamp();
    INSERT INTO deliveries (receiver_no, download_id, sequence, run_at, url)
    SELECT r.receiver_no, g.download_id, g.sequence, t, g.webhook_url
    FROM unnest(p_events) g JOIN unnest(numbers, found) r(receiver_no, name) ON r.name = lull_receiver(g.webhook_url)
    WHERE g.webhook_url IS NOT NULL AND (g.webhook_events & (1 << g.type)) <> 0;
    GET DIAGNOSTICS n = ROW_COUNT;
    -- One with a backlog is not written.
    numbers := ARRAY(SELECT r.receiver_no FROM receivers r
        WHERE r.receiver_no = ANY (numbers) AND r.next_at > greatest(t, r.half_open_at)
        ORDER BY r.receiver_no FOR NO KEY UPDATE);
    IF cardinality(numbers) > 0 THEN
        UPDATE receivers r SET next_at = greatest(t, r.half_open_at)
        WHERE r.receiver_no = ANY (numbers) AND r.next_at > greatest(t, r.half_open_at);
    END IF;
    RETURN n;
END $$;

-- Records what happened to downloads, in the order given, and writes a delivery for each event whose type the
-- download's webhook asked for. One event of a download and sequence at most. An event without data is rendered from
-- the row of its download when it is read, with the bytes given. Answers how many deliveries were written.
CREATE FUNCTION lull_record_events(p_events new_event[]) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO events (at, app_no, session_no, download_id, type, sequence, attempt, bytes, total_bytes, payload)
    SELECT g.at, coalesce((SELECT s.app_no FROM sessions s WHERE s.session_no = g.session_no), 0), g.session_no,
        g.download_id, g.type, g.sequence, g.attempt,
        CASE WHEN g.data IS NULL THEN nullif(g.bytes, 0) END, CASE WHEN g.data IS NULL THEN g.total_bytes END, g.data
    FROM unnest(p_events) g;
    -- Most downloads have no webhook.
    IF NOT EXISTS (SELECT 1 FROM unnest(p_events) g
        WHERE g.webhook_url IS NOT NULL AND (g.webhook_events & (1 << g.type)) <> 0) THEN
        RETURN 0;
    END IF;
    RETURN lull_write_deliveries(p_events);
END $$;
