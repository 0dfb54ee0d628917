-- Deadlines and facets in the key of a lane, and what waits in each lane.

-- The combinations of values that the rules of a policy tell apart in single downloads. `vector` is Core's Facet;
-- the number 0 is the one of which nothing is known, and has no row.
CREATE TABLE facets (
    facet_no int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    vector text NOT NULL UNIQUE
);

-- due_bucket and begin_bucket: the deadlines complete_by and begin_deadline of the lane's downloads, rounded down.
-- largest_need: no row that waits in it expects more bytes; kept only with a due_bucket, and lowered when it sleeps.
ALTER TABLE lanes
    ADD COLUMN begin_bucket timestamptz NOT NULL DEFAULT 'infinity',
    ADD COLUMN largest_need bigint NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX lanes_by_key
    ON lanes (session_no, origin_key, class, rank, network, facet, due_bucket, begin_bucket);
DO $$ DECLARE
    old text;
BEGIN
    SELECT c.conname INTO STRICT old FROM pg_constraint c WHERE c.conrelid = 'lanes'::regclass AND c.contype = 'u';
    EXECUTE format('ALTER TABLE lanes DROP CONSTRAINT %I', old);
END $$;

ALTER TYPE lane_entry ADD ATTRIBUTE begin_bucket timestamptz;
ALTER TYPE lane_entry ADD ATTRIBUTE need bigint;

-- complete_by and begin_deadline as the client gave them. at_risk_since: since when its deadline is at risk, which an
-- event says once.
ALTER TABLE queue
    ADD COLUMN begin_bucket timestamptz NOT NULL DEFAULT 'infinity',
    ADD COLUMN complete_by timestamptz,
    ADD COLUMN begin_deadline timestamptz,
    ADD COLUMN at_risk_since timestamptz;

-- Few rows are at risk at a time.
CREATE INDEX queue_at_risk ON queue (at_risk_since) WHERE at_risk_since IS NOT NULL;
CREATE INDEX lanes_with_deadline ON lanes ((least(due_bucket, begin_bucket)))
    WHERE least(due_bucket, begin_bucket) < 'infinity';

-- What waits in each lane, as one replica counts it every quarter of an hour. unsized: rows of unknown size.
-- bytes: what the others still expect, together; largest: the most that one of them expects. oldest_at: the first
-- acceptance; last_due_at: the last complete_by. guard_at: when the lane is guarded because others need the same
-- bottleneck, null for no sooner than by itself. fits: how many of its bytes fit before their deadlines, null for all.
CREATE TABLE lane_loads (
    lane_no bigint PRIMARY KEY,
    waiting bigint NOT NULL,
    unsized bigint NOT NULL,
    bytes bigint NOT NULL,
    largest bigint NOT NULL,
    oldest_at timestamptz NOT NULL,
    first_run_at timestamptz NOT NULL,
    last_due_at timestamptz,
    guard_at timestamptz,
    fits bigint
) WITH (fillfactor = 70);

-- When the last count was begun: who moves the instant counts.
CREATE TABLE lane_load_rounds (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    begun_at timestamptz NOT NULL
);
INSERT INTO lane_load_rounds (begun_at) VALUES ('-infinity');
