-- Downloads of one session that ask for the same bytes share one transfer; sessions limit their connections to an origin.

-- flight: a keyed digest of all that decides which bytes are asked for, how and when; null for a download on its own.
-- joined_to: the download whose transfer brings the bytes of this one; its state is then joined.
ALTER TABLE queue ADD COLUMN flight uuid, ADD COLUMN joined_to uuid;
CREATE INDEX queue_flights ON queue (flight, id) WHERE flight IS NOT NULL AND joined_to IS NULL AND state < 2;
CREATE INDEX queue_joined ON queue (joined_to, id) WHERE joined_to IS NOT NULL;

-- Downloads that bring no bytes for others any more and that others had joined; kind: lull_flight_end. A row stays
-- until nothing has to be done for those others. fence, length, result: of one that succeeded, its file and what its
-- row said. resume, total_bytes: of another one where its bytes end, for heir, which goes on with them.
CREATE TABLE flight_ends (
    leader uuid PRIMARY KEY,
    kind smallint NOT NULL,
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    fence bigint,
    length bigint,
    total_bytes bigint,
    heir uuid,
    result jsonb,
    resume jsonb
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX flight_ends_due ON flight_ends (due_at);

-- per_origin: of a session, how many connections its downloads may have to one origin at once.
ALTER TABLE gates ADD COLUMN per_origin int CHECK (per_origin > 0);
