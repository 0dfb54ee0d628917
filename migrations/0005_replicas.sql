-- Where a replica is reached by the others, and how long a data directory has been without one.

-- HOST:PORT; null where it listens on Unix sockets alone.
ALTER TABLE replicas ADD COLUMN address text;

-- Every data directory has a number for people. last_seen_at: when its last replica was removed from `replicas`,
-- at its own stop or when its lease was over; of one with a replica it is not kept up to date.
ALTER TABLE instances
    ADD COLUMN instance_no bigint GENERATED ALWAYS AS IDENTITY,
    ADD COLUMN node text,
    ADD COLUMN last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp();
CREATE UNIQUE INDEX instances_by_number ON instances (instance_no);
INSERT INTO instances (instance, node)
    SELECT DISTINCT ON (instance) instance, node FROM replicas ORDER BY instance, replica_no DESC
    ON CONFLICT (instance) DO UPDATE SET node = excluded.node;
INSERT INTO instances (instance)
    SELECT DISTINCT instance FROM contents ON CONFLICT DO NOTHING;
