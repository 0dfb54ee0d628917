-- Replicas and their data directories.

-- Registers a process on a data directory, with the address at which other replicas reach it. Locks are taken in the
-- order replicas, instances, as by the removal of a replica. p_asked: the clock when the process asked; a request that
-- arrives after a later one was carried out is refused (LU003), because it would release the runs of that one. A later
-- one from the future is ignored: its clock is of another server.
CREATE FUNCTION lull_join(p_instance uuid, p_node text, p_address text, p_lease interval, p_asked timestamptz)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    mine bigint;
BEGIN
    -- Two requests for one data directory are carried out one after the other.
    PERFORM pg_advisory_xact_lock(hashtextextended(p_instance::text, 5497853284));
    IF EXISTS (SELECT 1 FROM replicas r
        WHERE r.instance = p_instance AND r.asked_at > p_asked AND r.asked_at <= clock_timestamp()) THEN
        RAISE EXCEPTION 'another process has registered this data directory since' USING ERRCODE = 'LU003';
    END IF;
    mine := lull_register(p_instance, p_node, p_lease);
    UPDATE replicas SET address = p_address, asked_at = p_asked WHERE replica_no = mine;
    INSERT INTO instances (instance, node) VALUES (p_instance, p_node)
        ON CONFLICT (instance) DO UPDATE SET node = excluded.node, last_seen_at = clock_timestamp(),
            gone_at = NULL, missing = 0, loss_accepted = false;
    RETURN mine;
END $$;

-- Whether no replica runs on the data directory of this name, 32 hexadecimal digits.
CREATE FUNCTION lull_is_away(p_instance text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT NOT EXISTS (SELECT 1 FROM replicas r
        WHERE replace(r.instance::text, '-', '') = p_instance AND r.expires_at > statement_timestamp())
$$;
