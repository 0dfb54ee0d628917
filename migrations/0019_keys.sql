-- What tells lanes and gates apart never changes, and stands in tables of its own. At a change of a row that needs a new entry
-- in a unique index the server visits all versions of the row that an old snapshot keeps. lull_make_lanes and
-- lull_make_gates alone make rows, one for each key, which stays for as long as its row. `lanes` repeats the key for those
-- who read one. Without deduplication, because functions/gates.sql needs the entries of versions in the order of their
-- places: a list of places is read from its first one on in both directions.
CREATE TABLE lane_keys (
    lane_no bigint PRIMARY KEY,
    origin_key bigint NOT NULL,
    session_no bigint NOT NULL,
    due_bucket timestamptz NOT NULL,
    begin_bucket timestamptz NOT NULL,
    facet int NOT NULL,
    class smallint NOT NULL,
    rank smallint NOT NULL,
    network smallint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
INSERT INTO lane_keys
    SELECT lane_no, origin_key, session_no, due_bucket, begin_bucket, facet, class, rank, network FROM lanes;
CREATE UNIQUE INDEX lane_keys_by_origin
    ON lane_keys (origin_key, session_no, class, rank, network, facet, due_bucket, begin_bucket);
DROP INDEX lanes_by_origin;
ALTER TABLE lanes DROP CONSTRAINT lanes_pkey;
CREATE INDEX lanes_by_number ON lanes (lane_no) WITH (deduplicate_items = off);
ALTER INDEX lane_groups_pkey SET (deduplicate_items = off);

CREATE TABLE gate_keys (
    kind smallint NOT NULL,
    key bigint NOT NULL,
    PRIMARY KEY (kind, key)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
INSERT INTO gate_keys SELECT kind, key FROM gates;
ALTER TABLE gates DROP CONSTRAINT gates_pkey;
CREATE INDEX gates_by_key ON gates (kind, key) WITH (deduplicate_items = off);
