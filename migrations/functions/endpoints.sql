-- Webhook endpoints: recording events about them, disabling them, and repeating deliveries to them. Lock order:
-- receivers, deliveries, webhook_tallies by endpoint, webhook_endpoints by number.

-- Records an event for each given-up delivery, unless that was about endpoints or deliveries itself, or about progress.
-- The event has no text that the DELETE of the download would have to erase: no webhook_url, and no answer of its
-- receiver.
CREATE FUNCTION lull_record_exhausted(p_numbers bigint[]) RETURNS int LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    found app_event[];
BEGIN
    found := ARRAY(
        SELECT ROW(d.app_no, e.session_no, lull_delivery_id(d.delivery_no), lull_event_type('delivery_exhausted'),
            d.attempt, d.endpoint_no, (
                SELECT row_to_json(x)::text FROM (SELECT lull_id_text('whd', lull_delivery_id(d.delivery_no)) AS id,
                    lull_id_text('evt', lull_event_id(e.at, e.journal_no, e.xid)) AS event,
                    CASE WHEN e.type < lull_event_type('session_wake') THEN lull_id_text('dl', d.download_id) END
                        AS download,
                    coalesce(lull_id_text('whe', w.id), 'default') AS endpoint, w.url AS url, d.attempt AS attempts,
                    d.last_status AS http_status) x))::app_event
        FROM unnest(p_numbers) u(no) JOIN deliveries d ON d.delivery_no = u.no
            JOIN events e ON e.download_id = d.download_id AND e.sequence = d.sequence
            LEFT JOIN webhook_endpoints w ON w.endpoint_no = d.endpoint_no
        WHERE e.type NOT IN (lull_event_type('progress'), lull_event_type('endpoint_ping'),
            lull_event_type('endpoint_disabled'), lull_event_type('delivery_exhausted'))
        ORDER BY u.no);
    IF cardinality(found) = 0 THEN RETURN 0; END IF;
    RETURN lull_record_app_events(found);
END $$;

-- Disables endpoints, records this, and abandons their waiting deliveries: up to 10,000 now, the others when they are
-- due. The caller has locked the receivers of the resulting events.
CREATE FUNCTION lull_disable_endpoints(p_endpoints bigint[], p_reasons text[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    found app_event[];
BEGIN
    WITH changed_endpoints AS (
        UPDATE webhook_endpoints w SET disabled_at = clock_timestamp(), disabled_reason = u.reason,
            version = w.version + 1, sequence = w.sequence + 1, updated_at = clock_timestamp()
        FROM unnest(p_endpoints, p_reasons) u(no, reason)
        WHERE w.endpoint_no = u.no AND w.disabled_at IS NULL AND w.deleted_at IS NULL RETURNING w.*)
    SELECT array_agg(ROW(c.app_no, 0, c.id, lull_event_type('endpoint_disabled'), c.sequence, c.endpoint_no, (
        SELECT row_to_json(x)::text FROM (SELECT lull_id_text('whe', c.id) AS id, c.url AS url, c.description,
            lull_instant_text(c.disabled_at) AS disabled_at, c.disabled_reason) x))::app_event ORDER BY c.endpoint_no)
    INTO found FROM changed_endpoints c;
    IF cardinality(found) > 0 THEN PERFORM lull_record_app_events(found); END IF;
    PERFORM lull_abandon_deliveries(u.no, 'the endpoint is disabled', 10000) FROM unnest(p_endpoints) u(no);
END $$;

-- Abandons up to p_limit waiting deliveries of an endpoint, pings excepted; returns how many.
CREATE FUNCTION lull_abandon_deliveries(p_endpoint bigint, p_reason text, p_limit int) RETURNS int LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    n int;
BEGIN
    UPDATE deliveries d SET state = lull_delivery_state('abandoned'), fence = d.fence + 1,
        finished_at = clock_timestamp(), last_error = p_reason
    FROM (SELECT x.delivery_no FROM receivers r JOIN deliveries x ON x.receiver_no = r.receiver_no
            AND x.state = lull_delivery_state('pending') AND x.endpoint_no = p_endpoint
        WHERE r.receiver = lull_endpoint_receiver(p_endpoint)
        LIMIT p_limit FOR UPDATE OF x SKIP LOCKED) o
    WHERE d.delivery_no = o.delivery_no AND NOT EXISTS (SELECT 1 FROM events e
        WHERE e.download_id = d.download_id AND e.sequence = d.sequence AND e.type = lull_event_type('endpoint_ping'));
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

-- Counts the outcomes of tries, and disables endpoints: at once if the answer was 410, and if no 2xx came for p_after
-- and at least p_failures tries failed over p_spread or longer. Deliveries of progress and pings never disable one.
--
-- p_numbers: deliveries that this transaction has written.
CREATE FUNCTION lull_tally_endpoints(
    p_numbers bigint[], p_after interval, p_failures int, p_spread interval,
    OUT disabled uuid[], OUT reasons text[]
) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    t timestamptz := clock_timestamp(); touched bigint[]; gone bigint[]; numbers bigint[];
BEGIN
    WITH outcomes AS MATERIALIZED (
        SELECT d.endpoint_no, d.state = lull_delivery_state('succeeded') AS is_success, d.last_status,
            d.state <> lull_delivery_state('succeeded') AND NOT EXISTS (SELECT 1 FROM events e
                WHERE e.download_id = d.download_id AND e.sequence = d.sequence
                    AND e.type IN (lull_event_type('progress'), lull_event_type('endpoint_ping'))) AS is_failure
        FROM deliveries d WHERE d.delivery_no = ANY (p_numbers) AND d.endpoint_no IS NOT NULL),
    sums AS MATERIALIZED (
        SELECT o.endpoint_no, count(*) FILTER (WHERE o.is_success) AS good,
            count(*) FILTER (WHERE NOT o.is_success) AS bad, count(*) FILTER (WHERE o.is_failure) AS counted,
            bool_or(o.is_failure AND o.last_status = 410) AS is_gone
        FROM outcomes o GROUP BY 1 ORDER BY 1),
    new_tallies AS (
        INSERT INTO webhook_tallies AS y (endpoint_no, succeeded, failed, last_success_at, last_failure_at,
            failing_since, failures)
        SELECT s.endpoint_no, s.good, s.bad, CASE WHEN s.good > 0 THEN t END, CASE WHEN s.bad > 0 THEN t END,
            CASE WHEN s.good = 0 AND s.counted > 0 THEN t END, CASE WHEN s.good = 0 THEN s.counted ELSE 0 END
        FROM sums s ORDER BY s.endpoint_no
        ON CONFLICT (endpoint_no) DO UPDATE SET succeeded = y.succeeded + excluded.succeeded,
            failed = y.failed + excluded.failed,
            last_success_at = coalesce(excluded.last_success_at, y.last_success_at),
            last_failure_at = coalesce(excluded.last_failure_at, y.last_failure_at),
            failing_since = CASE WHEN excluded.succeeded = 0 THEN coalesce(y.failing_since, excluded.failing_since) END,
            failures = CASE WHEN excluded.succeeded = 0 THEN y.failures + excluded.failures ELSE 0 END
        RETURNING y.endpoint_no)
    SELECT array_agg(s.endpoint_no) FILTER (WHERE s.counted > 0),
        array_agg(s.endpoint_no) FILTER (WHERE s.is_gone)
    INTO touched, gone FROM sums s JOIN new_tallies n USING (endpoint_no);
    IF touched IS NULL THEN RETURN; END IF;
    SELECT array_agg(w.endpoint_no), array_agg(w.id),
        array_agg(CASE WHEN w.endpoint_no = ANY (gone) THEN 'gone' ELSE 'failing' END)
    INTO numbers, disabled, reasons FROM (
        SELECT w.endpoint_no, w.id FROM webhook_endpoints w JOIN webhook_tallies y USING (endpoint_no)
        WHERE w.endpoint_no = ANY (touched) AND w.disabled_at IS NULL AND w.deleted_at IS NULL
            AND (w.endpoint_no = ANY (gone) OR (y.failures >= p_failures AND y.failing_since <= t - p_after
                AND y.last_failure_at - y.failing_since >= p_spread))
        ORDER BY w.endpoint_no FOR UPDATE OF w) w;
    IF numbers IS NOT NULL THEN PERFORM lull_disable_endpoints(numbers, reasons); END IF;
END $$;

-- Creates a ping delivery for an endpoint; returns its number, null if there is no such endpoint.
CREATE FUNCTION lull_ping_endpoint(p_app bigint, p_id uuid) RETURNS bigint LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    hook webhook_endpoints; number bigint;
BEGIN
    PERFORM 1 FROM receivers r WHERE r.receiver = (SELECT lull_endpoint_receiver(w.endpoint_no)
        FROM webhook_endpoints w WHERE w.app_no = p_app AND w.id = p_id) FOR NO KEY UPDATE;
    UPDATE webhook_endpoints w SET sequence = w.sequence + 1
        WHERE w.app_no = p_app AND w.id = p_id AND w.deleted_at IS NULL
        RETURNING w.* INTO hook;
    IF NOT FOUND THEN RETURN NULL; END IF;
    PERFORM lull_record_app_events(ARRAY[ROW(hook.app_no, 0, hook.id, lull_event_type('endpoint_ping'), hook.sequence,
        hook.endpoint_no, (SELECT row_to_json(x)::text FROM (SELECT lull_id_text('whe', hook.id) AS id, hook.url AS url,
            hook.description AS description) x))::app_event]);
    SELECT d.delivery_no INTO number FROM deliveries d
        WHERE d.download_id = hook.id AND d.sequence = hook.sequence;
    RETURN number;
END $$;

-- Makes an ended delivery wait again, with its schedule from the beginning; its outcome so far stays among its tries.
-- p_is_forced: even if it succeeded. An erased delivery stays as it is. Returns the deliveries that wait now.
CREATE FUNCTION lull_redeliver(p_app bigint, p_numbers bigint[], p_is_forced boolean) RETURNS bigint[] LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    t timestamptz := clock_timestamp(); numbers bigint[]; names text[]; found bigint[];
BEGIN
    names := ARRAY(SELECT DISTINCT r.receiver FROM (
        SELECT CASE WHEN d.endpoint_no IS NULL THEN lull_receiver(lull_delivery_url(d.url, w.spec, e.type))
            ELSE lull_endpoint_receiver(d.endpoint_no) END AS receiver
        FROM deliveries d LEFT JOIN download_requests w ON w.id = d.download_id
            LEFT JOIN events e ON e.download_id = d.download_id AND e.sequence = d.sequence
        WHERE d.delivery_no = ANY (p_numbers) AND d.app_no = p_app) r WHERE r.receiver IS NOT NULL ORDER BY 1);
    INSERT INTO receivers (receiver) SELECT u.name FROM unnest(names) u(name)
        WHERE NOT EXISTS (SELECT 1 FROM receivers r WHERE r.receiver = u.name) ORDER BY 1 ON CONFLICT DO NOTHING;
    found := ARRAY(SELECT r.receiver_no FROM receivers r WHERE r.receiver = ANY (names)
        ORDER BY r.receiver_no FOR NO KEY UPDATE);
    WITH locked_deliveries AS MATERIALIZED (
        SELECT d.delivery_no, CASE WHEN d.endpoint_no IS NULL THEN lull_delivery_url(d.url, w.spec, e.type) END AS url,
            CASE WHEN d.endpoint_no IS NULL THEN lull_receiver(lull_delivery_url(d.url, w.spec, e.type))
                ELSE lull_endpoint_receiver(d.endpoint_no) END AS receiver
        FROM deliveries d LEFT JOIN download_requests w ON w.id = d.download_id
            JOIN events e ON e.download_id = d.download_id AND e.sequence = d.sequence
        WHERE d.delivery_no = ANY (p_numbers) AND d.app_no = p_app
            AND (d.state >= lull_delivery_state('exhausted')
                OR p_is_forced AND d.state = lull_delivery_state('succeeded'))
            AND (w.id IS NOT NULL OR e.payload IS NOT NULL)
        ORDER BY d.delivery_no FOR UPDATE OF d),
    changed_deliveries AS (
        UPDATE deliveries d SET state = lull_delivery_state('pending'), run_at = t, finished_at = NULL,
            fence = d.fence + 1, redelivered_after = d.attempt, url = o.url, receiver_no = r.receiver_no,
            notice_no = NULL,
            tries = CASE WHEN d.tries IS NULL AND d.attempt > 0 THEN jsonb_build_array(jsonb_build_object(
                'at', lull_instant_text(d.finished_at), 'ms', d.last_ms, 'status', d.last_status)) ELSE d.tries END
        FROM locked_deliveries o JOIN receivers r ON r.receiver = o.receiver
        WHERE d.delivery_no = o.delivery_no RETURNING d.delivery_no)
    SELECT array_agg(c.delivery_no) INTO numbers FROM changed_deliveries c;
    PERFORM lull_lower_receivers(found);
    RETURN coalesce(numbers, '{}');
END $$;

-- The URL of a delivery: its own, or that of the download whose event it sends.
CREATE FUNCTION lull_delivery_url(p_url text, p_spec jsonb, p_type smallint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(p_url, CASE p_type
        WHEN lull_event_type('will_begin') THEN p_spec->'begin_hook'->>'url'
        WHEN lull_event_type('will_send') THEN p_spec->'relay'->'hook'->>'url'
        ELSE p_spec->>'webhook_url' END)
$$;

-- A position in an app's journal behind which all events happened at p_at or later, with a tolerance of an hour.
CREATE FUNCTION lull_journal_place(p_app bigint, p_at timestamptz) RETURNS xid8 LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    low numeric; high numeric; middle numeric; seen timestamptz;
BEGIN
    SELECT e.xid::text::numeric - 1 INTO low FROM events e WHERE e.app_no = p_app
        ORDER BY e.xid, e.journal_no LIMIT 1;
    IF NOT FOUND THEN RETURN '0'::xid8; END IF;
    SELECT e.xid::text::numeric INTO high FROM events e WHERE e.app_no = p_app
        ORDER BY e.xid DESC, e.journal_no DESC LIMIT 1;
    WHILE low < high LOOP
        middle := floor((low + high) / 2);
        SELECT e.at INTO seen FROM events e WHERE e.app_no = p_app AND e.xid > middle::text::xid8
            ORDER BY e.xid, e.journal_no LIMIT 1;
        IF seen >= p_at - interval '1 hour' THEN high := middle; ELSE low := middle + 1; END IF;
    END LOOP;
    RETURN low::text::xid8;
END $$;

-- Repeats the deliveries of download events from p_since to p_until that an endpoint did not get: given-up and
-- abandoned ones, and events of the time in which it was disabled. For an app's webhook_urls (p_id is null) it repeats
-- given-up deliveries. It creates at most p_limit deliveries, from p_scanned events or deliveries. Returns how many
-- wait now, and whether the range is complete; null if there is no such endpoint.
CREATE FUNCTION lull_recover_deliveries(
    p_app bigint, p_id uuid, p_since timestamptz, p_until timestamptz, p_limit int, p_scanned int,
    OUT queued int, OUT is_complete boolean
) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    hook webhook_endpoints; again bigint[]; fresh new_delivery[]; seen int;
BEGIN
    IF p_id IS NULL THEN
        SELECT array_agg(x.delivery_no), count(*) INTO again, seen FROM (
            SELECT d.delivery_no FROM (SELECT z.* FROM deliveries z
                    WHERE z.app_no = p_app AND z.state >= lull_delivery_state('exhausted')
                    ORDER BY z.delivery_no DESC LIMIT p_scanned) d
                JOIN events e ON e.download_id = d.download_id AND e.sequence = d.sequence
            WHERE d.endpoint_no IS NULL AND e.at >= p_since AND e.at <= p_until LIMIT p_limit) x;
        queued := cardinality(lull_redeliver(p_app, coalesce(again, '{}'), false));
        is_complete := seen < p_limit;
        RETURN;
    END IF;
    SELECT * INTO hook FROM webhook_endpoints w
        WHERE w.app_no = p_app AND w.id = p_id AND w.deleted_at IS NULL;
    IF NOT FOUND THEN RETURN; END IF;
    WITH past_events AS MATERIALIZED (
        SELECT z.* FROM events z
        WHERE z.app_no = p_app AND z.xid > lull_journal_place(p_app, p_since)
        ORDER BY z.xid, z.journal_no LIMIT p_scanned),
    missed_events AS MATERIALIZED (
        SELECT e.download_id, e.sequence, d.delivery_no FROM past_events e
            LEFT JOIN deliveries d ON d.download_id = e.download_id AND d.sequence = e.sequence
                AND d.endpoint_no = hook.endpoint_no
        WHERE e.at >= p_since AND e.at <= p_until AND (hook.event_mask & lull_event_bit(e.type, e.download_id)) <> 0
            AND e.type NOT IN (lull_event_type('endpoint_ping'), lull_event_type('endpoint_disabled'),
                lull_event_type('delivery_exhausted'), lull_event_type('session_wake'))
            AND (hook.sessions IS NULL OR e.session_no = 0 OR EXISTS (SELECT 1 FROM sessions s
                WHERE s.session_no = e.session_no AND s.identifier = ANY (hook.sessions)))
            AND (d.delivery_no IS NULL OR d.state >= lull_delivery_state('exhausted'))
        LIMIT p_limit)
    SELECT array_agg(m.delivery_no) FILTER (WHERE m.delivery_no IS NOT NULL),
        array_agg(ROW(p_app, hook.endpoint_no, lull_endpoint_receiver(hook.endpoint_no), m.download_id, m.sequence,
            NULL)::new_delivery) FILTER (WHERE m.delivery_no IS NULL),
        greatest(CASE WHEN count(*) = p_limit THEN p_scanned ELSE 0 END,
            (SELECT count(*) FROM past_events)::int)
    INTO again, fresh, seen FROM missed_events m;
    queued := cardinality(lull_redeliver(p_app, coalesce(again, '{}'), false))
        + lull_enter_deliveries(coalesce(fresh, '{}'));
    is_complete := seen < p_scanned;
END $$;

-- Removes endpoints that were deleted longer than p_age ago and have no delivery left, at most p_limit.
CREATE FUNCTION lull_forget_endpoints(p_age interval, p_limit int, p_now timestamptz DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    gone bigint[];
BEGIN
    gone := ARRAY(SELECT w.endpoint_no FROM webhook_endpoints w
        WHERE w.deleted_at < least(statement_timestamp(), p_now) - p_age
            AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.endpoint_no = w.endpoint_no)
        ORDER BY w.endpoint_no LIMIT p_limit FOR UPDATE SKIP LOCKED);
    DELETE FROM webhook_tallies y WHERE y.endpoint_no = ANY (gone);
    DELETE FROM webhook_endpoints w WHERE w.endpoint_no = ANY (gone);
    RETURN cardinality(gone);
END $$;
