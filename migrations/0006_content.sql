-- Files: what a claim may take of the disk, how long content is kept, and which files are whose.

-- The bytes that a waiting download still expects; 0 if nobody knows.
CREATE FUNCTION lull_need(p_total bigint, p_expected bigint, p_resume jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT greatest(0, coalesce(p_total, p_expected, 0) - coalesce((p_resume->>'offset')::bigint, 0))
$$;

-- Data directories that have worked with this database. In one that is new here, files without a row are
-- left alone for a day: it may be the database that is the wrong one.
CREATE TABLE instances (
    instance uuid PRIMARY KEY,
    first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- One thin row for each finished file that is to be kept for a time. phase: 0 held, 1 held and the client
-- was warned, 2 nobody may have it any more and the replica that has the file removes it.
-- `due_at` is when something is to be done next. Files of downloads that ended before there was this table have
-- no row and are kept until they are deleted.
CREATE TABLE contents (
    id uuid PRIMARY KEY,
    instance uuid NOT NULL,
    fence bigint NOT NULL,
    length bigint NOT NULL,
    expires_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    phase smallint NOT NULL DEFAULT 0
) WITH (fillfactor = 90);
CREATE INDEX contents_due ON contents (due_at) WHERE phase < 2;
CREATE INDEX contents_doomed ON contents (instance, id) WHERE phase = 2;

-- Takes due downloads as the function without p_room does, which replicas of an earlier version call, but
-- only such as fit together into the room on the disk, in bytes; null is any room. One that does not fit is
-- passed by; where room is short only the first of a lane are looked at, so that a claim stays cheap when
-- very many wait that do not fit.
CREATE FUNCTION lull_claim(
    p_replica bigint, p_lanes bigint[], p_origins bigint[], p_sessions bigint[], p_quotas int[],
    p_origin_limit int, p_session_limit int, p_total int, p_room bigint
) RETURNS TABLE (
    id uuid, fence bigint, attempt int, barren int, sequence int, url text, session text,
    session_no bigint, app_no bigint, origin_key bigint, class smallint, priority double precision,
    created_at timestamptz, earliest_begin_at timestamptz, started_at timestamptz,
    claimed_at timestamptz, deadline timestamptz, expected_bytes bigint, bytes bigint,
    hook text, hook_mask int, control smallint, spec text, resume text, total_bytes bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    gk smallint[]; gkey bigint[]; gfree int[]; t timestamptz := clock_timestamp();
    room bigint := coalesce(p_room, 9223372036854775807);
BEGIN
    -- KEY SHARE conflicts with the reaper's FOR UPDATE, not with the heartbeat's UPDATE.
    PERFORM 1 FROM replicas r
        WHERE r.replica_no = p_replica AND r.expires_at > t AND NOT r.draining FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the lease of this replica is over' USING ERRCODE = 'LU001';
    END IF;
    SELECT array_agg(z.kind), array_agg(z.key), array_agg(z.free) INTO gk, gkey, gfree FROM (
        SELECT g.kind, g.key,
            coalesce(g.lim, CASE g.kind WHEN 1 THEN p_origin_limit ELSE p_session_limit END)
                - g.running AS free
        FROM gates g
        WHERE ((g.kind = 1 AND g.key = ANY (p_origins)) OR (g.kind = 2 AND g.key = ANY (p_sessions)))
            AND g.not_before <= t
        ORDER BY g.kind, g.key FOR NO KEY UPDATE) z
        WHERE z.free > 0;
    -- A new statement, hence a snapshot younger than the gates' locks.
    RETURN QUERY
    WITH gt AS MATERIALIZED (SELECT * FROM unnest(gk, gkey, gfree) u(kind, key, free)),
    cand AS MATERIALIZED (
        SELECT c.id, c.run_at, c.need, w.ord, w.origin, w.sess, og.free AS ofree, sg.free AS sfree
        FROM unnest(p_lanes, p_origins, p_sessions, p_quotas) WITH ORDINALITY
            w(lane, origin, sess, quota, ord)
        JOIN gt og ON og.kind = 1 AND og.key = w.origin
        JOIN gt sg ON sg.kind = 2 AND sg.key = w.sess
        CROSS JOIN LATERAL (
            SELECT q.id, q.run_at, lull_need(q.total_bytes, q.expected_bytes, q.resume) AS need
            FROM queue q
            WHERE q.state = 0 AND q.lane = w.lane
                AND q.run_at <= CASE WHEN room >= 17179869184 THEN t ELSE coalesce((
                    SELECT n.run_at FROM queue n
                    WHERE n.state = 0 AND n.lane = w.lane AND n.run_at <= t
                    ORDER BY n.run_at, n.id OFFSET 256 LIMIT 1), t) END
                AND lull_need(q.total_bytes, q.expected_bytes, q.resume) <= room
            ORDER BY q.run_at, q.id LIMIT least(w.quota, og.free, sg.free)
            FOR NO KEY UPDATE OF q SKIP LOCKED) c),
    pick AS MATERIALIZED (
        SELECT z.id FROM (
            SELECT cand.*, row_number() OVER (PARTITION BY origin ORDER BY ord, run_at) o_rank,
                row_number() OVER (PARTITION BY sess ORDER BY ord, run_at) s_rank,
                row_number() OVER (ORDER BY ord, run_at) t_rank,
                sum(need) OVER (ORDER BY ord, run_at, id ROWS UNBOUNDED PRECEDING) t_need
            FROM cand) z
        WHERE z.o_rank <= z.ofree AND z.s_rank <= z.sfree AND z.t_rank <= p_total AND z.t_need <= room),
    taken AS (
        UPDATE queue q SET state = 1, replica_no = p_replica, claimed_at = t, state_since = t,
            fence = q.fence + 1, attempt = q.attempt + 1, sequence = q.sequence + 1
        FROM pick p WHERE q.id = p.id RETURNING q.*),
    counted AS (
        UPDATE gates g SET running = g.running + n.n FROM (
            SELECT 1::smallint kind, k.origin_key key, count(*)::int n FROM taken k GROUP BY 2
            UNION ALL
            SELECT 2::smallint, k.session_no, count(*)::int FROM taken k GROUP BY 2) n
        WHERE g.kind = n.kind AND g.key = n.key),
    begun AS (
        INSERT INTO events (at, session_no, download_id, type, sequence, attempt)
        SELECT t, k.session_no, k.id, 3, k.sequence, k.attempt FROM taken k
        RETURNING events.id, events.download_id),
    told AS (
        INSERT INTO deliveries
            (event_id, download_id, type, at, sequence, event_attempt, lane, url, bytes, total_bytes)
        SELECT b.id, k.id, 3, t, k.sequence, k.attempt, lull_receiver(k.hook), k.hook, k.bytes,
            k.total_bytes
        FROM begun b JOIN taken k ON k.id = b.download_id
        WHERE k.hook IS NOT NULL AND (k.hook_mask & (1 << 3)) <> 0)
    -- LEFT JOIN: a download whose wide row is gone must still come back, to be failed.
    SELECT k.id, k.fence, k.attempt, k.barren, k.sequence, d.url, d.session, k.session_no, d.app_no,
        k.origin_key, k.class, d.priority, d.created_at, d.earliest_begin_at, d.started_at,
        k.claimed_at, k.deadline, k.expected_bytes, k.bytes, k.hook, k.hook_mask, k.control, d.spec::text,
        k.resume::text, k.total_bytes
    FROM taken k LEFT JOIN downloads d ON d.id = k.id;
END $$;
