-- The tables: a thin hot queue of live downloads, the wide rows beside it, the journal, deliveries.
-- Functions are in functions/: their current text replaces what is stored.
-- No foreign keys on hot tables (their locks would order every claim); no triggers; no sequences in public ids.

-- Values that this deployment makes once, for example the webhook secret.
CREATE TABLE settings (
    name text PRIMARY KEY,
    value text NOT NULL
);

-- What an app may do; null for no limit.
CREATE TABLE apps (
    app_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    requests_per_second double precision CHECK (requests_per_second > 0),
    queued_at_most bigint CHECK (queued_at_most >= 0)
);
INSERT INTO apps (name) VALUES ('default');

-- Only digests of keys are kept: 256 random bits need no slow hash.
CREATE TABLE api_keys (
    key_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_no bigint NOT NULL,
    digest bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    revoked_at timestamptz,
    scopes text[] NOT NULL,
    last_used_at timestamptz
);

-- One row per Idempotency-Key of an app. It is written with what the request makes; a request of which
-- nothing is stored yet holds its row without a status, until `held_until` at the latest; `holder` is its own
-- name, so that it may ask again whether it has the row. Both hashes are the first half of a SHA-256: of the
-- key, and of the method, the target and the body. download_id or download_ids: what the body shows, so that it
-- goes with the download.
CREATE TABLE idempotency_keys (
    app_no bigint NOT NULL,
    key_hash uuid NOT NULL,
    fingerprint uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    held_until timestamptz,
    holder uuid,
    download_id uuid,
    download_ids uuid[],
    status smallint,
    headers jsonb,
    body text,
    PRIMARY KEY (app_no, key_hash)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
CREATE INDEX idempotency_keys_of_download ON idempotency_keys (download_id) WHERE download_id IS NOT NULL;
CREATE INDEX idempotency_keys_of_batch ON idempotency_keys USING gin (download_ids)
    WHERE download_ids IS NOT NULL;

-- One document per deployment (app_no 0); one per app may follow.
CREATE TABLE policies (
    app_no bigint PRIMARY KEY,
    version int NOT NULL,
    document jsonb NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE sessions (
    session_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_no bigint NOT NULL,
    identifier text NOT NULL,
    version int NOT NULL DEFAULT 1,
    configuration jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (app_no, identifier)
);
INSERT INTO sessions (app_no, identifier) SELECT app_no, 'default' FROM apps;

-- What a download was created under stays readable when the session moves on.
CREATE TABLE session_versions (
    session_no bigint NOT NULL,
    version int NOT NULL,
    configuration jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (session_no, version)
);
INSERT INTO session_versions (session_no, version, configuration)
    SELECT session_no, version, configuration FROM sessions;

-- What downloads send besides the URL: header values, bodies, credentials. Sealed with a key that the
-- database never sees, in tables of their own, so that downloads without secrets pay nothing.
-- A download uses the secrets of the version of its session that it was created under.
CREATE TABLE session_secrets (
    session_no bigint NOT NULL,
    version int NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (session_no, version)
);
-- Ciphertext does not compress.
ALTER TABLE session_secrets ALTER COLUMN sealed SET STORAGE EXTERNAL;

-- A row lives as long as its download's row in the queue: every statement that ends a download deletes it.
CREATE TABLE download_secrets (
    id uuid PRIMARY KEY,
    sealed bytea NOT NULL
);
ALTER TABLE download_secrets ALTER COLUMN sealed SET STORAGE EXTERNAL;

-- `scheme://host:port`. Everything else names an origin by its number, which the name alone decides.
CREATE TABLE origins (
    origin_key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    origin text NOT NULL UNIQUE
);

-- The numbers of states, kinds, outcomes and event types are named in functions/codes.sql.

-- One row for each thing that has a limit; kind: lull_gate. `running_limit` overrides the
-- policy's number; `not_before` is an origin's Retry-After.
CREATE TABLE gates (
    kind smallint NOT NULL,
    key bigint NOT NULL,
    running_limit int CHECK (running_limit >= 0),
    running int NOT NULL DEFAULT 0 CHECK (running >= 0),
    not_before timestamptz NOT NULL DEFAULT '-infinity',
    PRIMARY KEY (kind, key)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500,
        autovacuum_vacuum_cost_delay = 0);

-- One row per process; its lease covers all that it runs. `instance` names the data directory, so
-- that a process which comes back on it takes its own work back at once.
CREATE TABLE replicas (
    replica_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    instance uuid NOT NULL,
    node text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL,
    draining boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50);

-- Data directories that have worked with this database. In one that is new here, files without a row are
-- left alone for a day: it may be the database that is the wrong one.
CREATE TABLE instances (
    instance uuid PRIMARY KEY,
    first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- What was asked and, at the end, what came of it. state: lull_end_state; of a live one the queue row says more.
-- What never changes stands before what changes, and pages keep room for the result of each row: an end then
-- touches no index and logs only what is new.
CREATE TABLE downloads (
    id uuid NOT NULL,
    app_no bigint NOT NULL,
    session_no bigint NOT NULL,
    created_at timestamptz NOT NULL,
    expected_bytes bigint,
    session text NOT NULL,
    url text NOT NULL,
    spec jsonb NOT NULL,
    origin_key bigint NOT NULL,
    priority double precision NOT NULL,
    earliest_begin_at timestamptz,
    started_at timestamptz,
    finished_at timestamptz,
    bytes bigint NOT NULL DEFAULT 0,
    content_fence bigint,
    attempts int NOT NULL DEFAULT 0,
    sequence int NOT NULL DEFAULT 1,
    class smallint NOT NULL,
    state smallint NOT NULL DEFAULT 0,
    result jsonb,
    PRIMARY KEY (id)
) PARTITION BY RANGE (id);
-- Ids carry their millisecond of birth (RFC 9562, version 7), so ranges of ids are ranges of time.
CREATE TABLE downloads_default PARTITION OF downloads DEFAULT WITH (fillfactor = 30);
CREATE INDEX downloads_of_app ON downloads (app_no, id);
CREATE INDEX downloads_of_session ON downloads (session_no, id);

-- Live downloads only. state: lull_live_state. control: lull_order, to the replica that runs it.
-- extra_streams: places that a running download holds beside its own for further streams, each counted by the gates
-- of its origin and its session.
-- life_since: when it was accepted, or tried again after its end; its time counts from then or from its earliest
-- begin. bytes_per_second: the smoothed speed of a running download, as it was at measured_at.
CREATE TABLE queue (
    id uuid PRIMARY KEY,
    lane bigint NOT NULL,
    run_at timestamptz NOT NULL,
    session_no bigint NOT NULL,
    origin_key bigint NOT NULL,
    replica_no bigint,
    claimed_at timestamptz,
    state_since timestamptz NOT NULL,
    deadline timestamptz NOT NULL,
    life_since timestamptz NOT NULL,
    expected_bytes bigint,
    bytes bigint NOT NULL DEFAULT 0,
    total_bytes bigint,
    bytes_per_second bigint,
    measured_at timestamptz,
    fence bigint NOT NULL DEFAULT 0,
    attempt int NOT NULL DEFAULT 0,
    attempts_without_progress int NOT NULL DEFAULT 0,
    sequence int NOT NULL DEFAULT 1,
    class smallint NOT NULL,
    rank smallint NOT NULL,
    state smallint NOT NULL DEFAULT 0,
    control smallint NOT NULL DEFAULT 0,
    extra_streams int NOT NULL DEFAULT 0 CHECK (extra_streams >= 0),
    webhook_url text,
    webhook_events int NOT NULL DEFAULT 0,
    resume jsonb,
    CHECK ((state = 1) = (replica_no IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_cost_delay = 0);
-- Origin and session, because a lane is a hash: two that collide stay two.
CREATE INDEX queue_ready ON queue (lane, origin_key, session_no, run_at, id) WHERE state = 0;
CREATE INDEX queue_running ON queue (replica_no) WHERE state = 1;
CREATE INDEX queue_control ON queue (replica_no) WHERE control <> 0;
CREATE INDEX queue_deadline ON queue (deadline) WHERE state <> 1;

-- One thin row for each finished file that is kept for a time. phase: lull_content_phase; of one that is released
-- the replica that has the file removes it. `due_at` is the instant of its next change.
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

-- outcome: lull_outcome.
CREATE TABLE attempts (
    id uuid NOT NULL,
    fence bigint NOT NULL,
    attempt int NOT NULL,
    replica_no bigint NOT NULL,
    started_at timestamptz,
    ended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    outcome smallint NOT NULL,
    detail jsonb
) PARTITION BY RANGE (ended_at);
CREATE TABLE attempts_default PARTITION OF attempts DEFAULT;
CREATE INDEX attempts_of_download ON attempts (id);

-- The journal. A reader after (xid, journal_no) also asks for xid < pg_snapshot_xmin(pg_current_snapshot()):
-- a sequence is handed out before the commit, so `journal_no` alone would lose what commits late.
-- `payload` is the snapshot of the download as sent; null where it follows from the download's row and the bytes
-- that stand here.
CREATE TABLE events (
    journal_no bigint GENERATED BY DEFAULT AS IDENTITY,
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    at timestamptz NOT NULL,
    -- Sorts by time (RFC 9562, version 7): 48 bits of `at` in milliseconds, then the last 38 bits of
    -- `journal_no` around the variant's two, then the last 36 of `xid`, so that an identifier leads
    -- to its place without an index of its own.
    id uuid NOT NULL GENERATED ALWAYS AS ((
        lpad(to_hex(floor(extract(epoch FROM at - timestamptz '1970-01-01 00:00:00+00')
            * 1000)::bigint), 12, '0')
        || to_hex(28672 | ((journal_no >> 26) & 4095))
        || to_hex((-9223372036854775808)::bigint | ((journal_no & 67108863) << 36)
            | (xid::text::bigint & 68719476735)))::uuid) STORED,
    session_no bigint NOT NULL,
    download_id uuid NOT NULL,
    type smallint NOT NULL,
    sequence int NOT NULL,
    attempt int NOT NULL DEFAULT 0,
    bytes bigint,
    total_bytes bigint,
    payload text
) PARTITION BY RANGE (at);
CREATE TABLE events_default PARTITION OF events DEFAULT;
CREATE INDEX events_in_order ON events (session_no, xid, journal_no);
-- One download's changes follow each other under its row's lock, so `sequence` is their commit order.
CREATE INDEX events_of_download ON events (download_id, sequence, journal_no);
CREATE INDEX events_by_age ON events USING brin (at);

-- What lull_record_events takes; webhook_url is null where nothing is sent.
CREATE TYPE new_event AS (
    at timestamptz,
    session_no bigint,
    download_id uuid,
    type smallint,
    sequence int,
    attempt int,
    data text,
    bytes bigint,
    total_bytes bigint,
    webhook_url text,
    webhook_events int
);

-- The outbox. state: lull_delivery_state. `lane` is the receiver.
-- A null `body` follows from the download's row and the bytes that stand here; once that row is
-- deleted it is the download's id alone, and a delivery that has ended goes with it.
CREATE TABLE deliveries (
    delivery_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id uuid NOT NULL,
    download_id uuid NOT NULL,
    session_no bigint NOT NULL,
    type smallint NOT NULL,
    at timestamptz NOT NULL,
    sequence int NOT NULL,
    event_attempt int NOT NULL DEFAULT 0,
    lane bigint NOT NULL,
    url text NOT NULL,
    body text,
    bytes bigint NOT NULL DEFAULT 0,
    total_bytes bigint,
    run_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    attempt int NOT NULL DEFAULT 0,
    fence bigint NOT NULL DEFAULT 0,
    replica_no bigint,
    state smallint NOT NULL DEFAULT 0,
    finished_at timestamptz,
    last_status int,
    last_error text
) WITH (fillfactor = 80);
CREATE INDEX deliveries_ready ON deliveries (lane, run_at, delivery_no) WHERE state = 0;
CREATE INDEX deliveries_running ON deliveries (replica_no) WHERE state = 1;
CREATE INDEX deliveries_of_download ON deliveries (download_id);

-- Receivers that answered 410 to an app: until then nothing is sent to the URL, and what comes in for it is
-- given up. Other apps with the same URL are not concerned.
CREATE TABLE webhook_rests (
    app_no bigint NOT NULL,
    url text NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL,
    PRIMARY KEY (app_no, url)
);
