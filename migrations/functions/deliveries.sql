-- The outbox of webhooks. Lock order: receivers by number, after everything else that a statement locks; deliveries are
-- skipped if they are locked. next_at may be lowered under any lock of the row's values; it is raised beyond the
-- earliest due delivery only under FOR UPDATE, because a transaction that writes a delivery holds FOR KEY SHARE until
-- its commit.

-- The receiver of a webhook URL: scheme, host and port.
CREATE FUNCTION lull_receiver(p_url text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce((
        SELECT lower(u.parts[1]) || '://' || lower(u.parts[2]) || ':'
            || coalesce(u.parts[3], CASE lower(u.parts[1]) WHEN 'https' THEN '443' ELSE '80' END)
        FROM regexp_match(p_url, '^([a-zA-Z]+)://(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)(?::(\d+))?') u(parts)), p_url)
$$;

-- The receiver of an endpoint: each endpoint has its own, even if several have one host.
CREATE FUNCTION lull_endpoint_receiver(p_endpoint bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT 'endpoint:' || p_endpoint $$;

-- The identifier of a delivery: its number, and a mark that no other identifier has in these bits.
CREATE FUNCTION lull_delivery_id(p_number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
$$ SELECT (lpad(to_hex(p_number), 16, '0') || '8000000000000000')::uuid $$;

-- The text form of an identifier: the prefix and 26 Crockford digits.
CREATE FUNCTION lull_id_text(p_prefix text, p_id uuid) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT p_prefix || '_' || string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
        1 + substring(b.bits FROM 1 + 5 * n.place FOR 5)::int, 1), '' ORDER BY n.place)
    FROM (SELECT B'00' || ('x' || replace(p_id::text, '-', ''))::bit(128) AS bits) b, generate_series(0, 25) n(place)
$$;

-- An instant as RFC 3339 writes it, with milliseconds, in UTC.
CREATE FUNCTION lull_instant_text(p_at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- The reason why a delivery for a paused URL is abandoned.
CREATE FUNCTION lull_rest_reason() RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT 'the receiver answered 410 Gone to another delivery' $$;

-- Lowers next_at to the earliest waiting delivery; the caller has locked the receivers.
CREATE FUNCTION lull_lower_receivers(p_receivers bigint[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    UPDATE receivers r SET next_at = greatest(h.run_at, r.half_open_at)
    FROM unnest(p_receivers) u(receiver_no) CROSS JOIN LATERAL (
        SELECT d.run_at FROM deliveries d
        WHERE d.state = lull_delivery_state('pending') AND d.receiver_no = u.receiver_no
        ORDER BY d.run_at, d.delivery_no LIMIT 1) h
    WHERE r.receiver_no = u.receiver_no AND r.next_at > greatest(h.run_at, r.half_open_at);
END $$;

-- Returns the receivers with a due delivery, at most p_limit of each standing, the longest due first; without p_full,
-- which use all their places here.
CREATE FUNCTION lull_due_receivers(p_full bigint[], p_limit int)
RETURNS TABLE (receiver_no bigint, standing smallint, next_at timestamptz) LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    t timestamptz := clock_timestamp();
BEGIN
    RETURN QUERY
    SELECT f.* FROM unnest(ARRAY[lull_standing('answering'), lull_standing('untried'), lull_standing('silent')]) s(kind)
    CROSS JOIN LATERAL (
        SELECT r.receiver_no, r.standing, r.next_at FROM receivers r
        WHERE r.standing = s.kind AND r.next_at <= t AND r.next_at < 'infinity' AND r.receiver_no <> ALL (p_full)
        ORDER BY r.next_at, r.receiver_no LIMIT p_limit) f;
END $$;

-- Sets next_at to the earliest waiting delivery, for receivers for which no delivery is being written.
CREATE FUNCTION lull_settle_receivers(p_receivers bigint[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    settled bigint[];
BEGIN
    settled := ARRAY(SELECT r.receiver_no FROM receivers r WHERE r.receiver_no = ANY (p_receivers)
        ORDER BY r.receiver_no FOR UPDATE SKIP LOCKED);
    -- A new statement sees the deliveries that were committed before the locks.
    UPDATE receivers r SET used_at = clock_timestamp(), next_at = greatest(r.half_open_at, coalesce((
            SELECT d.run_at FROM deliveries d
            WHERE d.state = lull_delivery_state('pending') AND d.receiver_no = r.receiver_no
            ORDER BY d.run_at, d.delivery_no LIMIT 1), 'infinity'))
        WHERE r.receiver_no = ANY (settled);
END $$;

-- Pauses URLs that answered 410 for p_rest, and abandons up to p_limit of their waiting deliveries now and the others
-- when they are due. Endpoints are disabled instead. Returns the URLs, each with the number of its abandoned
-- deliveries.
CREATE FUNCTION lull_rest(p_numbers bigint[], p_rest interval, p_limit int)
RETURNS TABLE (app_no bigint, url text, until timestamptz, ended bigint) LANGUAGE sql AS $$
    WITH gone_urls AS MATERIALIZED (
        SELECT DISTINCT d.app_no::bigint AS app_no, d.receiver_no, d.url
        FROM deliveries d
        WHERE d.delivery_no = ANY (p_numbers) AND d.state = lull_delivery_state('exhausted')
            AND d.last_status = 410 AND d.endpoint_no IS NULL),
    new_rests AS (
        INSERT INTO webhook_rests AS w (app_no, url, since, until)
        SELECT g.app_no, g.url, clock_timestamp(), clock_timestamp() + p_rest FROM gone_urls g
        ORDER BY g.app_no, g.url
        ON CONFLICT (app_no, url) DO UPDATE SET until = excluded.until,
            since = CASE WHEN w.until > excluded.since THEN w.since ELSE excluded.since END
        RETURNING w.app_no, w.url, w.until),
    waiting_deliveries AS MATERIALIZED (
        SELECT d.delivery_no, g.app_no, g.url
        FROM gone_urls g JOIN deliveries d ON d.receiver_no = g.receiver_no AND d.url = g.url
            AND d.state = lull_delivery_state('pending') AND d.app_no = g.app_no
        LIMIT p_limit FOR UPDATE OF d SKIP LOCKED),
    ended_deliveries AS (
        UPDATE deliveries d SET state = lull_delivery_state('abandoned'), fence = d.fence + 1,
            finished_at = clock_timestamp(),
            last_error = lull_rest_reason()
        FROM waiting_deliveries w WHERE d.delivery_no = w.delivery_no RETURNING w.app_no, w.url)
    SELECT r.app_no, r.url, r.until,
        (SELECT count(*) FROM ended_deliveries e WHERE e.app_no = r.app_no AND e.url = r.url)
    FROM new_rests r
$$;

-- The reason why a delivery is not sent any more; null if it may be sent. Pings are sent to a disabled endpoint, too.
CREATE FUNCTION lull_abandon_reason(p_app int, p_endpoint bigint, p_url text, p_download uuid, p_sequence int)
RETURNS text LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
BEGIN
    IF p_endpoint IS NULL THEN
        RETURN (SELECT lull_rest_reason() FROM webhook_rests w
            WHERE w.app_no = p_app AND w.url = p_url AND w.until > statement_timestamp());
    END IF;
    IF NOT EXISTS (SELECT 1 FROM webhook_endpoints w
        WHERE w.endpoint_no = p_endpoint AND w.deleted_at IS NULL) THEN
        RETURN 'the endpoint was deleted';
    END IF;
    IF EXISTS (SELECT 1 FROM webhook_endpoints w WHERE w.endpoint_no = p_endpoint AND w.disabled_at IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM events e WHERE e.download_id = p_download AND e.sequence = p_sequence
            AND e.type = lull_event_type('endpoint_ping')) THEN
        RETURN 'the endpoint is disabled';
    END IF;
    RETURN NULL;
END $$;

-- The replaced secrets of an endpoint that still sign at an instant.
CREATE FUNCTION lull_signing_secrets(p_secrets bytea[], p_until timestamptz[], p_at timestamptz) RETURNS bytea[]
LANGUAGE sql IMMUTABLE AS $$
    SELECT ARRAY(SELECT u.secret FROM unnest(p_secrets, p_until) WITH ORDINALITY u(secret, until, place)
        WHERE u.until > p_at ORDER BY u.place)
$$;

-- Chooses the next message to each receiver for people among p_receivers: at most one a minute and receiver, and none
-- while one is being sent. Pings go first, then the delivery with the most tries. All others that are due, at most
-- 10,000, are counted in the message and count as tried with it; a ping counts pings alone. people: those of
-- p_receivers that are for people. leads: the deliveries that become messages; they are locked.
CREATE FUNCTION lull_gather_notices(p_receivers bigint[], OUT people bigint[], OUT leads bigint[]) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    t timestamptz; free bigint[];
BEGIN
    leads := '{}';
    people := ARRAY(SELECT r.receiver_no FROM receivers r JOIN webhook_endpoints w
        ON w.endpoint_no = CASE WHEN r.receiver LIKE 'endpoint:%' THEN substr(r.receiver, 10)::bigint END
        WHERE r.receiver_no = ANY (p_receivers) AND w.format <> 'standard');
    IF cardinality(people) = 0 THEN RETURN; END IF;
    free := ARRAY(SELECT r.receiver_no FROM receivers r WHERE r.receiver_no = ANY (people)
        ORDER BY r.receiver_no FOR NO KEY UPDATE SKIP LOCKED);
    t := clock_timestamp();
    -- A new statement sees the claims that were committed before the locks.
    free := ARRAY(SELECT r.receiver_no FROM receivers r
        WHERE r.receiver_no = ANY (free) AND r.half_open_at <= t AND NOT EXISTS (SELECT 1 FROM deliveries d
            WHERE d.state = lull_delivery_state('sending') AND d.receiver_no = r.receiver_no));
    WITH due_deliveries AS MATERIALIZED (
        SELECT c.*, EXISTS (SELECT 1 FROM webhook_endpoints w
            WHERE w.endpoint_no = c.endpoint_no AND w.id = c.download_id) AS is_ping
        FROM unnest(free) u(receiver_no) CROSS JOIN LATERAL (
            SELECT d.delivery_no, d.receiver_no, d.endpoint_no, d.download_id, d.run_at,
                d.attempt - coalesce(d.redelivered_after, 0) AS tries
            FROM deliveries d
            WHERE d.state = lull_delivery_state('pending') AND d.receiver_no = u.receiver_no AND d.run_at <= t
            ORDER BY d.run_at, d.delivery_no LIMIT 10000 FOR UPDATE SKIP LOCKED) c),
    chosen_deliveries AS MATERIALIZED (
        SELECT DISTINCT ON (x.receiver_no) x.receiver_no, x.delivery_no, x.is_ping FROM due_deliveries x
        ORDER BY x.receiver_no, x.is_ping DESC, x.tries DESC, x.run_at, x.delivery_no),
    counted_deliveries AS (
        UPDATE deliveries d SET notice_no = nullif(c.delivery_no, d.delivery_no),
            attempt = CASE WHEN c.delivery_no = d.delivery_no THEN d.attempt ELSE d.attempt + 1 END
        FROM due_deliveries x JOIN chosen_deliveries c ON c.receiver_no = x.receiver_no AND c.is_ping <= x.is_ping
        WHERE d.delivery_no = x.delivery_no),
    told_receivers AS (
        UPDATE receivers r SET half_open_at = t + interval '1 minute'
        FROM chosen_deliveries c WHERE r.receiver_no = c.receiver_no)
    SELECT coalesce(array_agg(c.delivery_no), '{}') INTO leads FROM chosen_deliveries c;
END $$;

-- Ends or delays what was counted in messages to people, as the tries of p_numbers ended: with a message that arrived
-- it has succeeded, with one that is sent again it waits, and with one that was given up it is given up if it was tried
-- as often, else it is free for the next message. people: the receivers for people. ended: what was given up.
CREATE FUNCTION lull_end_notices(p_numbers bigint[], OUT people bigint[], OUT ended bigint[]) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    leads bigint[];
BEGIN
    SELECT array_agg(d.delivery_no), array_agg(DISTINCT d.receiver_no) INTO leads, people
        FROM deliveries d JOIN webhook_endpoints w ON w.endpoint_no = d.endpoint_no AND w.format <> 'standard'
        WHERE d.delivery_no = ANY (p_numbers);
    IF leads IS NULL THEN RETURN; END IF;
    WITH judged_deliveries AS MATERIALIZED (
        SELECT d.delivery_no, m.last_status, m.last_error, m.last_ms, m.run_at, m.finished_at, m.tries->-1 AS try,
            CASE WHEN m.state = lull_delivery_state('exhausted') AND d.attempt - coalesce(d.redelivered_after, 0)
                < m.attempt - coalesce(m.redelivered_after, 0) THEN lull_delivery_state('pending')
                ELSE m.state END AS state,
            m.state = lull_delivery_state('exhausted') AS is_over
        FROM unnest(leads) u(no) JOIN deliveries m ON m.delivery_no = u.no
            JOIN deliveries d ON d.notice_no = u.no AND d.state = lull_delivery_state('pending')
        ORDER BY d.delivery_no FOR UPDATE OF d),
    written_deliveries AS (
        UPDATE deliveries d SET state = j.state, last_status = j.last_status, last_ms = j.last_ms,
            last_error = CASE WHEN d.payload IS NULL OR j.finished_at IS NULL THEN j.last_error END,
            tries = CASE WHEN d.payload IS NOT NULL AND j.state <> lull_delivery_state('pending') THEN NULL
                WHEN j.try IS NULL THEN d.tries
                WHEN jsonb_array_length(d.tries) >= 50 THEN (d.tries - 0) || j.try
                ELSE coalesce(d.tries, '[]') || j.try END,
            payload = CASE WHEN j.state = lull_delivery_state('pending') THEN d.payload END,
            finished_at = CASE WHEN j.state <> lull_delivery_state('pending') THEN j.finished_at END,
            notice_no = CASE WHEN j.is_over AND j.state = lull_delivery_state('pending') THEN NULL ELSE d.notice_no END,
            run_at = CASE WHEN j.is_over THEN d.run_at ELSE j.run_at END
        FROM judged_deliveries j WHERE d.delivery_no = j.delivery_no RETURNING d.delivery_no, d.state)
    SELECT array_agg(w.delivery_no) INTO ended FROM written_deliveries w
        WHERE w.state = lull_delivery_state('exhausted');
END $$;

-- Takes due deliveries of receivers, up to the quota of each, with the rows from which their events are rendered; null
-- for a missing row. A receiver for people gets one message, which counts the others. A delivery for a paused URL, or
-- for an endpoint that does not want its event any more, is abandoned at once and returned with is_ended.
CREATE FUNCTION lull_claim_deliveries(p_replica bigint, p_receivers bigint[], p_quotas int[])
RETURNS TABLE (
    delivery_no bigint, receiver_no bigint, download_id uuid, url text, attempt int, fence bigint, is_ended boolean,
    event_id uuid, type smallint, at timestamptz, sequence int, event_attempt int, bytes bigint, total_bytes bigint,
    payload text, traceparent text, session text, download_url text, priority double precision,
    earliest_begin_at timestamptz, expected_bytes bigint, spec text, created_at timestamptz,
    started_at timestamptz, result text, redelivered_after int, app_no int, app text, endpoint_no bigint,
    endpoint_id uuid, secret bytea, replaced_secrets bytea[], event_session text, request_id text, sealed bytea,
    is_of_download boolean, format text, counted int
) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
    t timestamptz := clock_timestamp(); taken bigint[]; sources bigint[]; notices record;
BEGIN
    PERFORM 1 FROM replicas r WHERE r.replica_no = p_replica AND r.expires_at > t FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the lease of this replica has expired' USING ERRCODE = 'LU001';
    END IF;
    SELECT n.people, n.leads INTO notices FROM lull_gather_notices(p_receivers) n;
    WITH due_deliveries AS MATERIALIZED (
        SELECT c.* FROM unnest(p_receivers, p_quotas) w(receiver_no, quota) CROSS JOIN LATERAL (
            SELECT d.delivery_no, d.download_id, d.sequence, d.url, d.app_no, d.endpoint_no FROM deliveries d
            WHERE d.state = lull_delivery_state('pending') AND d.receiver_no = w.receiver_no AND d.run_at <= t
            ORDER BY d.run_at, d.delivery_no LIMIT w.quota FOR UPDATE SKIP LOCKED) c
        WHERE w.receiver_no <> ALL (notices.people)
        UNION ALL
        SELECT d.delivery_no, d.download_id, d.sequence, d.url, d.app_no, d.endpoint_no FROM deliveries d
        WHERE d.delivery_no = ANY (notices.leads)),
    judged_deliveries AS MATERIALIZED (
        SELECT p.delivery_no,
            lull_abandon_reason(p.app_no, p.endpoint_no, p.url, p.download_id, p.sequence) AS reason
        FROM due_deliveries p),
    claimed_deliveries AS (
        UPDATE deliveries d SET fence = d.fence + 1,
            state = CASE WHEN p.reason IS NULL THEN lull_delivery_state('sending')
                ELSE lull_delivery_state('abandoned') END,
            replica_no = CASE WHEN p.reason IS NULL THEN p_replica END,
            attempt = CASE WHEN p.reason IS NULL THEN d.attempt + 1 ELSE d.attempt END,
            finished_at = CASE WHEN p.reason IS NOT NULL THEN t END,
            last_error = coalesce(p.reason, d.last_error)
        FROM judged_deliveries p WHERE d.delivery_no = p.delivery_no
        RETURNING d.delivery_no, d.receiver_no)
    SELECT array_agg(c.delivery_no), array_agg(c.receiver_no) INTO taken, sources FROM claimed_deliveries c;
    -- If fewer deliveries were found than the quota allows, no more are due.
    PERFORM lull_settle_receivers(ARRAY(
        SELECT w.receiver_no FROM unnest(p_receivers, p_quotas) w(receiver_no, quota)
        WHERE w.quota > (SELECT count(*) FROM unnest(sources) s(no) WHERE s.no = w.receiver_no)
            OR w.receiver_no = ANY (notices.people)));
    -- A new statement: the claim may take a delivery that was committed after it began, and its own snapshot would not
    -- contain the download.
    RETURN QUERY
    SELECT c.delivery_no, c.receiver_no, c.download_id, coalesce(c.url, w.url), c.attempt, c.fence,
        c.state = lull_delivery_state('abandoned'), lull_event_id(e.at, e.journal_no, e.xid), e.type, e.at, c.sequence,
        e.attempt, coalesce(e.bytes, 0), e.total_bytes, coalesce(c.payload, e.payload), d.spec->>'traceparent',
        d.session, d.url, d.priority, d.earliest_begin_at, d.expected_bytes, d.spec::text, d.created_at, d.started_at,
        CASE WHEN e.payload IS NULL AND e.type IN (lull_event_type('succeeded'), lull_event_type('failed'),
            lull_event_type('canceled')) THEN d.result::text END,
        coalesce(c.redelivered_after, 0), c.app_no, a.name, c.endpoint_no, w.id, w.secret,
        lull_signing_secrets(w.replaced_secrets, w.replaced_until, t), split_part(s.identifier, '#', 1),
        d.spec->>'request_id', CASE WHEN c.endpoint_no IS NOT NULL THEN w.sealed
            WHEN h.is_own THEN (SELECT x.sealed FROM download_secrets x WHERE x.id = d.id)
            ELSE (SELECT x.sealed FROM sessions z JOIN session_secrets x
                ON x.session_no = z.session_no AND x.version = z.version
            WHERE z.session_no = coalesce(e.session_no, d.session_no)
                AND z.configuration->'request' ?| ARRAY['webhook', 'hook', 'relay']) END, h.is_own,
        CASE WHEN c.endpoint_no IS NULL THEN 'standard' ELSE w.format END,
        CASE WHEN c.delivery_no = ANY (notices.leads) THEN (SELECT count(*)::int FROM deliveries x
            WHERE x.notice_no = c.delivery_no AND x.state = lull_delivery_state('pending')) ELSE 0 END
    FROM unnest(taken) u(no) JOIN deliveries c ON c.delivery_no = u.no
        LEFT JOIN events e ON e.download_id = c.download_id AND e.sequence = c.sequence
        LEFT JOIN downloads d ON d.id = c.download_id
        -- Whether the hook of the download itself, or of its own receiver, has headers or credentials.
        CROSS JOIN LATERAL (SELECT c.endpoint_no IS NULL AND coalesce(
            e.type = lull_event_type('will_begin')
                AND d.spec ?| ARRAY['hook_header_names', 'hook_authorization_type']
            OR e.type = lull_event_type('will_send')
                AND d.spec ?| ARRAY['relay_hook_header_names', 'relay_hook_authorization_type'], false)) h(is_own)
        LEFT JOIN apps a ON a.app_no = c.app_no
        LEFT JOIN sessions s ON s.session_no = e.session_no
        LEFT JOIN webhook_endpoints w ON w.endpoint_no = coalesce(c.endpoint_no, (
            SELECT f.endpoint_no FROM webhook_endpoints f WHERE f.app_no = c.app_no AND f.id IS NULL))
    ORDER BY c.run_at, c.delivery_no;
END $$;

-- Locks receivers in their order: the given ones, and, in the apps of p_failed, the ones of endpoints that want events
-- about given-up deliveries or disabled endpoints. A delivery that is written for them later in this transaction then
-- waits for no lock.
CREATE FUNCTION lull_lock_receivers(p_receivers bigint[], p_failed bigint[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    others bigint[] := '{}';
BEGIN
    IF cardinality(p_failed) > 0 THEN
        others := ARRAY(SELECT r.receiver_no
            FROM (SELECT DISTINCT d.app_no FROM deliveries d WHERE d.delivery_no = ANY (p_failed)) a
                JOIN webhook_endpoints w ON w.app_no = a.app_no
                    AND w.id IS NOT NULL AND w.deleted_at IS NULL AND w.disabled_at IS NULL
                JOIN receivers r ON r.receiver = lull_endpoint_receiver(w.endpoint_no)
            WHERE (w.event_mask & ((1::bigint << lull_event_type('endpoint_disabled'))
                | (1::bigint << lull_event_type('delivery_exhausted')))) <> 0);
    END IF;
    PERFORM 1 FROM receivers r WHERE r.receiver_no = ANY (p_receivers || others)
        ORDER BY r.receiver_no FOR NO KEY UPDATE;
END $$;

-- Records the outcomes of tries; a try with an old fence is ignored.
--
-- p_receivers: the receivers of which a delivery waits again, or whose standing changes. p_pauses: the pauses of a
-- receiver after its third try in a row without an answer, and after each further one.
--
-- overdue: deliveries that have waited longer than p_lifetime for a receiver that does not answer, at most p_limit;
-- lull_give_up_overdue ends them. disabled: the endpoints that were disabled, with a reason each.
CREATE FUNCTION lull_record_deliveries(
    p_replica bigint, p_tries tried_delivery[], p_receivers bigint[], p_pauses interval[], p_lifetime interval,
    p_rule disable_rule, p_limit int,
    OUT overdue bigint[], OUT disabled uuid[], OUT reasons text[]
) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    t timestamptz; sources bigint[]; silences bool[]; written bigint[]; ended bigint[]; of_endpoints bigint[];
    notices record;
BEGIN
    PERFORM lull_lock_receivers(p_receivers, ARRAY(
        SELECT i.delivery_no FROM unnest(p_tries) i WHERE NOT i.is_delivered));
    t := clock_timestamp();
    WITH written_deliveries AS (
        UPDATE deliveries d SET replica_no = NULL,
            state = CASE WHEN i.is_delivered THEN lull_delivery_state('succeeded')
                WHEN i.next_at IS NULL THEN lull_delivery_state('exhausted')
                ELSE lull_delivery_state('pending') END,
            run_at = coalesce(i.next_at, d.run_at), last_status = i.status, last_error = i.error, last_ms = i.ms,
            url = CASE WHEN i.is_delivered THEN NULL ELSE d.url END,
            tries = CASE WHEN i.try IS NULL THEN d.tries
                WHEN jsonb_array_length(d.tries) >= 50 THEN (d.tries - 0) || i.try
                ELSE coalesce(d.tries, '[]') || i.try END,
            finished_at = CASE WHEN i.is_delivered OR i.next_at IS NULL THEN t END
        FROM unnest(p_tries) i
        -- A delivery with a replica is being sent; see lull_finish for why the state is not a condition.
        WHERE d.delivery_no = i.delivery_no AND d.fence = i.fence AND d.replica_no = p_replica
        RETURNING d.delivery_no, d.receiver_no, d.state, d.endpoint_no, i.is_silent)
    SELECT array_agg(w.receiver_no), array_agg(w.is_silent),
        array_agg(w.delivery_no) FILTER (WHERE w.state = lull_delivery_state('exhausted')),
        array_agg(w.delivery_no) FILTER (WHERE w.endpoint_no IS NOT NULL)
    INTO sources, silences, ended, of_endpoints FROM written_deliveries w;
    SELECT n.people, n.ended INTO notices FROM lull_end_notices(coalesce(of_endpoints, '{}')) n;
    ended := ended || notices.ended;
    IF cardinality(ended) > 0 THEN PERFORM lull_record_exhausted(ended); END IF;
    IF cardinality(of_endpoints) > 0 THEN
        SELECT x.disabled, x.reasons INTO disabled, reasons
        FROM lull_tally_endpoints(of_endpoints, p_rule.after, p_rule.failures, p_rule.spread) x;
    END IF;
    IF cardinality(p_receivers) = 0 THEN RETURN; END IF;
    UPDATE receivers r SET silent_tries = s.tries,
        standing = CASE WHEN s.tries > 0 THEN lull_standing('silent') ELSE lull_standing('answering') END,
        -- A receiver for people gets nothing before the end of its minute.
        half_open_at = greatest(CASE WHEN r.receiver_no = ANY (notices.people) THEN r.half_open_at END,
            CASE WHEN s.tries < 3 THEN '-infinity'
                ELSE t + p_pauses[least(s.tries - 2, cardinality(p_pauses))::int] END),
        next_at = CASE WHEN s.tries < 3 OR r.next_at = 'infinity' THEN r.next_at
            ELSE greatest(r.next_at, t + p_pauses[least(s.tries - 2, cardinality(p_pauses))::int]) END
    FROM (SELECT x.receiver_no, CASE WHEN bool_or(NOT u.is_silent) THEN 0 ELSE x.silent_tries + count(*) END AS tries
        FROM unnest(sources, silences) u(receiver_no, is_silent)
            JOIN receivers x ON x.receiver_no = u.receiver_no
        WHERE u.is_silent IS NOT NULL AND x.receiver_no = ANY (p_receivers)
        GROUP BY x.receiver_no, x.silent_tries) s
    WHERE r.receiver_no = s.receiver_no;
    PERFORM lull_lower_receivers(p_receivers);
    IF true = ANY (silences) THEN
        overdue := ARRAY(SELECT w.delivery_no FROM receivers r CROSS JOIN LATERAL (
                SELECT x.delivery_no FROM deliveries x
                WHERE x.state = lull_delivery_state('pending') AND x.receiver_no = r.receiver_no
                    AND x.run_at < t - p_lifetime
                ORDER BY x.run_at, x.delivery_no LIMIT p_limit) w
            WHERE r.receiver_no = ANY (p_receivers) AND r.silent_tries >= 3 LIMIT p_limit);
    END IF;
END $$;

-- Gives up deliveries that have waited too long for a receiver that does not answer; returns how many.
CREATE FUNCTION lull_give_up_overdue(p_numbers bigint[], p_lifetime interval) RETURNS int LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    ended bigint[];
BEGIN
    PERFORM lull_lock_receivers('{}', p_numbers);
    WITH waiting_deliveries AS MATERIALIZED (
        SELECT d.delivery_no FROM deliveries d
        WHERE d.delivery_no = ANY (p_numbers) AND d.state = lull_delivery_state('pending')
            AND d.run_at < statement_timestamp() - p_lifetime
        ORDER BY d.delivery_no FOR UPDATE SKIP LOCKED),
    ended_deliveries AS (
        UPDATE deliveries d SET state = lull_delivery_state('exhausted'), fence = d.fence + 1,
            finished_at = clock_timestamp(),
            last_error = 'the receiver has not answered for as long as a webhook is tried'
        FROM waiting_deliveries w WHERE d.delivery_no = w.delivery_no RETURNING d.delivery_no)
    SELECT array_agg(e.delivery_no) INTO ended FROM ended_deliveries e;
    IF cardinality(ended) > 0 THEN PERFORM lull_record_exhausted(ended); END IF;
    RETURN coalesce(cardinality(ended), 0);
END $$;

-- Makes deliveries wait again that a replica is sending according to their rows, except p_known; with p_is_untried
-- their try was never made and is not counted. Returns how many there were.
CREATE FUNCTION lull_release_deliveries(p_replica bigint, p_known bigint[], p_is_untried boolean) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
    sources bigint[]; numbers bigint[];
BEGIN
    sources := ARRAY(SELECT DISTINCT d.receiver_no FROM deliveries d
        WHERE d.state = lull_delivery_state('sending') AND d.replica_no = p_replica AND d.delivery_no <> ALL (p_known));
    IF cardinality(sources) = 0 THEN RETURN 0; END IF;
    PERFORM 1 FROM receivers r WHERE r.receiver_no = ANY (sources) ORDER BY r.receiver_no FOR NO KEY UPDATE;
    WITH released_deliveries AS (
        UPDATE deliveries d SET state = lull_delivery_state('pending'), replica_no = NULL, fence = d.fence + 1,
            attempt = CASE WHEN p_is_untried THEN greatest(0, d.attempt - 1) ELSE d.attempt END
        WHERE d.state = lull_delivery_state('sending') AND d.replica_no = p_replica AND d.delivery_no <> ALL (p_known)
        RETURNING d.delivery_no)
    SELECT array_agg(r.delivery_no) INTO numbers FROM released_deliveries r;
    -- What a message to people would have counted was not tried either.
    UPDATE deliveries d SET notice_no = NULL,
        attempt = CASE WHEN p_is_untried THEN greatest(0, d.attempt - 1) ELSE d.attempt END
    WHERE d.notice_no = ANY (numbers) AND d.state = lull_delivery_state('pending');
    PERFORM lull_lower_receivers(sources);
    RETURN coalesce(cardinality(numbers), 0);
END $$;

-- Removes receivers without waiting deliveries to which nothing was sent for p_age, among at most p_limit behind
-- p_after. Returns the last number of this range, null at the end, and how many were removed.
CREATE FUNCTION lull_forget_receivers(p_after bigint, p_limit int, p_age interval, p_now timestamptz DEFAULT NULL)
RETURNS TABLE (last bigint, removed bigint) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    seen bigint[]; idle bigint[];
BEGIN
    seen := ARRAY(SELECT r.receiver_no FROM receivers r WHERE r.receiver_no > p_after
        ORDER BY r.receiver_no LIMIT p_limit);
    idle := ARRAY(SELECT r.receiver_no FROM receivers r
        WHERE r.receiver_no = ANY (seen) AND r.next_at = 'infinity'
            AND r.used_at < least(statement_timestamp(), p_now) - p_age
        ORDER BY r.receiver_no FOR UPDATE SKIP LOCKED);
    -- A new statement sees the deliveries that were committed before the locks.
    WITH removed_receivers AS (
        DELETE FROM receivers r WHERE r.receiver_no = ANY (idle)
            AND NOT EXISTS (SELECT 1 FROM deliveries d
                WHERE d.state = lull_delivery_state('pending') AND d.receiver_no = r.receiver_no)
            AND NOT EXISTS (SELECT 1 FROM deliveries d
                WHERE d.state = lull_delivery_state('sending') AND d.receiver_no = r.receiver_no)
        RETURNING 1)
    SELECT count(*) INTO removed FROM removed_receivers;
    last := seen[cardinality(seen)];
    RETURN NEXT;
END $$;
