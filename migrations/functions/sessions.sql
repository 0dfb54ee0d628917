-- Sessions: their news, their wakes and their events. Lock order: the advisory lock of an app's queue, that of its
-- uploads' bytes, that of a session (only tried), session_wakes, wakes, then as in claim.sql and deliveries.sql. A
-- transaction that notes news holds the advisory lock in shared mode until its commit.

-- The advisory lock of a session.
CREATE FUNCTION lull_session_lock(p_session bigint) RETURNS int LANGUAGE sql IMMUTABLE AS
$$ SELECT (p_session % 2147483647)::int $$;

-- The instants at which a session was suspended and resumed, in turn, with its present state: an odd number of them
-- means that the session is suspended. The last 64 spans are kept.
CREATE FUNCTION lull_suspensions(p_changes timestamptz[], p_is_suspended boolean, p_at timestamptz)
RETURNS timestamptz[] LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_is_suspended = (cardinality(p_changes) % 2 = 1) THEN p_changes
        WHEN cardinality(p_changes) >= 128 THEN p_changes[3:] || p_at
        ELSE p_changes || p_at END
$$;

-- The instant since which a session is suspended; null if it is not. Statements that read single downloads call it for
-- suspended sessions alone, and do not read the table for others.
CREATE FUNCTION lull_suspended_since(p_session bigint) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT s.suspensions[cardinality(s.suspensions)] FROM sessions s
        WHERE s.session_no = p_session AND cardinality(s.suspensions) % 2 = 1);
END $$;

-- Keeps sessions from ending until the commit: a transaction that ends one takes this lock exclusively. Returns the
-- sessions that take no downloads any more.
CREATE FUNCTION lull_hold_sessions(p_sessions bigint[]) RETURNS bigint[] LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(5499, z.lock) FROM (
        SELECT DISTINCT lull_session_lock(u.session_no) AS lock FROM unnest(p_sessions) u(session_no) ORDER BY 1) z;
    -- A new statement sees the sessions that were committed before the lock.
    RETURN ARRAY(SELECT s.session_no FROM sessions s
        WHERE s.session_no = ANY (p_sessions) AND s.state >= lull_session_state('invalidating'));
END $$;

-- The number of further downloads that apps may have waiting or running, one row for each app with a limit. Until the
-- commit other transactions wait to read the room of these apps, so that they count the downloads that were granted.
CREATE FUNCTION lull_queue_room(p_apps bigint[]) RETURNS TABLE (app_no bigint, room bigint) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    limited bigint[] := ARRAY(SELECT a.app_no FROM apps a
        WHERE a.app_no = ANY (p_apps) AND a.queued_at_most IS NOT NULL);
BEGIN
    IF cardinality(limited) = 0 THEN RETURN; END IF;
    PERFORM pg_advisory_xact_lock(5500, z.lock) FROM (
        SELECT DISTINCT (u.app_no % 2147483647)::int AS lock FROM unnest(limited) u(app_no) ORDER BY 1) z;
    -- A new statement counts the downloads that were committed before the lock.
    RETURN QUERY SELECT a.app_no, a.queued_at_most - (
            SELECT coalesce(sum(c.change), 0)::bigint FROM queued_counts c WHERE c.app_no = a.app_no)
        FROM apps a WHERE a.app_no = ANY (limited) AND a.queued_at_most IS NOT NULL;
END $$;

-- Checks that new downloads may enter the queue, by the session and the app of each: LU005 if an app would have more
-- than its limit, LU004 if a session takes no downloads any more. Downloads that return to the queue pass the same two
-- checks in QueueGate.
CREATE FUNCTION lull_admit(p_sessions bigint[], p_apps bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM lull_queue_room(p_apps) r
        WHERE r.room < (SELECT count(*) FROM unnest(p_apps) u(app_no) WHERE u.app_no = r.app_no))
    THEN
        RAISE EXCEPTION 'the app has reached its limit of waiting and running downloads' USING ERRCODE = 'LU005';
    END IF;
    IF cardinality(lull_hold_sessions(p_sessions)) > 0 THEN
        RAISE EXCEPTION 'the session takes no new downloads' USING ERRCODE = 'LU004';
    END IF;
END $$;

-- The number of further bytes that the uploads of apps may have here, one row for each app with a limit. Until the
-- commit other transactions wait to read the room of these apps. Its lock comes after that of lull_queue_room.
CREATE FUNCTION lull_staging_room(p_apps bigint[]) RETURNS TABLE (app_no bigint, room bigint) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    limited bigint[] := ARRAY(SELECT a.app_no FROM apps a
        WHERE a.app_no = ANY (p_apps) AND a.staged_bytes_at_most IS NOT NULL);
BEGIN
    IF cardinality(limited) = 0 THEN RETURN; END IF;
    PERFORM pg_advisory_xact_lock(5501, z.lock) FROM (
        SELECT DISTINCT (u.app_no % 2147483647)::int AS lock FROM unnest(limited) u(app_no) ORDER BY 1) z;
    -- A new statement counts the uploads that were committed before the lock.
    RETURN QUERY SELECT a.app_no, greatest(-1, a.staged_bytes_at_most - (
            SELECT coalesce(sum(q.expected_bytes), 0) FROM queue q
            WHERE q.app_no = a.app_no AND get_byte(uuid_send(q.id), 6) >> 4 = 8))::bigint
        FROM apps a WHERE a.app_no = ANY (limited) AND a.staged_bytes_at_most IS NOT NULL;
END $$;

-- Checks that new uploads keep to the limits of their apps, by the app and the length of each: LU006 if the uploads of
-- an app would have more bytes here than they may. Uploads that return to the queue pass the same check in QueueGate.
CREATE FUNCTION lull_admit_uploads(p_apps bigint[], p_lengths bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM lull_staging_room(p_apps) r WHERE r.room < (
        SELECT sum(u.length) FROM unnest(p_apps, p_lengths) u(app_no, length) WHERE u.app_no = r.app_no))
    THEN
        RAISE EXCEPTION 'the app has reached the limit of its uploads'' bytes' USING ERRCODE = 'LU006';
    END IF;
END $$;

-- Notes that sessions have news, by bits of lull_session_news. A check of the session deletes notes under the exclusive
-- lock, so a note that is visible here stays until this commit and need not be written again.
CREATE FUNCTION lull_note_sessions(p_sessions bigint[], p_kinds smallint[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(5497, z.lock) FROM (
        SELECT DISTINCT lull_session_lock(u.session_no) AS lock FROM unnest(p_sessions) u(session_no) ORDER BY 1) z;
    INSERT INTO session_news (session_no, kind)
        SELECT DISTINCT u.session_no, u.kind FROM unnest(p_sessions, p_kinds) u(session_no, kind)
        WHERE NOT EXISTS (SELECT 1 FROM session_news n WHERE n.session_no = u.session_no AND n.kind = u.kind);
END $$;

-- The kind of news that an event is for its session; null for none.
CREATE FUNCTION lull_news_of(p_type smallint) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
    SELECT (CASE p_type WHEN lull_event_type('succeeded') THEN lull_session_news('completed')
        WHEN lull_event_type('failed') THEN lull_session_news('failed')
        WHEN lull_event_type('canceled') THEN lull_session_news('ended')
        WHEN lull_event_type('attention_required') THEN lull_session_news('attention_required') END)::smallint
$$;

-- Whether a session has a live download: one that runs, waits for the client, or waits for its turn.
CREATE FUNCTION lull_session_is_live(p_session bigint) RETURNS boolean LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    RETURN EXISTS (SELECT 1 FROM lull_gate_of(lull_gate('session'), p_session) g WHERE g.running > 0)
        OR EXISTS (SELECT 1 FROM queue q WHERE q.session_no = p_session AND q.state > lull_state('running'))
        OR EXISTS (SELECT 1 FROM queue q WHERE q.session_no = p_session
            AND q.lane_flags & lull_lane_flag('stages') <> 0)
        OR EXISTS (SELECT 1 FROM lanes l WHERE l.session_no = p_session AND l.next_at < 'infinity'
            AND lull_lane_head(l.lane_no, '-infinity') IS NOT NULL);
END $$;

-- Returns the sessions to check, p_limit of each kind: those with news, and those whose instant has come.
CREATE FUNCTION lull_due_sessions(p_limit int) RETURNS SETOF bigint LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    t timestamptz := clock_timestamp();
BEGIN
    RETURN QUERY
    SELECT DISTINCT z.session_no FROM (
        (SELECT n.session_no FROM session_news n LIMIT p_limit)
        UNION ALL
        (SELECT w.session_no FROM session_wakes w WHERE w.next_at <= t AND w.next_at < 'infinity'
            ORDER BY w.next_at LIMIT p_limit)) z;
END $$;

-- The position in an app's journal that includes all ends and requests for attention of a session: that of the last
-- one, or a later one if the last thousand events of the app have none of them.
CREATE FUNCTION lull_session_place(p_app bigint, p_session bigint, OUT xid xid8, OUT journal_no bigint)
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    last events;
BEGIN
    FOR last IN SELECT e.* FROM events e WHERE e.app_no = p_app
        ORDER BY e.xid DESC, e.journal_no DESC LIMIT 1000
    LOOP
        xid := last.xid;
        journal_no := last.journal_no;
        EXIT WHEN last.session_no = p_session AND lull_news_of(last.type) IS NOT NULL;
    END LOOP;
    xid := coalesce(xid, '0'::xid8);
    journal_no := coalesce(journal_no, 0);
END $$;

-- Begins a look at a session: locks it, takes its news, and answers what SessionWake judges by; no row where another
-- transaction has it, or writes news of it. The session is locked until the commit.
CREATE FUNCTION lull_look_at_session(p_session bigint) RETURNS TABLE (
    looked_at timestamptz, news smallint, is_live boolean, is_background_live boolean, can_wake boolean,
    session_state smallint, delay bigint, last_wake_at timestamptz, quiet_since timestamptz,
    had_background boolean, is_muted boolean, held_news smallint, wake_id uuid, wake_state smallint, delivery int,
    sent_at timestamptz, expires_at timestamptz, extended int, reasons smallint, delivery_state smallint,
    delivery_status int, delivery_at timestamptz, listens_until timestamptz, has_heard boolean
) LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    found_news smallint; app bigint; name text; need bigint; place record;
    until timestamptz; heard boolean; d deliveries;
BEGIN
    IF NOT pg_try_advisory_xact_lock(5497, lull_session_lock(p_session)) THEN RETURN; END IF;
    SELECT s.app_no, s.identifier INTO app, name FROM sessions s WHERE s.session_no = p_session;
    INSERT INTO session_wakes (session_no) VALUES (p_session) ON CONFLICT DO NOTHING;
    PERFORM 1 FROM session_wakes w WHERE w.session_no = p_session FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN; END IF;
    -- Locked before receivers, as in lull_finish_wakes.
    PERFORM 1 FROM wakes k WHERE k.wake_id = (SELECT w.wake_id FROM session_wakes w WHERE w.session_no = p_session)
        FOR UPDATE;
    WITH taken_news AS (DELETE FROM session_news n WHERE n.session_no = p_session RETURNING n.kind)
    SELECT coalesce(bit_or(t.kind), 0) INTO found_news FROM taken_news t;
    SELECT CASE WHEN z.news & 1 <> 0 THEN 1::bigint << lull_event_type('succeeded') ELSE 0 END
            + CASE WHEN z.news & 2 <> 0 THEN 1::bigint << lull_event_type('failed') ELSE 0 END
            + CASE WHEN z.news & 4 <> 0 THEN 1::bigint << lull_event_type('attention_required') ELSE 0 END
        INTO need FROM (SELECT found_news | w.news AS news FROM session_wakes w WHERE w.session_no = p_session) z;
    IF need <> 0 AND EXISTS (SELECT 1 FROM session_listeners l WHERE l.app_no = app AND l.session_no IN (0, p_session))
    THEN
        place := lull_session_place(app, p_session);
        SELECT max(l.until), bool_or((l.xid, l.journal_no) >= (place.xid, place.journal_no)) INTO until, heard
            FROM session_listeners l
            WHERE l.app_no = app AND l.session_no IN (0, p_session) AND l.event_mask & need = need;
    END IF;
    SELECT v.* INTO d FROM session_wakes w JOIN wakes k ON k.wake_id = w.wake_id
        JOIN deliveries v ON v.download_id = k.wake_id AND v.sequence = k.delivery
        WHERE w.session_no = p_session;
    RETURN QUERY
    SELECT clock_timestamp(), found_news, lull_session_is_live(p_session),
        EXISTS (SELECT 1 FROM queue q WHERE q.session_no = p_session AND q.wake_until IS NOT NULL),
        s.sends_wakes AND s.state < lull_session_state('invalidated')
            AND (s.event_url IS NOT NULL AND s.event_mask & (1::bigint << lull_event_type('session_wake')) <> 0
                OR lull_wake_endpoint(p_session) IS NOT NULL),
        s.state, w.delay, w.last_wake_at, w.quiet_since, w.had_background, w.is_muted, w.news, w.wake_id, k.state,
        k.delivery, k.sent_at, k.expires_at, k.extended, k.reasons, d.state, d.last_status, d.finished_at, until,
        coalesce(heard, false)
    FROM session_wakes w JOIN sessions s ON s.session_no = w.session_no LEFT JOIN wakes k ON k.wake_id = w.wake_id
    WHERE w.session_no = p_session;
END $$;

-- The oldest endpoint that wants the wakes of a session; null for none.
CREATE FUNCTION lull_wake_endpoint(p_session bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT w.endpoint_no FROM sessions s JOIN webhook_endpoints w ON w.app_no = s.app_no
        AND w.id IS NOT NULL AND w.deleted_at IS NULL AND w.disabled_at IS NULL
    WHERE s.session_no = p_session AND (w.event_mask & (1::bigint << lull_event_type('session_wake'))) <> 0
        AND (w.sessions IS NULL OR s.identifier = ANY (w.sessions))
    ORDER BY w.endpoint_no LIMIT 1
$$;

-- A number in the digits of JournalPosition's text.
CREATE FUNCTION lull_base36(p_number numeric) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    rest numeric := p_number; digits text := '';
BEGIN
    LOOP
        digits := substr('0123456789abcdefghijklmnopqrstuvwxyz', (rest % 36)::int + 1, 1) || digits;
        rest := div(rest, 36);
        EXIT WHEN rest = 0;
    END LOOP;
    RETURN digits;
END $$;

-- A position in the journal as clients see it.
CREATE FUNCTION lull_place_text(p_xid xid8, p_number bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT lull_base36(p_xid::text::numeric) || '-' || lull_base36(p_number) $$;

-- Records an event of a session. A wake goes to one receiver that wants it: the session's webhook_url, or the oldest
-- endpoint if that is not set; other events go to the webhook_url and to all endpoints that want them.
CREATE FUNCTION lull_record_session_event(
    p_session bigint, p_type smallint, p_subject uuid, p_sequence int, p_data text
) RETURNS int LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    s sessions; is_wake boolean := p_type = lull_event_type('session_wake'); hears boolean;
BEGIN
    SELECT x.* INTO s FROM sessions x WHERE x.session_no = p_session;
    hears := s.event_url IS NOT NULL AND s.event_mask & (1::bigint << p_type) <> 0;
    RETURN lull_record_app_events(
        ARRAY[ROW(s.app_no, p_session, p_subject, p_type, p_sequence, NULL, p_data)::app_event], ARRAY(
        SELECT ROW(s.app_no, NULL, lull_receiver(s.event_url), p_subject, p_sequence, s.event_url)::new_delivery
        WHERE hears
        UNION ALL
        SELECT ROW(w.app_no, w.endpoint_no, lull_endpoint_receiver(w.endpoint_no), p_subject, p_sequence,
            NULL)::new_delivery
        FROM webhook_endpoints w
        WHERE w.app_no = s.app_no AND w.id IS NOT NULL AND w.deleted_at IS NULL AND w.disabled_at IS NULL
            AND (w.event_mask & (1::bigint << p_type)) <> 0 AND (w.sessions IS NULL OR s.identifier = ANY (w.sessions))
            AND (NOT is_wake OR NOT hears AND w.endpoint_no = lull_wake_endpoint(p_session))));
END $$;

-- The data of the events about a wake; p_delivery is null for its end.
CREATE FUNCTION lull_wake_data(p_wake uuid, p_delivery int) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT (jsonb_build_object('identifier', split_part(s.identifier, '#', 1),
            'wake_token', lull_id_text('wk', k.wake_id), 'cursor', lull_place_text(k.xid, k.journal_no))
        || CASE WHEN p_delivery IS NULL THEN '{}' ELSE jsonb_build_object('delivery', p_delivery,
            'reasons', (SELECT jsonb_agg(r.name ORDER BY r.bit)
                FROM (VALUES (1, 'completed'), (2, 'failed'), (4, 'attention_required')) r(bit, name)
                WHERE k.reasons & r.bit <> 0)) END)::text
    FROM wakes k JOIN sessions s ON s.session_no = k.session_no WHERE k.wake_id = p_wake
$$;

-- Sends a wake; on the first call it stores the content of the wake and the position from which its deliveries are
-- checked: behind those of the previous wake, if that has not finished.
CREATE FUNCTION lull_send_wake(
    p_session bigint, p_wake uuid, p_delivery int, p_sent_at timestamptz, p_reasons smallint
) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    place record; app bigint;
BEGIN
    IF p_delivery = 1 THEN
        SELECT s.app_no INTO app FROM sessions s WHERE s.session_no = p_session;
        place := lull_session_place(app, p_session);
        INSERT INTO wakes (wake_id, session_no, sent_at, reasons, xid, journal_no, checked_id, finish_at)
            SELECT p_wake, p_session, p_sent_at, p_reasons, place.xid, place.journal_no, coalesce((
                    SELECT k.checked_id FROM wakes k WHERE k.wake_id = w.wake_id AND k.finish_at IS NOT NULL),
                    w.floor_id), clock_timestamp()
            FROM session_wakes w WHERE w.session_no = p_session;
    END IF;
    PERFORM lull_record_session_event(p_session, lull_event_type('session_wake'), p_wake, p_delivery,
        lull_wake_data(p_wake, p_delivery));
END $$;

-- Records that a session has no live download; a session that is being invalidated has ended then. Downloads that ended
-- a minute ago have no later events, except those of their content.
CREATE FUNCTION lull_drain_session(p_session bigint) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    UPDATE sessions s SET state = lull_session_state('invalidated'), updated_at = clock_timestamp()
        WHERE s.session_no = p_session AND s.state = lull_session_state('invalidating');
    UPDATE session_wakes w SET floor_id = (lpad(to_hex(floor(extract(epoch FROM clock_timestamp()
            - interval '1 minute') * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
        WHERE w.session_no = p_session;
    PERFORM lull_record_session_event(p_session, lull_event_type('session_drained'), gen_random_uuid(), 1,
        (SELECT jsonb_build_object('identifier', split_part(s.identifier, '#', 1))::text FROM sessions s
            WHERE s.session_no = p_session));
END $$;

-- Checks unfinished wakes, at most p_limit and 500 downloads of each, and records the end of wakes whose deliveries
-- have all ended; returns how many events it recorded.
CREATE FUNCTION lull_finish_wakes(p_limit int) RETURNS int LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    k wakes; seen uuid[]; held uuid; n int := 0; t timestamptz := clock_timestamp();
BEGIN
    FOR k IN SELECT x.* FROM wakes x WHERE x.finish_at <= t ORDER BY x.finish_at LIMIT p_limit FOR UPDATE SKIP LOCKED
    LOOP
        seen := ARRAY(SELECT d.id FROM download_requests d WHERE d.session_no = k.session_no AND d.id > k.checked_id
            ORDER BY d.id LIMIT 500);
        SELECT u.id INTO held FROM unnest(seen) u(id)
            WHERE EXISTS (SELECT 1 FROM deliveries v
                JOIN events e ON e.download_id = v.download_id AND e.sequence = v.sequence
                WHERE v.download_id = u.id AND v.state < lull_delivery_state('succeeded')
                    AND (e.xid, e.journal_no) <= (k.xid, k.journal_no))
            ORDER BY u.id LIMIT 1;
        IF held IS NOT NULL THEN
            UPDATE wakes x SET finish_tries = k.finish_tries + 1,
                checked_id = coalesce((SELECT max(u.id::text)::uuid FROM unnest(seen) u(id) WHERE u.id < held),
                    k.checked_id),
                finish_at = t + least(interval '1 minute', interval '250 milliseconds' * 2 ^ least(k.finish_tries, 10))
                WHERE x.wake_id = k.wake_id;
        ELSIF cardinality(seen) = 500 THEN
            UPDATE wakes x SET checked_id = seen[500], finish_tries = 0, finish_at = t WHERE x.wake_id = k.wake_id;
        ELSE
            UPDATE wakes x SET finish_at = NULL WHERE x.wake_id = k.wake_id;
            PERFORM lull_record_session_event(k.session_no, lull_event_type('session_events_finished'), k.wake_id, 100,
                lull_wake_data(k.wake_id, NULL));
            n := n + 1;
        END IF;
    END LOOP;
    RETURN n;
END $$;

-- Whether a download of the session is created in the background now, and until when it is then delayed: while the
-- client works on a wake or its webhook is being answered, and after force_quit. Notes that a download is created.
CREATE FUNCTION lull_enter_background(p_session bigint, OUT is_background boolean, OUT delayed_until timestamptz)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    w session_wakes;
BEGIN
    SELECT x.* INTO w FROM session_wakes x WHERE x.session_no = p_session;
    is_background := FOUND AND (w.is_muted OR EXISTS (
        SELECT 1 FROM wakes k WHERE k.wake_id = w.wake_id AND (k.state = lull_wake_state('open')
            OR k.state = lull_wake_state('sending') AND EXISTS (SELECT 1 FROM deliveries d
                WHERE d.download_id = k.wake_id AND d.sequence = k.delivery
                    -- An answer other than 202 completes the wake at the next check.
                    AND (d.state = lull_delivery_state('sending')
                        OR d.state = lull_delivery_state('succeeded') AND d.last_status = 202)))));
    IF NOT is_background THEN RETURN; END IF;
    delayed_until := nullif(w.last_wake_at + w.delay * interval '1 microsecond', w.last_wake_at);
    IF NOT w.had_background THEN
        UPDATE session_wakes x SET had_background = true WHERE x.session_no = p_session;
    END IF;
END $$;

-- Ends the delay of downloads that were created in the background, p_limit at a time; answers how many.
CREATE FUNCTION lull_end_wake_delay(p_session bigint, p_limit int) RETURNS int LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    ids uuid[]; t timestamptz := clock_timestamp();
BEGIN
    ids := ARRAY(SELECT q.id FROM queue q
        WHERE q.session_no = p_session AND q.wake_until IS NOT NULL AND q.wake_until > t
        ORDER BY q.id LIMIT p_limit FOR UPDATE);
    UPDATE queue q SET wake_until = t, run_at = CASE WHEN q.state = lull_state('waiting')
                AND (q.attempt = 0 OR q.run_at <= q.wake_until)
            THEN greatest(t, d.earliest_begin_at) ELSE q.run_at END
        FROM download_requests d WHERE q.id = ANY (ids) AND d.id = q.id;
    PERFORM lull_enter_rows(ids);
    RETURN cardinality(ids);
END $$;

-- Removes wakes that were sent longer than p_age ago and are over, and the listeners that have left.
CREATE FUNCTION lull_forget_wakes(p_age interval, p_limit int, p_now timestamptz DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    n bigint;
BEGIN
    DELETE FROM session_listeners l WHERE l.until < statement_timestamp() - interval '1 hour';
    DELETE FROM wakes k WHERE k.wake_id IN (
        SELECT x.wake_id FROM wakes x
        WHERE x.sent_at < least(statement_timestamp(), p_now) - p_age AND x.finish_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM session_wakes w
                WHERE w.session_no = x.session_no AND w.wake_id = x.wake_id)
        ORDER BY x.sent_at LIMIT p_limit FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

-- A text in which each URL ends before its query, in JSON as well; see Download.withoutQueries.
CREATE FUNCTION lull_without_queries(p_text text) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT regexp_replace(p_text, '(://[^"?\\\s]*)\?[^"\\\s]*', '\1', 'g') $$;

-- Erases the queries of addresses of ended downloads of ephemeral sessions, at most p_limit; returns how many were
-- checked. A download that was retried meanwhile is erased at its next end.
CREATE FUNCTION lull_erase_ephemeral(p_limit int) RETURNS int LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    ids uuid[]; ended uuid[];
BEGIN
    ids := ARRAY(SELECT e.id FROM ephemeral_ends e ORDER BY e.id LIMIT p_limit FOR UPDATE SKIP LOCKED);
    IF cardinality(ids) = 0 THEN RETURN 0; END IF;
    PERFORM 1 FROM download_requests d WHERE d.id = ANY (ids) ORDER BY d.id FOR UPDATE;
    ended := ARRAY(SELECT r.id FROM download_results r
        WHERE r.id = ANY (ids) AND r.state IS NOT NULL ORDER BY r.id FOR UPDATE);
    UPDATE download_results r SET result = lull_without_queries(r.result::text)::jsonb WHERE r.id = ANY (ended);
    UPDATE download_requests d SET url = lull_without_queries(d.url),
        spec = d.spec || CASE WHEN d.spec ? 'urls'
                THEN jsonb_build_object('urls', lull_without_queries((d.spec->'urls')::text)::jsonb) ELSE '{}' END
            || CASE WHEN d.spec ? 'relay' THEN jsonb_build_object('relay', d.spec->'relay' || jsonb_build_object(
                'url', lull_without_queries(d.spec->'relay'->>'url'))) ELSE '{}' END
            || CASE WHEN lull_without_queries(d.url) <> d.url
                OR lull_without_queries(d.spec->'relay'->>'url') <> d.spec->'relay'->>'url'
                THEN '{"erased": true}'::jsonb ELSE '{}' END
        WHERE d.id = ANY (ended);
    UPDATE attempts a SET detail = lull_without_queries((a.detail - 'excerpt')::text)::jsonb WHERE a.id = ANY (ended);
    DELETE FROM ephemeral_ends e WHERE e.id = ANY (ids);
    RETURN cardinality(ids);
END $$;
