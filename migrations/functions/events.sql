-- The journal and the outbox: every statement that changes a download records its event here.

-- The identifier of an event. It sorts by time (RFC 9562, version 7): 48 bits of `at` in milliseconds, then the last 38
-- bits of `journal_no` around the variant's two, then the last 36 of `xid`, so that the position in the journal can be
-- computed from an identifier without an index.
CREATE FUNCTION lull_event_id(p_at timestamptz, p_number bigint, p_xid xid8) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex(floor(extract(epoch FROM p_at - timestamptz '1970-01-01 00:00:00+00') * 1000)::bigint), 12, '0')
        || to_hex(28672 | ((p_number >> 26) & 4095))
        || to_hex((-9223372036854775808)::bigint | ((p_number & 67108863) << 36)
            | (p_xid::text::bigint & 68719476735)))::uuid
$$;

-- Writes deliveries, and lowers next_at of their receivers; returns how many.
CREATE FUNCTION lull_enter_deliveries(p_deliveries new_delivery[]) RETURNS int LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
    names text[]; numbers bigint[]; found text[]; n int; t timestamptz;
BEGIN
    IF cardinality(p_deliveries) = 0 THEN RETURN 0; END IF;
    names := ARRAY(SELECT DISTINCT g.receiver FROM unnest(p_deliveries) g ORDER BY 1);
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
    INSERT INTO deliveries (receiver_no, download_id, sequence, run_at, url, app_no, endpoint_no)
    SELECT r.receiver_no, g.download_id, g.sequence, t, g.url, g.app_no, g.endpoint_no
    FROM unnest(p_deliveries) g JOIN unnest(numbers, found) r(receiver_no, name) ON r.name = g.receiver;
    GET DIAGNOSTICS n = ROW_COUNT;
    -- A receiver whose next_at is early enough is not written.
    numbers := ARRAY(SELECT r.receiver_no FROM receivers r
        WHERE r.receiver_no = ANY (numbers) AND r.next_at > greatest(t, r.half_open_at)
        ORDER BY r.receiver_no FOR NO KEY UPDATE);
    IF cardinality(numbers) > 0 THEN
        UPDATE receivers r SET next_at = greatest(t, r.half_open_at)
        WHERE r.receiver_no = ANY (numbers) AND r.next_at > greatest(t, r.half_open_at);
    END IF;
    RETURN n;
END $$;

-- Whether an identifier names an upload: its version is 8.
CREATE FUNCTION lull_is_upload(p_id uuid) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT get_byte(uuid_send(p_id), 6) >> 4 = 8
$$;

-- The bit of an event in a subscription: EventSet. The types from endpoint_ping to session_drained are about neither
-- downloads nor uploads.
CREATE FUNCTION lull_event_bit(p_type smallint, p_subject uuid) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT 1::bigint << (p_type + CASE
        WHEN p_type BETWEEN lull_event_type('endpoint_ping') AND lull_event_type('session_drained') THEN 0
        WHEN lull_is_upload(p_subject) THEN 32 ELSE 0 END)
$$;

-- Records events of downloads, in the given order, and writes a delivery for each event to the download's webhook_url
-- if that asked for the type, and to every endpoint of the app that wants it. A download has at most one event of each
-- sequence. An event without data is rendered from the row of its download when it is read, with the given bytes.
-- Returns how many deliveries were written.
--
-- The end of a source's look, or its request for attention, is news for the duty that closes looks, which tells the
-- session if the source asks for it.
-- Endpoints do not get the end of a look that found no change.
CREATE FUNCTION lull_record_events(p_events new_event[]) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    looks uuid[] := '{}'; quiet uuid[] := '{}';
BEGIN
    IF EXISTS (SELECT 1 FROM source_looks l WHERE l.outcome IS NULL) THEN
        SELECT coalesce(array_agg(g.download_id), '{}'), coalesce(array_agg(g.download_id)
                FILTER (WHERE g.type = lull_event_type('succeeded')
                    AND EXISTS (
                        SELECT 1 FROM download_results r WHERE r.id = g.download_id AND r.result ? 'unchanged')), '{}')
            INTO looks, quiet FROM unnest(p_events) g
            JOIN source_looks l ON l.download_id = g.download_id AND l.outcome IS NULL
            WHERE g.type IN (lull_event_type('succeeded'), lull_event_type('failed'), lull_event_type('canceled'),
                lull_event_type('attention_required'));
        INSERT INTO source_ends (download_id) SELECT u.id FROM unnest(looks) u(id) ORDER BY 1 ON CONFLICT DO NOTHING;
    END IF;
    INSERT INTO events (at, app_no, session_no, download_id, type, sequence, attempt, bytes, total_bytes, payload)
    SELECT g.at, coalesce((SELECT s.app_no FROM sessions s WHERE s.session_no = g.session_no), 0), g.session_no,
        g.download_id, g.type, g.sequence, g.attempt,
        CASE WHEN g.data IS NULL THEN nullif(g.bytes, 0) END, CASE WHEN g.data IS NULL THEN g.total_bytes END, g.data
    FROM unnest(p_events) g;
    -- Ends and requests for attention are news for their sessions.
    IF EXISTS (SELECT 1 FROM unnest(p_events) g WHERE lull_news_of(g.type) IS NOT NULL) THEN
        PERFORM lull_note_sessions(array_agg(z.session_no), array_agg(z.kind)) FROM (
            SELECT DISTINCT g.session_no, lull_news_of(g.type) AS kind FROM unnest(p_events) g
            WHERE g.download_id <> ALL (looks) OR g.type = lull_event_type('attention_required')) z
        WHERE z.kind IS NOT NULL HAVING count(*) > 0;
        INSERT INTO ephemeral_ends (id) SELECT g.download_id FROM unnest(p_events) g
            WHERE g.type IN (lull_event_type('succeeded'), lull_event_type('failed'), lull_event_type('canceled'))
                AND (SELECT s.is_ephemeral FROM sessions s WHERE s.session_no = g.session_no)
            ORDER BY 1 ON CONFLICT DO NOTHING;
    END IF;
    -- Most downloads have no webhook, and most deployments no endpoint.
    IF EXISTS (SELECT 1 FROM webhook_endpoints w
        WHERE w.id IS NOT NULL AND w.deleted_at IS NULL AND w.disabled_at IS NULL) THEN
        RETURN lull_enter_deliveries(ARRAY(
            SELECT ROW(s.app_no, NULL, lull_receiver(g.webhook_url), g.download_id, g.sequence,
                g.webhook_url)::new_delivery
            FROM unnest(p_events) g JOIN sessions s ON s.session_no = g.session_no
            WHERE g.webhook_url IS NOT NULL AND (g.webhook_events & lull_event_bit(g.type, g.download_id)) <> 0
            UNION ALL
            SELECT ROW(w.app_no, w.endpoint_no, lull_endpoint_receiver(w.endpoint_no), g.download_id, g.sequence,
                NULL)::new_delivery
            FROM unnest(p_events) g JOIN sessions s ON s.session_no = g.session_no
                JOIN webhook_endpoints w ON w.app_no = s.app_no
                    AND w.id IS NOT NULL AND w.deleted_at IS NULL AND w.disabled_at IS NULL
            WHERE (w.event_mask & lull_event_bit(g.type, g.download_id)) <> 0
                AND (w.sessions IS NULL OR s.identifier = ANY (w.sessions))
                AND g.download_id <> ALL (quiet)));
    END IF;
    IF NOT EXISTS (SELECT 1 FROM unnest(p_events) g
        WHERE g.webhook_url IS NOT NULL AND (g.webhook_events & lull_event_bit(g.type, g.download_id)) <> 0) THEN
        RETURN 0;
    END IF;
    RETURN lull_enter_deliveries(ARRAY(
        SELECT ROW(coalesce(s.app_no, 0), NULL, lull_receiver(g.webhook_url), g.download_id, g.sequence,
            g.webhook_url)::new_delivery
        FROM unnest(p_events) g LEFT JOIN sessions s ON s.session_no = g.session_no
        WHERE g.webhook_url IS NOT NULL AND (g.webhook_events & lull_event_bit(g.type, g.download_id)) <> 0));
END $$;

-- Records events of endpoints, deliveries and sessions. A ping goes to its endpoint; any other event goes to the other
-- endpoints of the app that want its type and, if it belongs to a session, its session; or exactly to p_deliveries if
-- given. Returns how many deliveries were written.
CREATE FUNCTION lull_record_app_events(p_events app_event[], p_deliveries new_delivery[] DEFAULT NULL) RETURNS int
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO events (at, app_no, session_no, download_id, type, sequence, payload)
    SELECT clock_timestamp(), g.app_no, g.session_no, g.subject, g.type, g.sequence, g.data FROM unnest(p_events) g;
    IF p_deliveries IS NOT NULL THEN RETURN lull_enter_deliveries(p_deliveries); END IF;
    RETURN lull_enter_deliveries(ARRAY(
        SELECT ROW(w.app_no, w.endpoint_no, lull_endpoint_receiver(w.endpoint_no), g.subject, g.sequence,
            NULL)::new_delivery
        FROM unnest(p_events) g JOIN webhook_endpoints w ON w.app_no = g.app_no
            AND w.id IS NOT NULL AND w.deleted_at IS NULL
            AND CASE WHEN g.type = lull_event_type('endpoint_ping') THEN w.endpoint_no = g.endpoint_no
                ELSE w.disabled_at IS NULL AND w.endpoint_no IS DISTINCT FROM g.endpoint_no
                    AND (w.event_mask & (1::bigint << g.type)) <> 0 END
        WHERE g.type = lull_event_type('endpoint_ping') OR w.sessions IS NULL OR g.session_no = 0
            OR EXISTS (SELECT 1 FROM sessions s
                WHERE s.session_no = g.session_no AND s.identifier = ANY (w.sessions))));
END $$;
