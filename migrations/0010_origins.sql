-- Origins that nothing names any more can be removed; a registration that comes late can be told from a present one.

-- used_at: when the origin was last asked for by its name, or found at a download that is kept, to about an hour.
ALTER TABLE origins ADD COLUMN used_at timestamptz NOT NULL DEFAULT clock_timestamp();

-- What keeps an origin: its lanes while downloads wait, its gate while they run, and these rows.
CREATE INDEX lanes_of_origin ON lanes (origin_key);
CREATE INDEX queue_resting ON queue (origin_key) WHERE state > 1;

-- The database's clock as the process read it before it asked to be registered: of two requests for one data directory
-- the later one holds, in whichever order they are carried out.
ALTER TABLE replicas ADD COLUMN asked_at timestamptz NOT NULL DEFAULT '-infinity';

-- A number of a process fits into four bytes; there is a row for each attempt.
ALTER TABLE attempts ALTER COLUMN replica_no TYPE int;
