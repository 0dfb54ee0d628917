-- Lanes become rows with numbers of their own: what a look reads is bounded by what is due, not by what waits.

-- The downloads that every rule, limit and budget treats alike. `next_at` is a lower bound of the first run_at of
-- the lane's waiting rows, infinity when none waits: lull_enter_lanes lowers it with the commit that makes a row
-- wait, lull_settle_lanes raises it. `slept_at` is when it last became infinity.
CREATE TABLE lanes (
    lane_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_no bigint NOT NULL,
    session_no bigint NOT NULL,
    origin_key bigint NOT NULL,
    class smallint NOT NULL,
    rank smallint NOT NULL CHECK (rank BETWEEN 0 AND 3),
    network smallint NOT NULL,
    facet int NOT NULL DEFAULT 0,
    due_bucket timestamptz NOT NULL DEFAULT 'infinity',
    next_at timestamptz NOT NULL DEFAULT 'infinity',
    slept_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (session_no, origin_key, class, rank, network, facet, due_bucket)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);
CREATE INDEX lanes_due ON lanes (session_no, class, rank, next_at, lane_no) WHERE next_at < 'infinity';

-- The lanes of one session and class. `next_at` is a lower bound of theirs, kept in the same way.
CREATE TABLE lane_groups (
    session_no bigint NOT NULL,
    class smallint NOT NULL,
    app_no bigint NOT NULL,
    next_at timestamptz NOT NULL DEFAULT 'infinity',
    slept_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (session_no, class)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);
CREATE INDEX lane_groups_due ON lane_groups (class, app_no, next_at, session_no) WHERE next_at < 'infinity';
CREATE INDEX lane_groups_next ON lane_groups (next_at) WHERE next_at < 'infinity';

-- What lull_enter_lanes takes: a lane by all that tells it apart, and when its first row of these may begin;
-- null where none of them waits.
CREATE TYPE lane_entry AS (
    app_no bigint,
    session_no bigint,
    origin_key bigint,
    class smallint,
    rank smallint,
    network smallint,
    facet int,
    due_bucket timestamptz,
    at timestamptz
);

-- How many downloads of an app have not ended: the sum of its rows. Each commit adds its change as a row, so
-- that no two wait for each other; rows are summed up from time to time.
CREATE TABLE queued_counts (
    app_no bigint NOT NULL,
    change bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX queued_counts_of_app ON queued_counts (app_no);

-- lane_no: where it waits, or waited last. The lane of a row that does not wait may have been removed.
ALTER TABLE queue
    ADD COLUMN lane_no bigint,
    ADD COLUMN app_no bigint,
    ADD COLUMN network smallint NOT NULL DEFAULT 3,
    ADD COLUMN facet int NOT NULL DEFAULT 0,
    ADD COLUMN due_bucket timestamptz NOT NULL DEFAULT 'infinity';

INSERT INTO lanes (app_no, session_no, origin_key, class, rank, network, facet, due_bucket, next_at)
    SELECT s.app_no, q.session_no, q.origin_key, q.class, q.rank, q.network, q.facet, q.due_bucket,
        coalesce(min(q.run_at) FILTER (WHERE q.state = 0), 'infinity')
    FROM queue q JOIN sessions s ON s.session_no = q.session_no
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
INSERT INTO lane_groups (session_no, class, app_no, next_at)
    SELECT session_no, class, app_no, min(next_at) FROM lanes GROUP BY 1, 2, 3;
INSERT INTO queued_counts (app_no, change)
    SELECT s.app_no, count(*) FROM queue q JOIN sessions s ON s.session_no = q.session_no GROUP BY 1;

DROP INDEX queue_ready;
UPDATE queue q SET lane_no = l.lane_no, app_no = l.app_no FROM lanes l
    WHERE l.session_no = q.session_no AND l.origin_key = q.origin_key AND l.class = q.class AND l.rank = q.rank
        AND l.network = q.network AND l.facet = q.facet AND l.due_bucket = q.due_bucket;
ALTER TABLE queue ALTER COLUMN lane_no SET NOT NULL, ALTER COLUMN app_no SET NOT NULL, DROP COLUMN lane;
CREATE INDEX queue_ready ON queue (lane_no, run_at, id) WHERE state = 0;

-- Gates of apps (3) and of the deployment (4): key 0 is the lock that claims take, key N what replica N runs.
INSERT INTO gates (kind, key, running)
    SELECT 3, a.app_no, coalesce(sum(1 + q.extra_streams) FILTER (WHERE q.state = 1), 0)
        FROM apps a LEFT JOIN queue q ON q.app_no = a.app_no GROUP BY a.app_no
    UNION ALL SELECT 4, 0, 0
    UNION ALL SELECT 4, r.replica_no, count(q.id)
        FROM replicas r LEFT JOIN queue q ON q.replica_no = r.replica_no AND q.state = 1 GROUP BY r.replica_no;
