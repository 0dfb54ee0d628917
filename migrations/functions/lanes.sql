-- Lanes: sets of downloads that every rule, limit and budget treats alike, with the instant at which the first of each
-- is due. Lock order everywhere: replica, gates by (kind, key), queue rows by id, lanes by number, groups by (session,
-- class). A transaction that makes a row wait holds a key share lock on its lane until the commit; a transaction that
-- raises next_at needs an exclusive lock on the lane and skips one that is held. So no commit raises next_at above a
-- row that it cannot see.

-- An old snapshot keeps all versions of a lane and of a group, so they are looked up as in gates.sql.

-- Returns a lane by its number.
CREATE FUNCTION lull_lane_of(p_lane bigint) RETURNS SETOF lanes LANGUAGE sql STABLE AS $$
    SELECT * FROM lanes l WHERE l.lane_no BETWEEN p_lane AND p_lane ORDER BY l.lane_no DESC LIMIT 1
$$;

-- The place of the version of a lane that the statement sees.
CREATE FUNCTION lull_lane_place(p_lane bigint) RETURNS TABLE (place tid) LANGUAGE sql STABLE AS $$
    SELECT l.ctid FROM lanes l WHERE l.lane_no BETWEEN p_lane AND p_lane ORDER BY l.lane_no DESC LIMIT 1
$$;

-- The place of the version of a group that the statement sees.
CREATE FUNCTION lull_group_place(p_session bigint, p_class smallint) RETURNS TABLE (place tid) LANGUAGE sql STABLE AS $$
    SELECT g.ctid FROM lane_groups g WHERE g.session_no = p_session AND g.class BETWEEN p_class AND p_class
    ORDER BY g.class DESC LIMIT 1
$$;

-- Creates the missing lanes; returns how many. The key of a lane never changes and is in a table of its own: the check
-- of a unique index would read all versions of a lane at each of its changes.
CREATE FUNCTION lull_make_lanes(p_entries lane_entry[]) RETURNS int LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = on SET enable_nestloop = off SET enable_mergejoin = off AS $$
DECLARE
    made int;
BEGIN
    WITH missing AS MATERIALIZED (
        SELECT e.*, nextval('lanes_lane_no_seq') AS lane_no FROM unnest(p_entries) e
        WHERE (SELECT k.lane_no FROM lane_keys k
            WHERE k.session_no = e.session_no AND k.origin_key = e.origin_key AND k.class = e.class
                AND k.rank = e.rank AND k.lane_flags = e.lane_flags AND k.facet = e.facet
                AND k.due_bucket = e.due_bucket AND k.begin_bucket = e.begin_bucket) IS NULL),
    new_keys AS (
        INSERT INTO lane_keys (lane_no, origin_key, session_no, due_bucket, begin_bucket, facet, class, rank,
                lane_flags)
            SELECT m.lane_no, m.origin_key, m.session_no, m.due_bucket, m.begin_bucket, m.facet, m.class, m.rank,
                m.lane_flags
            -- In one order, so that two calls cannot wait for each other.
            FROM missing m ORDER BY m.session_no, m.origin_key, m.class, m.rank, m.lane_flags, m.facet, m.due_bucket,
                m.begin_bucket
            ON CONFLICT DO NOTHING RETURNING lane_no)
    INSERT INTO lanes (lane_no, app_no, session_no, origin_key, class, rank, lane_flags, facet, due_bucket,
            begin_bucket, next_at, largest_need) OVERRIDING SYSTEM VALUE
        SELECT m.lane_no, m.app_no, m.session_no, m.origin_key, m.class, m.rank, m.lane_flags, m.facet,
            m.due_bucket, m.begin_bucket, coalesce(m.at, 'infinity'), coalesce(m.need, 0)
        FROM new_keys k JOIN missing m ON m.lane_no = k.lane_no;
    GET DIAGNOSTICS made = ROW_COUNT;
    RETURN made;
END $$;

-- Returns the numbers of lanes, in the given order, after lowering each next_at to the given instant and raising
-- largest_need to the given bytes; creates missing lanes and groups. The given lanes are distinct.
CREATE FUNCTION lull_enter_lanes(p_entries lane_entry[]) RETURNS bigint[] LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET join_collapse_limit = 1 AS $$
DECLARE
    numbers bigint[]; owns boolean[]; early bigint[]; held int; made int; is_lower boolean := false;
    own xid := pg_current_xact_id()::xid;
BEGIN
    FOR try IN 1..10 LOOP
        made := lull_make_lanes(p_entries);
        IF made > 0 THEN PERFORM lull_hold_origins(ARRAY(SELECT e.origin_key FROM unnest(p_entries) e)); END IF;
        is_lower := is_lower OR made > 0;
        SELECT array_agg(k.lane_no ORDER BY e.place), array_agg(k.xmin = own ORDER BY e.place) INTO numbers, owns
            FROM unnest(p_entries) WITH ORDINALITY
                e(app_no, session_no, origin_key, class, rank, lane_flags, facet, due_bucket, at, begin_bucket, need,
                    place)
            LEFT JOIN lane_keys k ON k.session_no = e.session_no AND k.origin_key = e.origin_key
                AND k.class = e.class AND k.rank = e.rank AND k.lane_flags = e.lane_flags AND k.facet = e.facet
                AND k.due_bucket = e.due_bucket AND k.begin_bucket = e.begin_bucket;
        -- Each lane was created with the given values.
        held := cardinality(p_entries);
        EXIT WHEN made = held;
        SELECT count(*), array_agg(z.lane_no ORDER BY z.lane_no) FILTER (
                WHERE z.next_at > z.at OR z.largest_need < z.need)
            INTO held, early FROM (
                SELECT l.*, e.at, e.need FROM (
                    SELECT numbers[u.place] AS lane_no, u.at, u.need FROM unnest(p_entries) WITH ORDINALITY
                        u(app_no, session_no, origin_key, class, rank, lane_flags, facet, due_bucket, at, begin_bucket,
                            need, place)
                    WHERE NOT owns[u.place] ORDER BY 1) e
                CROSS JOIN LATERAL (
                    SELECT c.lane_no, c.next_at, c.largest_need FROM lanes c
                    WHERE c.lane_no BETWEEN e.lane_no AND e.lane_no
                    ORDER BY c.lane_no DESC LIMIT 1 FOR KEY SHARE) l
                -- Rows that this transaction has created need no lock until the commit.
                UNION ALL
                SELECT l.lane_no, l.next_at, l.largest_need, e.at, e.need
                FROM unnest(p_entries) WITH ORDINALITY
                    e(app_no, session_no, origin_key, class, rank, lane_flags, facet, due_bucket, at, begin_bucket,
                        need, place)
                CROSS JOIN LATERAL lull_lane_of(numbers[e.place]) l
                WHERE owns[e.place]) z;
        -- A lane that was removed between the two statements is created again.
        EXIT WHEN held = cardinality(p_entries);
    END LOOP;
    IF held < cardinality(p_entries) THEN
        RAISE EXCEPTION 'a lane was removed whenever it was to be used' USING ERRCODE = '40001';
    END IF;
    IF early IS NOT NULL THEN
        PERFORM 1 FROM unnest(early) u(lane_no) CROSS JOIN LATERAL (
            SELECT 1 FROM lanes c WHERE c.lane_no BETWEEN u.lane_no AND u.lane_no
            ORDER BY c.lane_no DESC LIMIT 1 FOR NO KEY UPDATE) l;
        UPDATE lanes l SET next_at = least(l.next_at, e.at), largest_need = greatest(l.largest_need, e.need),
                changed = pg_current_xact_id()
            FROM unnest(p_entries) WITH ORDINALITY
                e(app_no, session_no, origin_key, class, rank, lane_flags, facet, due_bucket, at, begin_bucket, need,
                    place)
            CROSS JOIN LATERAL lull_lane_place(numbers[e.place]) p
            WHERE numbers[e.place] = ANY (early) AND l.ctid = p.place;
    END IF;
    IF is_lower OR early IS NOT NULL THEN
        PERFORM lull_enter_groups(p_entries);
    END IF;
    RETURN numbers;
END $$;

-- Lowers next_at of the groups of the lanes, and creates missing groups.
CREATE FUNCTION lull_enter_groups(p_entries lane_entry[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET join_collapse_limit = 1 AS $$
DECLARE
    sessions bigint[]; classes smallint[]; apps bigint[]; firsts timestamptz[]; held int; early int;
BEGIN
    SELECT array_agg(z.session_no), array_agg(z.class), array_agg(z.app_no), array_agg(z.at)
        INTO sessions, classes, apps, firsts FROM (
            SELECT e.session_no, e.class, min(e.app_no) AS app_no, min(e.at) AS at FROM unnest(p_entries) e
            GROUP BY 1, 2 ORDER BY 1, 2) z;
    FOR try IN 1..10 LOOP
        -- A new group's slept_at is in the past, so that its next_at may be raised at once.
        INSERT INTO lane_groups (session_no, class, app_no, next_at, slept_at)
            SELECT u.session_no, u.class, u.app_no, coalesce(u.at, 'infinity'),
                CASE WHEN u.at IS NULL THEN clock_timestamp() ELSE '-infinity' END
            FROM unnest(sessions, classes, apps, firsts) u(session_no, class, app_no, at)
            WHERE NOT EXISTS (SELECT 1 FROM lull_group_place(u.session_no, u.class))
            ON CONFLICT DO NOTHING;
        SELECT count(*), count(*) FILTER (WHERE g.next_at > u.at) INTO held, early
            FROM unnest(sessions, classes, firsts) u(session_no, class, at) CROSS JOIN LATERAL (
                SELECT c.next_at FROM lane_groups c
                WHERE c.session_no = u.session_no AND c.class BETWEEN u.class AND u.class
                ORDER BY c.class DESC LIMIT 1 FOR KEY SHARE) g;
        EXIT WHEN held = cardinality(sessions);
    END LOOP;
    IF held < cardinality(sessions) THEN
        RAISE EXCEPTION 'a group of lanes was removed whenever it was to be used' USING ERRCODE = '40001';
    END IF;
    IF early > 0 THEN
        PERFORM 1 FROM unnest(sessions, classes) u(session_no, class) CROSS JOIN LATERAL (
            SELECT 1 FROM lane_groups c WHERE c.session_no = u.session_no AND c.class BETWEEN u.class AND u.class
            ORDER BY c.class DESC LIMIT 1 FOR NO KEY UPDATE) g;
        UPDATE lane_groups g SET next_at = u.at
            FROM unnest(sessions, classes, firsts) u(session_no, class, at)
            CROSS JOIN LATERAL lull_group_place(u.session_no, u.class) p
            WHERE g.ctid = p.place AND g.next_at > u.at;
    END IF;
END $$;

-- Puts waiting rows into the lanes that their columns name. Each statement that makes rows wait, or changes when, where
-- or in which class they wait, is followed by this in its transaction.
CREATE FUNCTION lull_enter_rows(p_ids uuid[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET join_collapse_limit = 1 AS $$
DECLARE
    entries lane_entry[]; numbers bigint[];
BEGIN
    SELECT array_agg(ROW(z.app_no, z.session_no, z.origin_key, z.class, z.rank, z.lane_flags, z.facet, z.due_bucket,
            z.at, z.begin_bucket, z.need)::lane_entry)
        INTO entries FROM (
            SELECT q.app_no, q.session_no, q.origin_key, q.class, q.rank, q.lane_flags, q.facet, q.due_bucket,
                q.begin_bucket,
                -- No attempt begins in a lane whose uploads still receive their bytes.
                min(q.run_at) FILTER (WHERE q.lane_flags & lull_lane_flag('stages') = 0) AS at,
                max(CASE WHEN q.due_bucket < 'infinity'
                    THEN lull_work(q.lane_flags, q.bytes, q.total_bytes, q.expected_bytes, q.resume)
                    ELSE 0 END) AS need
            FROM queue q WHERE q.id = ANY (p_ids) AND q.state = lull_state('waiting')
            GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9) z;
    IF entries IS NULL THEN RETURN; END IF;
    numbers := lull_enter_lanes(entries);
    UPDATE queue q SET lane_no = numbers[e.place]
        FROM unnest(entries) WITH ORDINALITY
            e(app_no, session_no, origin_key, class, rank, lane_flags, facet, due_bucket, at, begin_bucket, need,
                    place)
        WHERE q.id = ANY (p_ids) AND q.state = lull_state('waiting')
            AND q.session_no = e.session_no AND q.origin_key = e.origin_key AND q.class = e.class
            AND q.rank = e.rank AND q.lane_flags = e.lane_flags AND q.facet = e.facet AND q.due_bucket = e.due_bucket
            AND q.begin_bucket = e.begin_bucket
            AND q.lane_no <> numbers[e.place];
END $$;

-- Corrects next_at of lanes after a claim, and that of their groups; returns when the first row of each is due, null if
-- none waits. A lane that stays due is written only every few seconds, and one that other transactions hold not at all:
-- their rows are not visible yet, so the stored value is returned.
CREATE FUNCTION lull_settle_lanes(p_lanes bigint[]) RETURNS TABLE (lane_no bigint, head timestamptz)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET join_collapse_limit = 1 AS $$
#variable_conflict use_column
DECLARE
    numbers bigint[]; heads timestamptz[]; late bigint[]; raised bigint[]; t timestamptz := clock_timestamp();
BEGIN
    SELECT array_agg(z.lane_no), array_agg(z.head), array_agg(z.lane_no) FILTER (
            WHERE z.head IS NULL AND z.next_at < 'infinity' OR z.head > t AND z.head > z.next_at
                OR z.head > z.next_at + interval '5 seconds')
        INTO numbers, heads, late FROM (
            SELECT l.lane_no, l.next_at, (
                SELECT q.run_at FROM queue q
                WHERE q.state = lull_state('waiting') AND q.lane_no = l.lane_no AND q.run_at >= l.next_at
                ORDER BY q.run_at, q.id LIMIT 1) AS head
            FROM unnest(p_lanes) u(lane_no) CROSS JOIN LATERAL lull_lane_of(u.lane_no) l) z;
    IF late IS NOT NULL THEN
        -- Locked by its place: a search for the first unlocked version would read all dead ones.
        SELECT array_agg(z.lane_no) INTO raised FROM (
            SELECT l.lane_no FROM unnest(late) u(lane_no)
            CROSS JOIN LATERAL lull_lane_place(u.lane_no) p JOIN lanes l ON l.ctid = p.place ORDER BY l.lane_no
            FOR UPDATE OF l SKIP LOCKED) z;
        -- A new statement sees the rows that were committed before the lock.
        UPDATE lanes l SET next_at = coalesce(z.head, 'infinity'), slept_at = t,
            largest_need = CASE WHEN z.head IS NULL THEN 0 ELSE l.largest_need END FROM (
            SELECT u.lane_no, (
                SELECT q.run_at FROM queue q
                WHERE q.state = lull_state('waiting') AND q.lane_no = u.lane_no AND q.run_at >= k.next_at
                ORDER BY q.run_at, q.id LIMIT 1) AS head
            FROM unnest(raised) u(lane_no) CROSS JOIN LATERAL lull_lane_of(u.lane_no) k) z
            CROSS JOIN LATERAL lull_lane_place(z.lane_no) p WHERE l.ctid = p.place;
        PERFORM lull_settle_groups(array_agg(z.session_no), array_agg(z.class)) FROM (
            SELECT DISTINCT l.session_no, l.class FROM unnest(raised) u(lane_no)
            CROSS JOIN LATERAL lull_lane_of(u.lane_no) l) z;
    END IF;
    -- A new statement: an empty lane may have got a row.
    RETURN QUERY SELECT u.lane_no, coalesce(u.head, (
        SELECT nullif(l.next_at, 'infinity') FROM lull_lane_of(u.lane_no) l))
        FROM unnest(numbers, heads) u(lane_no, head);
END $$;

-- The instant at which the first row of a lane may begin, not before a lower bound; null if none waits.
CREATE FUNCTION lull_lane_head(p_lane bigint, p_from timestamptz) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT q.run_at FROM queue q
        WHERE q.state = lull_state('waiting') AND q.lane_no = p_lane AND q.run_at >= p_from
        ORDER BY q.run_at, q.id LIMIT 1);
END $$;

-- The instant at which the first lane of a group is due, not before a lower bound; null if none is.
CREATE FUNCTION lull_group_head(p_session bigint, p_class smallint, p_from timestamptz) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT min(z.next_at) FROM generate_series(0, 3) r(rank) CROSS JOIN LATERAL (
        SELECT l.next_at FROM lanes l
        WHERE l.session_no = p_session AND l.class = p_class AND l.rank = r.rank::smallint
            AND l.next_at >= p_from AND l.next_at < 'infinity'
        ORDER BY l.next_at, l.lane_no LIMIT 1) z);
END $$;

-- Corrects next_at of groups that are due without a due lane, or that have been due for longer than their lanes. A
-- group whose next_at was raised a moment ago stays due: each change would leave an entry in an index.
CREATE FUNCTION lull_settle_groups(p_sessions bigint[], p_classes smallint[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET join_collapse_limit = 1 AS $$
DECLARE
    ss bigint[]; cs smallint[]; t timestamptz := clock_timestamp();
BEGIN
    SELECT array_agg(z.session_no), array_agg(z.class) INTO ss, cs FROM (
        SELECT g.session_no, g.class FROM unnest(p_sessions, p_classes) u(session_no, class)
        CROSS JOIN LATERAL lull_group_place(u.session_no, u.class) p JOIN lane_groups g ON g.ctid = p.place
        WHERE g.next_at <= t
            AND CASE WHEN coalesce(lull_group_head(g.session_no, g.class, g.next_at), 'infinity') > t
                THEN g.slept_at < t - interval '5 seconds'
                ELSE lull_group_head(g.session_no, g.class, g.next_at) > g.next_at + interval '5 seconds' END
        ORDER BY g.session_no, g.class FOR UPDATE OF g SKIP LOCKED) z;
    IF ss IS NULL THEN RETURN; END IF;
    UPDATE lane_groups g
        SET next_at = coalesce(lull_group_head(g.session_no, g.class, g.next_at), 'infinity'), slept_at = t
        FROM unnest(ss, cs) u(session_no, class)
        CROSS JOIN LATERAL lull_group_place(u.session_no, u.class) p WHERE g.ctid = p.place;
END $$;

-- Returns a page of the lanes that are due within p_ahead: in each class the apps behind p_app, of each app the groups
-- behind its mark, oldest first, and of each group the lanes behind its mark, oldest first in each rank. Columns tell
-- whether more are left: a row without a session names the app behind which to continue, and a group without a lane has
-- a row with nulls.
CREATE FUNCTION lull_lanes(
    p_classes smallint[], p_groups int, p_lanes int, p_ahead interval, p_app bigint, p_app_marks app_mark[],
    p_group_marks group_mark[]
) RETURNS TABLE (
    lane_no bigint, next_at timestamptz, app_no bigint, app text, session_no bigint, session text,
    origin_key bigint, origin text, class smallint, rank smallint, lane_flags smallint, facet int,
    due_bucket timestamptz, begin_bucket timestamptz, largest_need bigint, guard_at timestamptz,
    fits bigint, vector text,
    origin_running int, origin_limit int, origin_not_before timestamptz, origin_unreachable_since timestamptz,
    origin_probe_at timestamptz,
    session_running int, session_limit int, app_running int, app_limit int, connections int, connections_limit int,
    group_at timestamptz, has_more_groups boolean, has_more_lanes boolean
) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET join_collapse_limit = 1
SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    t timestamptz := clock_timestamp() + p_ahead;
BEGIN
    -- Most calls of a replica with little to do find no lane, and end here without the statement below.
    IF NOT EXISTS (SELECT 1 FROM lane_groups g WHERE g.next_at <= t AND g.next_at < 'infinity') THEN RETURN; END IF;
    RETURN QUERY
    WITH RECURSIVE listed_apps AS (
        SELECT c.class, 1 AS place, (
            SELECT g.app_no FROM lane_groups g
            WHERE g.class = c.class AND g.next_at < 'infinity' AND g.app_no > p_app
            ORDER BY g.app_no LIMIT 1) AS app_no
        FROM unnest(p_classes) c(class)
        UNION ALL
        SELECT a.class, a.place + 1, (
            SELECT g.app_no FROM lane_groups g
            WHERE g.class = a.class AND g.next_at < 'infinity' AND g.app_no > a.app_no
            ORDER BY g.app_no LIMIT 1)
        FROM listed_apps a WHERE a.app_no IS NOT NULL AND a.place < 1000),
    open_apps AS MATERIALIZED (
        SELECT z.*, row_number() OVER (PARTITION BY z.class ORDER BY z.app_no) AS number,
            count(*) OVER (PARTITION BY z.class) AS count
        FROM (
            SELECT a.class, a.app_no, coalesce(f.running, 0) AS running, f.running_limit
            FROM listed_apps a LEFT JOIN LATERAL lull_gate_of(lull_gate('app'), a.app_no) f ON true
            WHERE a.app_no IS NOT NULL
                AND (SELECT g.session_no FROM lane_groups g
                    WHERE g.class = a.class AND g.app_no = a.app_no AND g.next_at <= t
                        AND g.next_at < 'infinity'
                    ORDER BY g.next_at, g.session_no LIMIT 1) IS NOT NULL) z),
    due_groups AS MATERIALIZED (
        SELECT a.*, g.session_no, g.next_at AS group_at, g.session_running, g.session_limit,
            g.per_origin, count(*) OVER (PARTITION BY a.class, a.app_no) >= greatest(1, p_groups / a.count) AS has_more,
            greatest(8, p_lanes / count(*) OVER (PARTITION BY a.class)) AS most_lanes
        FROM open_apps a
        LEFT JOIN unnest(p_app_marks) m ON m.class = a.class AND m.app_no = a.app_no
        CROSS JOIN LATERAL (
            SELECT g.session_no, g.next_at, coalesce(f.running, 0) AS session_running,
                f.running_limit AS session_limit, f.per_origin
            FROM lane_groups g
            LEFT JOIN LATERAL lull_gate_of(lull_gate('session'), g.session_no) f ON true
            WHERE g.class = a.class AND g.app_no = a.app_no AND g.next_at <= t AND g.next_at < 'infinity'
                AND (g.next_at, g.session_no)
                    > (coalesce(m.at, '-infinity'::timestamptz), coalesce(m.session_no, 0))
                -- A group without a lane that stays due because its next_at was raised a moment ago.
                AND (g.slept_at < statement_timestamp() - interval '5 seconds'
                    OR lull_group_head(g.session_no, g.class, g.next_at) IS NOT NULL)
            ORDER BY g.next_at, g.session_no LIMIT greatest(1, p_groups / a.count)) g
        WHERE a.number <= p_groups),
    due_lanes AS MATERIALIZED (
        SELECT g.*, l.*
        FROM due_groups g
        LEFT JOIN unnest(p_group_marks) m ON m.class = g.class AND m.session_no = g.session_no
        LEFT JOIN LATERAL (
            SELECT r.rank::smallint AS rank, d.*, count(*) OVER (PARTITION BY r.rank) >= g.most_lanes AS is_cut
            FROM generate_series(0, 3) r(rank) CROSS JOIN LATERAL (
                SELECT l.lane_no, l.next_at, l.origin_key, l.lane_flags, l.facet, l.due_bucket,
                    l.begin_bucket, l.largest_need
                FROM lanes l
                WHERE l.session_no = g.session_no AND l.class = g.class AND l.rank = r.rank::smallint
                    AND l.next_at <= t AND l.next_at < 'infinity'
                    -- No lane is due before its group, so dead versions before that are not read.
                    AND (l.next_at, l.lane_no) > (coalesce(m.at, g.group_at), coalesce(m.lane_no, 0))
                ORDER BY l.next_at, l.lane_no LIMIT g.most_lanes) d) l ON true)
    SELECT d.lane_no, d.next_at, d.app_no, n.name, d.session_no, s.identifier, d.origin_key, o.origin, d.class,
        d.rank, d.lane_flags, d.facet, d.due_bucket, d.begin_bucket, d.largest_need,
        CASE WHEN least(d.due_bucket, d.begin_bucket) < 'infinity' THEN
            (SELECT w.guard_at FROM lane_loads w WHERE w.lane_no = d.lane_no) END,
        CASE WHEN d.due_bucket < 'infinity' THEN
            (SELECT w.fits FROM lane_loads w WHERE w.lane_no = d.lane_no) END,
        CASE WHEN d.facet <> 0 THEN (SELECT v.vector FROM facets v WHERE v.facet_no = d.facet) END,
        coalesce(f.running, 0), f.running_limit,
        lull_not_before(f.not_before, d.origin_key, d.app_no), f.unreachable_since, f.probe_at,
        d.session_running, d.session_limit, d.running, d.running_limit,
        CASE WHEN d.per_origin IS NOT NULL THEN (SELECT coalesce(sum(1 + q.extra_streams), 0)::int FROM queue q
            WHERE q.state = lull_state('running') AND q.session_no = d.session_no
                AND q.origin_key = d.origin_key) END, d.per_origin,
        d.group_at, d.has_more, coalesce(d.is_cut, false)
    FROM due_lanes d
    JOIN apps n ON n.app_no = d.app_no
    JOIN sessions s ON s.session_no = d.session_no
    LEFT JOIN origins o ON o.origin_key = d.origin_key
    LEFT JOIN LATERAL lull_gate_of(lull_gate('origin'), d.origin_key) f ON true
    UNION ALL
    SELECT NULL, NULL, z.app_no, NULL, NULL, NULL, NULL, NULL, z.class, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, false
    FROM (
        SELECT a.class, a.app_no FROM open_apps a WHERE a.number = p_groups AND a.count > p_groups
        UNION ALL
        SELECT a.class, a.app_no FROM listed_apps a
        WHERE a.place = 1000 AND a.app_no IS NOT NULL) z;
END $$;

-- Returns changed lanes that a snapshot does not show in their present state, up to p_most behind the given change,
-- ordered by the transactions that changed them, however late those were committed. Transaction numbers that are still
-- in the future are of another cluster, from which this one was restored.
CREATE FUNCTION lull_changed_lanes(p_seen text, p_after text, p_lane bigint, p_most int)
RETURNS TABLE (lane_no bigint, changed text) LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT l.lane_no, l.changed::text FROM lanes l
        WHERE l.next_at < 'infinity' AND l.changed >= pg_snapshot_xmin(p_seen::pg_snapshot)
            AND (l.changed, l.lane_no) > (p_after::xid8, p_lane)
            AND l.changed < pg_snapshot_xmax(pg_current_snapshot())
            AND NOT pg_visible_in_snapshot(l.changed, p_seen::pg_snapshot)
        ORDER BY l.changed, l.lane_no LIMIT p_most;
END $$;

-- Removes lanes without waiting rows that were last needed before p_before, and groups without lanes. It reads the
-- lanes by number from p_after on, p_batch a call; returns where to continue, null at the end, how many of the lanes
-- were removed, and how many had a row before next_at, which is corrected: a number above 0 means that a statement
-- forgot to enter rows that it made wait.
CREATE FUNCTION lull_forget_lanes(p_after bigint, p_batch int, p_before timestamptz)
RETURNS TABLE (last bigint, removed int, wrong int) LANGUAGE plpgsql AS $$
DECLARE
    seen bigint[]; free bigint[]; early bigint[];
BEGIN
    SELECT array_agg(z.lane_no), max(z.lane_no), count(*) INTO seen, last, removed FROM (
        SELECT l.lane_no FROM lanes l WHERE l.lane_no > p_after ORDER BY l.lane_no LIMIT p_batch) z;
    IF removed < p_batch THEN last := NULL; END IF;
    removed := 0;
    wrong := 0;
    -- Lanes whose uploads still receive their bytes are never due.
    SELECT array_agg(l.lane_no) INTO early FROM lanes l WHERE l.lane_no = ANY (seen)
        AND l.lane_flags & lull_lane_flag('stages') = 0
        AND lull_lane_head(l.lane_no, '-infinity') < l.next_at;
    IF early IS NOT NULL THEN
        wrong := cardinality(early);
        PERFORM lull_enter_lanes(array_agg(ROW(l.app_no, l.session_no, l.origin_key, l.class, l.rank, l.lane_flags,
            l.facet,
            l.due_bucket, lull_lane_head(l.lane_no, '-infinity'), l.begin_bucket, l.largest_need)::lane_entry))
            FROM lanes l WHERE l.lane_no = ANY (early);
    END IF;
    SELECT array_agg(z.lane_no) INTO free FROM (
        SELECT l.lane_no FROM lanes l
        WHERE l.lane_no = ANY (seen) AND l.next_at = 'infinity' AND l.slept_at < p_before
        ORDER BY l.lane_no FOR UPDATE SKIP LOCKED) z;
    IF free IS NOT NULL THEN
        WITH gone AS (
            DELETE FROM lanes l WHERE l.lane_no = ANY (free) AND lull_lane_head(l.lane_no, '-infinity') IS NULL
            RETURNING l.lane_no)
        DELETE FROM lane_keys k USING gone l WHERE k.lane_no = l.lane_no;
        GET DIAGNOSTICS removed = ROW_COUNT;
    END IF;
    IF last IS NULL THEN
        DELETE FROM lane_groups g WHERE (g.session_no, g.class) IN (
            SELECT z.session_no, z.class FROM lane_groups z
            WHERE z.next_at = 'infinity' AND z.slept_at < p_before
            ORDER BY z.session_no, z.class LIMIT 10000 FOR UPDATE SKIP LOCKED);
    END IF;
    RETURN NEXT;
END $$;

-- Sums up to p_batch changes of the counts into totals; returns how many rows this removed.
CREATE FUNCTION lull_sum_queued(p_batch int) RETURNS bigint LANGUAGE sql AS $$
    WITH taken_rows AS (
        DELETE FROM queued_counts c WHERE c.ctid = ANY (ARRAY(
            SELECT z.ctid FROM queued_counts z LIMIT p_batch FOR UPDATE SKIP LOCKED))
        RETURNING c.app_no, c.change),
    sums AS (
        INSERT INTO queued_counts (app_no, change)
        SELECT t.app_no, sum(t.change) FROM taken_rows t GROUP BY 1 HAVING sum(t.change) <> 0 RETURNING 1)
    SELECT (SELECT count(*) FROM taken_rows) - (SELECT count(*) FROM sums)
$$;

-- Compares the counts with the rows and corrects them; returns how many apps had a wrong count. One snapshot reads
-- both, and commits of that moment bring their own changes.
CREATE FUNCTION lull_audit_queued() RETURNS bigint LANGUAGE sql AS $$
    WITH rows_of AS (SELECT q.app_no, count(*) AS n FROM queue q GROUP BY 1),
    counts_of AS (SELECT c.app_no, sum(c.change) AS n FROM queued_counts c GROUP BY 1),
    corrections AS (
        INSERT INTO queued_counts (app_no, change)
        SELECT app_no, coalesce(r.n, 0) - coalesce(c.n, 0)
        FROM rows_of r FULL JOIN counts_of c USING (app_no)
        WHERE coalesce(r.n, 0) <> coalesce(c.n, 0) RETURNING 1)
    SELECT count(*) FROM corrections
$$;

-- Returns the numbers of facets by their vectors; a new one gets a number, and 0 means none. If there are very many,
-- further ones get 0 too: a lane with unknown facets obeys every rule that one of its downloads could match.
CREATE FUNCTION lull_facets(p_vectors text[]) RETURNS TABLE (vector text, facet_no int) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO facets (vector)
        SELECT u.vector FROM unnest(p_vectors) u(vector)
        WHERE NOT EXISTS (SELECT 1 FROM facets f WHERE f.vector = u.vector)
            AND (SELECT count(*) FROM facets) < 10000
        ORDER BY 1 ON CONFLICT DO NOTHING;
    RETURN QUERY SELECT u.vector, coalesce(f.facet_no, 0)
        FROM unnest(p_vectors) u(vector) LEFT JOIN facets f ON f.vector = u.vector;
END $$;
