-- What downloads are asked for with: header values, bodies, credentials. Sealed with a key that the
-- database never sees, in tables of their own, so that downloads without secrets pay nothing.

-- A row lives as long as its download's row in the queue: every statement that ends a download deletes it.
CREATE TABLE download_secrets (
    id uuid PRIMARY KEY,
    sealed bytea NOT NULL
);
-- What is sealed does not get smaller.
ALTER TABLE download_secrets ALTER COLUMN sealed SET STORAGE EXTERNAL;

-- A download is asked for with the secrets of the version of its session that it was created under.
CREATE TABLE session_secrets (
    session_no bigint NOT NULL,
    version int NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (session_no, version)
);
ALTER TABLE session_secrets ALTER COLUMN sealed SET STORAGE EXTERNAL;

-- As before, and what a download was asked for with goes with its end.
CREATE OR REPLACE FUNCTION lull_let_go(p_replica bigint, p_ids uuid[]) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    ids uuid[]; os bigint[]; ss bigint[]; n int; t timestamptz := clock_timestamp();
BEGIN
    SELECT array_agg(q.id), array_agg(DISTINCT q.origin_key), array_agg(DISTINCT q.session_no)
        INTO ids, os, ss
        FROM queue q WHERE q.state = 1 AND q.replica_no = p_replica AND q.id = ANY (p_ids);
    IF ids IS NULL THEN RETURN 0; END IF;
    PERFORM 1 FROM gates g
        WHERE (g.kind = 1 AND g.key = ANY (os)) OR (g.kind = 2 AND g.key = ANY (ss))
        ORDER BY g.kind, g.key FOR NO KEY UPDATE;
    -- An order that the replica did not live to carry out is carried out here.
    WITH held AS MATERIALIZED (
        SELECT q.id, q.fence, q.attempt, q.sequence + 1 AS sequence, q.claimed_at, q.session_no,
            q.origin_key, q.bytes, q.total_bytes, q.hook, q.hook_mask, q.control,
            CASE q.control WHEN 1 THEN 11 WHEN 2 THEN 7 ELSE 5 END::smallint AS type
        FROM queue q WHERE q.id = ANY (ids) AND q.state = 1 AND q.replica_no = p_replica
        ORDER BY q.id FOR UPDATE),
    counted AS (
        UPDATE gates g SET running = g.running - n.n FROM (
            SELECT 1::smallint kind, h.origin_key key, count(*)::int n FROM held h GROUP BY 2
            UNION ALL
            SELECT 2::smallint, h.session_no, count(*)::int FROM held h GROUP BY 2) n
        WHERE g.kind = n.kind AND g.key = n.key),
    gone AS (DELETE FROM queue q USING held h WHERE q.id = h.id AND h.control = 1),
    erased AS (DELETE FROM download_secrets s USING held h WHERE s.id = h.id AND h.control = 1),
    kept AS (
        UPDATE queue q SET state = CASE h.control WHEN 2 THEN 2 ELSE 0 END, control = 0,
            replica_no = NULL, claimed_at = NULL, fence = q.fence + 1, run_at = t, state_since = t,
            barren = q.barren + 1, sequence = h.sequence
        FROM held h WHERE q.id = h.id AND h.control <> 1),
    begun AS (
        UPDATE downloads d SET started_at = coalesce(d.started_at, h.claimed_at)
        FROM held h WHERE d.id = h.id AND h.control <> 1),
    ended AS (
        UPDATE downloads d SET started_at = coalesce(d.started_at, h.claimed_at), state = 4,
            finished_at = t, bytes = h.bytes, attempts = h.attempt, sequence = h.sequence,
            result = '{}'
        FROM held h WHERE d.id = h.id AND h.control = 1),
    tried AS (
        INSERT INTO attempts (id, fence, attempt, replica_no, started_at, ended_at, outcome)
        SELECT h.id, h.fence, h.attempt, p_replica, h.claimed_at, t, 9 FROM held h),
    noted AS (
        INSERT INTO events (at, session_no, download_id, type, sequence, attempt)
        SELECT t, h.session_no, h.id, h.type, h.sequence, h.attempt FROM held h
        RETURNING events.id, events.download_id),
    told AS (
        INSERT INTO deliveries
            (event_id, download_id, type, at, sequence, event_attempt, lane, url, bytes, total_bytes)
        SELECT n.id, h.id, h.type, t, h.sequence, h.attempt, lull_receiver(h.hook), h.hook, h.bytes,
            h.total_bytes
        FROM noted n JOIN held h ON h.id = n.download_id
        WHERE h.hook IS NOT NULL AND (h.hook_mask & (1 << h.type)) <> 0)
    SELECT count(*) INTO n FROM held;
    RETURN n;
END $$;
