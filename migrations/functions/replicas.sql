-- Replicas and their data directories.

-- Registers a process on a data directory, with the address at which other replicas reach it. Locks are taken in the
-- order replicas, instances, as by the removal of a replica.
CREATE FUNCTION lull_join(p_instance uuid, p_node text, p_address text, p_lease interval) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    mine bigint := lull_register(p_instance, p_node, p_lease);
BEGIN
    UPDATE replicas SET address = p_address WHERE replica_no = mine;
    INSERT INTO instances (instance, node) VALUES (p_instance, p_node)
        ON CONFLICT (instance) DO UPDATE SET node = excluded.node, last_seen_at = clock_timestamp();
    RETURN mine;
END $$;
