-- The tables as they are, in the order of a download's story: the apps that ask, the rules, the downloads that wait and
-- run, the records that are kept of them, and the receivers that are told. functions/ has the functions; their current
-- text replaces the stored one.
-- Hot tables have no foreign keys, because the locks of these would order every claim; there are no triggers, and no
-- sequences in public ids. The numbers of states, kinds, outcomes and event types are named in functions/codes.sql.

-- Values of the deployment by their names, such as the place up to which the journal was removed.
CREATE TABLE settings (
    name text PRIMARY KEY,
    value text NOT NULL
);

-- The last reading of the database's clock, by which a new process sees whether the clock has jumped: one row.
CREATE TABLE clock_seen (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    seen_at timestamptz NOT NULL,
    boot text NOT NULL,  -- the start of the machine that saw it
    boot_us bigint NOT NULL,  -- that machine's boot clock, in microseconds
    jumped_at timestamptz  -- the clock behind its last jump
);

-- An app owns keys, sessions and downloads. Null means without a limit.
CREATE TABLE apps (
    app_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    requests_per_second double precision CHECK (requests_per_second > 0),
    queued_at_most bigint CHECK (queued_at_most >= 0),
    staged_bytes_at_most bigint CHECK (staged_bytes_at_most >= 0)
);
INSERT INTO apps (name) VALUES ('default');

-- Keys of apps. Only digests are kept: 256 random bits need no slow hash.
CREATE TABLE api_keys (
    key_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_no bigint NOT NULL,
    digest bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    revoked_at timestamptz,
    scopes text[] NOT NULL,
    last_used_at timestamptz
);

-- The answer to each request that had an Idempotency-Key, so that a repeated request gets the stored answer. The row is
-- written in the transaction of the request's effects. A request without a stored answer yet holds its row without a
-- status. Both hashes are the first half of a SHA-256: of the key, and of the method, the target and the body.
CREATE TABLE idempotency_keys (
    app_no bigint NOT NULL,
    key_hash uuid NOT NULL,
    fingerprint uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    held_until timestamptz,  -- a request without a status holds the row until then at the latest
    holder uuid,  -- the request's own name, by which it asks again whether it has the row
    download_id uuid,  -- the download that the body shows: the row is removed with it
    download_ids uuid[],  -- the downloads that the body of a batch shows
    status smallint,
    headers jsonb,
    body text,
    PRIMARY KEY (app_no, key_hash)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
CREATE INDEX idempotency_keys_of_download ON idempotency_keys (download_id) WHERE download_id IS NOT NULL;
CREATE INDEX idempotency_keys_of_batch ON idempotency_keys USING gin (download_ids) WHERE download_ids IS NOT NULL;

-- The policy in force of the deployment (app_no 0) and of each app that has one. A deleted policy keeps its row
-- without a document, so that versions never repeat.
CREATE TABLE policies (
    app_no bigint PRIMARY KEY,
    version int NOT NULL,
    document jsonb,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Every version of each policy; a deletion has no document.
CREATE TABLE policy_versions (
    app_no bigint NOT NULL,
    version int NOT NULL,
    document jsonb,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (app_no, version)
);

-- The conditions that have a pushed value; the last writer wins.
CREATE TABLE conditions (
    name text PRIMARY KEY,
    value jsonb NOT NULL,
    ttl interval,  -- null: for ever, or as long as the policy says
    source text,
    schedule jsonb NOT NULL DEFAULT '[]',  -- a list of {"from": instant, "value": value}
    pushed_at timestamptz NOT NULL
);

-- Each change of a pushed value, kept for eight days; a removal has no value.
CREATE TABLE condition_changes (
    change_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    value jsonb,
    source text,
    changed_at timestamptz NOT NULL
);
CREATE INDEX condition_changes_by_name ON condition_changes (name, change_no);
CREATE INDEX condition_changes_by_age ON condition_changes (changed_at);

-- A number that rises with every change of a policy or a condition, in the same transaction: other replicas compare it
-- to learn of changes. One row.
CREATE TABLE facts_version (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version bigint NOT NULL
);
INSERT INTO facts_version (version) VALUES (1);

-- A session groups downloads of an app and gives them defaults (docs/sessions.md). Its current configuration stands
-- here.
CREATE TABLE sessions (
    session_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_no bigint NOT NULL,
    identifier text NOT NULL,
    version int NOT NULL DEFAULT 1,
    configuration jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    state smallint NOT NULL DEFAULT 0,  -- lull_session_state
    sends_wakes boolean NOT NULL DEFAULT true,  -- sends_launch_events of the configuration
    is_ephemeral boolean NOT NULL DEFAULT false,  -- kind of the configuration
    event_mask bigint NOT NULL DEFAULT 0,  -- the events of sessions that event_url gets: bits of lull_event_type
    event_url text,  -- webhook_url of the configuration
    -- The times at which it was suspended, resumed, suspended again and so on: lull_suspensions.
    suspensions timestamptz[] NOT NULL DEFAULT '{}',
    UNIQUE (app_no, identifier)
);
INSERT INTO sessions (app_no, identifier) SELECT app_no, 'default' FROM apps;

-- Each configuration that a session had: a download keeps the version that it was created under.
CREATE TABLE session_versions (
    session_no bigint NOT NULL,
    version int NOT NULL,
    configuration jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (session_no, version)
);
INSERT INTO session_versions (session_no, version, configuration)
    SELECT session_no, version, configuration FROM sessions;

-- The parts of requests that the downloads of a session send besides the URL, such as header values and credentials,
-- sealed with a key that the database never sees. A download uses the version that it was created under. Ciphertext
-- does not compress, so its storage is EXTERNAL.
CREATE TABLE session_secrets (
    session_no bigint NOT NULL,
    version int NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (session_no, version)
);
ALTER TABLE session_secrets ALTER COLUMN sealed SET STORAGE EXTERNAL;

-- Origins, `scheme://host:port`. All other tables name an origin by its number.
CREATE TABLE origins (
    origin_key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    origin text NOT NULL UNIQUE,
    -- The last time at which it was asked for by name, or found at a download that is kept; to about an hour.
    used_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The times until which an origin asked an app for no requests: a row for each pair that had such an answer.
CREATE TABLE pushbacks (
    origin_key bigint NOT NULL REFERENCES origins ON DELETE CASCADE,
    app_no bigint NOT NULL,
    until timestamptz NOT NULL,  -- the time that the latest answer told
    pushed_at timestamptz NOT NULL,  -- the time of that answer
    PRIMARY KEY (origin_key, app_no)
);
CREATE INDEX pushbacks_over ON pushbacks (until);

-- Data directories that have worked with this database. In a directory that is new to it, files without a row are left
-- alone for a day: the database may be the wrong one.
CREATE TABLE instances (
    instance uuid PRIMARY KEY,
    first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    instance_no bigint GENERATED ALWAYS AS IDENTITY,  -- a number for people
    node text,
    -- The time at which its last replica left; not kept up to date while it has one.
    last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    missing bigint NOT NULL DEFAULT 0,  -- files that its replica does not find and does not call lost
    -- An operator says that the missing files do not come back; the replica clears it.
    loss_accepted boolean NOT NULL DEFAULT false,
    gone_at timestamptz  -- its content counts as lost since then
);
CREATE UNIQUE INDEX instances_by_number ON instances (instance_no);

-- The processes that work with this database. The lease of a process covers all downloads that it runs.
CREATE TABLE replicas (
    replica_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    instance uuid NOT NULL,  -- its data directory, by which a process takes its own work back after a restart
    node text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL,  -- the end of its lease
    draining boolean NOT NULL DEFAULT false,
    address text,  -- HOST:PORT for other replicas; null if it listens on Unix sockets alone
    readings jsonb,  -- lists of {"name", "value", "since"} and {"requirement", "is_met", "since"}, of measured_at
    measured_at timestamptz,
    -- The database's clock before the process asked to be registered: the later of two requests holds.
    asked_at timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50);

-- The request of each download and upload; written once, when it is accepted. Ids carry their millisecond of birth
-- (RFC 9562, version 7), so that ranges of ids are ranges of time. Pages are filled, because these rows hardly change.
CREATE TABLE download_requests (
    id uuid PRIMARY KEY,
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
    class smallint NOT NULL,
    is_upload boolean NOT NULL GENERATED ALWAYS AS (get_byte(uuid_send(id), 6) >> 4 = 8) STORED
) PARTITION BY RANGE (id);
CREATE TABLE download_requests_default PARTITION OF download_requests DEFAULT WITH (fillfactor = 100);
CREATE INDEX download_requests_of_app ON download_requests (app_no, is_upload, id);
CREATE INDEX download_requests_of_session ON download_requests (session_no, id);
CREATE INDEX download_requests_of_source ON download_requests (app_no, (spec->>'source'), id)
    WHERE spec->>'source' IS NOT NULL;

-- The result of each download. A download has no row before its first attempt has ended; lull_keep_results writes it.
CREATE TABLE download_results (
    id uuid PRIMARY KEY,
    finished_at timestamptz,
    started_at timestamptz,
    bytes bigint NOT NULL DEFAULT 0,
    content_fence bigint,
    attempts int NOT NULL DEFAULT 0,
    sequence int NOT NULL DEFAULT 1,
    state smallint,  -- lull_state of a download that has ended; null while it is live
    result jsonb,
    app_no bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02);
-- The downloads, and apart from them the uploads, of an app in the order in which they ended.
CREATE INDEX download_results_ended ON download_results
    (app_no, (get_byte(uuid_send(id), 6) >> 4 = 8), finished_at, id) INCLUDE (state) WHERE finished_at IS NOT NULL;

-- The request and the result of each download in one row.
CREATE VIEW downloads AS
    SELECT d.id, d.app_no, d.session_no, d.created_at, d.expected_bytes, d.session, d.url, d.spec, d.origin_key,
        d.priority, d.earliest_begin_at, r.started_at, r.finished_at, coalesce(r.bytes, 0) AS bytes, r.content_fence,
        coalesce(r.attempts, 0) AS attempts, coalesce(r.sequence, 1) AS sequence, d.class, d.is_upload,
        r.state, r.result
    FROM download_requests d LEFT JOIN download_results r ON r.id = d.id;

-- The parts of a request that a single download sends besides the URL, sealed as in session_secrets. A row lives as
-- long as the download's row in the queue, or, for a retry after the end, until kept_until.
CREATE TABLE download_secrets (
    id uuid PRIMARY KEY,
    sealed bytea NOT NULL,
    kept_until timestamptz  -- null while the download is live
);
CREATE INDEX download_secrets_unused ON download_secrets (kept_until) WHERE kept_until IS NOT NULL;
ALTER TABLE download_secrets ALTER COLUMN sealed SET STORAGE EXTERNAL;

-- The names that clients gave to downloads, each once in its session.
CREATE TABLE external_ids (
    app_no bigint NOT NULL,
    session_no bigint NOT NULL,
    external_id text NOT NULL,
    id uuid NOT NULL,
    PRIMARY KEY (app_no, external_id, session_no)
);
CREATE UNIQUE INDEX external_ids_of_download ON external_ids (id);

-- The combinations of values by which the rules of a policy tell single downloads apart. The number 0 stands for no
-- known value, and has no row.
CREATE TABLE facets (
    facet_no int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    vector text NOT NULL UNIQUE  -- Facet
);

-- A lane holds the waiting downloads that every rule, limit and budget treats alike. A replica looks at lanes, so that
-- the cost of a look follows the number of due lanes, not the number of waiting downloads. The number has an index
-- without deduplication, because functions/gates.sql reads the entries of a row's versions in the order of their
-- places.
CREATE TABLE lanes (
    lane_no bigint GENERATED ALWAYS AS IDENTITY,
    app_no bigint NOT NULL,
    session_no bigint NOT NULL,
    origin_key bigint NOT NULL,
    class smallint NOT NULL,
    rank smallint NOT NULL CHECK (rank BETWEEN 0 AND 3),
    lane_flags smallint NOT NULL,  -- bits of lull_lane_flag
    facet int NOT NULL DEFAULT 0,
    due_bucket timestamptz NOT NULL DEFAULT 'infinity',  -- complete_by of its downloads, rounded down
    -- A lower bound of the first run_at of its waiting rows: lull_enter_lanes lowers it, lull_settle_lanes raises it.
    next_at timestamptz NOT NULL DEFAULT 'infinity',
    slept_at timestamptz NOT NULL DEFAULT clock_timestamp(),  -- the time at which next_at last became infinity
    begin_bucket timestamptz NOT NULL DEFAULT 'infinity',  -- begin_deadline of its downloads, rounded down
    largest_need bigint NOT NULL DEFAULT 0,  -- no waiting row expects more bytes; kept only with a due_bucket
    -- The transaction that made the lane, or made its downloads begin earlier.
    changed xid8 NOT NULL DEFAULT pg_current_xact_id()
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);
CREATE INDEX lanes_due ON lanes (session_no, class, rank, next_at, lane_no) WHERE next_at < 'infinity';
CREATE INDEX lanes_with_deadline ON lanes ((least(due_bucket, begin_bucket)))
    WHERE least(due_bucket, begin_bucket) < 'infinity';
CREATE INDEX lanes_by_number ON lanes (lane_no) WITH (deduplicate_items = off);
CREATE INDEX lanes_changed ON lanes (changed, lane_no) WHERE next_at < 'infinity';

-- The key of each lane, which never changes. It stands apart from lanes because at an update that needs a new entry in
-- a unique index the server visits every version of the row that an old snapshot keeps. lull_make_lanes alone makes
-- rows.
CREATE TABLE lane_keys (
    lane_no bigint PRIMARY KEY,
    origin_key bigint NOT NULL,
    session_no bigint NOT NULL,
    due_bucket timestamptz NOT NULL,
    begin_bucket timestamptz NOT NULL,
    facet int NOT NULL,
    class smallint NOT NULL,
    rank smallint NOT NULL,
    lane_flags smallint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE UNIQUE INDEX lane_keys_by_origin
    ON lane_keys (origin_key, session_no, class, rank, lane_flags, facet, due_bucket, begin_bucket);

-- The lanes of one session and class together.
CREATE TABLE lane_groups (
    session_no bigint NOT NULL,
    class smallint NOT NULL,
    app_no bigint NOT NULL,
    next_at timestamptz NOT NULL DEFAULT 'infinity',  -- a lower bound of the next_at of its lanes
    slept_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (session_no, class) WITH (deduplicate_items = off)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);
CREATE INDEX lane_groups_due ON lane_groups (class, app_no, next_at, session_no) WHERE next_at < 'infinity';
CREATE INDEX lane_groups_next ON lane_groups (next_at) WHERE next_at < 'infinity';

-- The parameter of lull_enter_lanes: a lane by its key, and the time at which the first of the entering rows may begin;
-- null if none of them waits.
CREATE TYPE lane_entry AS (
    app_no bigint,
    session_no bigint,
    origin_key bigint,
    class smallint,
    rank smallint,
    lane_flags smallint,
    facet int,
    due_bucket timestamptz,
    at timestamptz,
    begin_bucket timestamptz,
    need bigint
);

-- Parameters of lull_lanes: the place that earlier pages reached in the sessions of an app, and in the lanes of a
-- session.
CREATE TYPE app_mark AS (
    class smallint,
    app_no bigint,
    at timestamptz,
    session_no bigint
);
CREATE TYPE group_mark AS (
    class smallint,
    session_no bigint,
    at timestamptz,
    lane_no bigint
);

-- The parameter of lull_claim: a lane, how many of its downloads are wanted, and what holds for it in the policy.
CREATE TYPE claim_lane AS (
    lane_no bigint,
    quota int,
    origin_limit int,  -- of a gate without a limit of its own
    session_limit int,  -- null for none
    fits bigint,  -- the bytes that come until its rules close; null if they do not close at a known instant
    longest bigint,  -- the bytes that come in the longest opening
    unsized bigint  -- what a download of unknown size counts as
);

-- The parameter of lull_claim: how many downloads may probe origins that are not reached, and after how many
-- milliseconds another one may, if a probe is lost and tells no result.
CREATE TYPE claim_probes AS (
    most int,  -- null for any number
    pause bigint
);

-- The parameter of lull_claim: the limit of an app by the policy.
CREATE TYPE app_limit AS (
    app_no bigint,
    most int
);

-- The number of an app's downloads that have not ended: the sum of its rows. Each commit adds its change as a row, so
-- that no two commits wait for each other; rows are summed up from time to time.
CREATE TABLE queued_counts (
    app_no bigint NOT NULL,
    change bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX queued_counts_of_app ON queued_counts (app_no);

-- A gate counts the running downloads under one limit. kind is one of lull_gate: origin, session, app, deployment. In
-- the deployment's kind, key 0 is the lock that claims take, and key N counts the downloads that replica N runs. The
-- index has no deduplication for the reason given at lanes.
CREATE TABLE gates (
    kind smallint NOT NULL,
    key bigint NOT NULL,
    running_limit int CHECK (running_limit >= 0),  -- in place of the policy's number
    running int NOT NULL DEFAULT 0 CHECK (running >= 0),
    not_before timestamptz NOT NULL DEFAULT '-infinity',  -- an origin's Retry-After
    unreachable_since timestamptz,  -- the time since which the origin is not reached; null while it is
    probe_at timestamptz,  -- the time at which one of its downloads may try again
    probes int NOT NULL DEFAULT 0,  -- the number of tries in this outage
    per_origin int CHECK (per_origin > 0)  -- the connections that a session may have to one origin
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500,
        autovacuum_vacuum_cost_delay = 0);
CREATE INDEX gates_by_key ON gates (kind, key) WITH (deduplicate_items = off);

-- The keys of gates, apart from them for the reason given at lane_keys. A gate of an origin is named by the number of
-- the origin's own row. lull_make_gates alone makes rows.
CREATE TABLE gate_keys (
    kind smallint NOT NULL,
    key bigint NOT NULL,
    CHECK (kind <> 1),
    PRIMARY KEY (kind, key)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
INSERT INTO gate_keys (kind, key) SELECT 3, app_no FROM apps UNION ALL SELECT 4, 0;
INSERT INTO gates (kind, key) SELECT kind, key FROM gate_keys;

-- The reservation of a running download at a counter; counts is one of lull_budget_counts.
CREATE TYPE budget_hold AS (
    counter_no bigint,
    held bigint,
    counts smallint
);

-- The downloads that have not ended: one narrow row each, which changes often. state is one of lull_state,
-- control one of lull_order.
CREATE TABLE queue (
    id uuid PRIMARY KEY,
    run_at timestamptz NOT NULL,
    session_no bigint NOT NULL,
    origin_key bigint NOT NULL,
    replica_no bigint,
    claimed_at timestamptz,
    state_since timestamptz NOT NULL,  -- the time of its last change of state
    deadline timestamptz NOT NULL,
    -- The time of its acceptance or its last retry: its time limit counts from then, or from its earliest begin.
    life_since timestamptz NOT NULL,
    expected_bytes bigint,
    bytes bigint NOT NULL DEFAULT 0,
    total_bytes bigint,
    sent_bytes bigint NOT NULL DEFAULT 0,  -- of its file, to its receiver, in the current or last try
    bytes_per_second bigint,  -- its smoothed speed at measured_at while it runs
    measured_at timestamptz,
    fence bigint NOT NULL DEFAULT 0,
    attempt int NOT NULL DEFAULT 0,
    attempts_without_progress int NOT NULL DEFAULT 0,
    sequence int NOT NULL DEFAULT 1,
    class smallint NOT NULL,
    rank smallint NOT NULL,
    state smallint NOT NULL DEFAULT 0,
    control smallint NOT NULL DEFAULT 0,
    -- Places beside the download's own for further streams, each counted by its gates.
    extra_streams int NOT NULL DEFAULT 0 CHECK (extra_streams >= 0),
    webhook_url text,
    webhook_events bigint NOT NULL DEFAULT 0,
    resume jsonb,  -- ResumePoint
    -- The lane in which it waits, or waited last; that lane may be removed while it does not wait.
    lane_no bigint NOT NULL,
    app_no bigint NOT NULL,
    lane_flags smallint NOT NULL DEFAULT 3,  -- any network
    facet int NOT NULL DEFAULT 0,
    due_bucket timestamptz NOT NULL DEFAULT 'infinity',
    begin_bucket timestamptz NOT NULL DEFAULT 'infinity',
    complete_by timestamptz,  -- the time that the client gave
    begin_deadline timestamptz,  -- the time that the client gave
    at_risk_since timestamptz,  -- the time since which its deadline is at risk, which an event tells once
    budget_holds budget_hold[],  -- null if no budget counts it
    budget_counted bigint[],  -- bytes of the attempt that are counted already: received and sent
    placing_at timestamptz,  -- the time at which an attempt first put its whole file into the destination's folder
    wake_until timestamptz,  -- the time at which the limiter lets it begin, if it was created in the background
    flight uuid,  -- a keyed digest of the values that decide its bytes; null if it shares no transfer
    joined_to uuid,  -- the download whose transfer brings its bytes; its state is joined then
    hook_asked_at timestamptz,  -- the time at which its begin hook was asked that has not answered
    hook_sequence int,  -- the sequence of that event
    CHECK ((state = 1) = (replica_no IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_cost_delay = 0);
CREATE INDEX queue_running ON queue (replica_no) WHERE state = 1;
CREATE INDEX queue_control ON queue (replica_no) WHERE control <> 0;
CREATE INDEX queue_deadline ON queue (deadline) WHERE state <> 1;
CREATE INDEX queue_ready ON queue (lane_no, run_at, id) WHERE state = 0;
CREATE INDEX queue_next ON queue (app_no, run_at, id) WHERE state IN (0, 4);  -- waiting and joined
CREATE INDEX queue_at_risk ON queue (at_risk_since) WHERE at_risk_since IS NOT NULL;
CREATE INDEX queue_resting ON queue (origin_key) WHERE state > 1;
CREATE INDEX queue_in_background ON queue (session_no) WHERE wake_until IS NOT NULL;
CREATE INDEX queue_resting_of_session ON queue (session_no) WHERE state > 1;
CREATE INDEX queue_resting_of_app ON queue (app_no, state, id) WHERE state > 1;
CREATE INDEX queue_flights ON queue (flight, id) WHERE flight IS NOT NULL AND joined_to IS NULL AND state < 2;
-- Uploads, as lull_is_upload knows them, and those that still receive their bytes (lull_lane_flag('stages')).
CREATE INDEX queue_uploads ON queue (app_no) WHERE get_byte(uuid_send(id), 6) >> 4 = 8;
CREATE INDEX queue_receiving ON queue (session_no) WHERE lane_flags & 256 <> 0;
CREATE INDEX queue_joined ON queue (joined_to, id) WHERE joined_to IS NOT NULL;

-- The sums of the waiting downloads in each lane that has a deadline, as one replica counts them each minute.
CREATE TABLE lane_loads (
    lane_no bigint PRIMARY KEY,
    waiting bigint NOT NULL,
    unsized bigint NOT NULL,  -- rows of unknown size
    bytes bigint NOT NULL,  -- the bytes that the rows of known size still expect, together
    largest bigint NOT NULL,  -- the most bytes that one of them expects
    oldest_at timestamptz NOT NULL,  -- the first acceptance
    first_run_at timestamptz NOT NULL,
    last_due_at timestamptz,  -- the last complete_by
    -- The time from which it is guarded because others need the same bottleneck; null: no sooner than by itself.
    guard_at timestamptz,
    fits bigint  -- the number of its bytes that fit before their deadlines; null for all
) WITH (fillfactor = 70);

-- The time at which the last count of lane_loads began: the replica that moves the instant counts. One row.
CREATE TABLE lane_load_rounds (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    begun_at timestamptz NOT NULL
);
INSERT INTO lane_load_rounds (begun_at) VALUES ('-infinity');

-- A counter for each budget, value of its scope and period.
CREATE TABLE budget_counters (
    counter_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner text NOT NULL,  -- the app whose policy has the budget, empty for the deployment's
    budget text NOT NULL,
    value text NOT NULL,  -- the value of the budget's scope
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    spent bigint NOT NULL DEFAULT 0 CHECK (spent >= 0),  -- bytes that were transferred in the period
    -- The bytes that running downloads may still bring: the sum of their holds.
    reserved bigint NOT NULL DEFAULT 0 CHECK (reserved >= 0),
    UNIQUE (budget, owner, value, starts_at, ends_at)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500,
        autovacuum_vacuum_cost_delay = 0);
CREATE INDEX budget_counters_by_age ON budget_counters (ends_at);

-- The parameter of lull_reserve_budgets: a waiting row, the place of its lane in the claim, and the bytes that it
-- expects.
CREATE TYPE budget_claim AS (
    id uuid,
    place int,
    need bigint
);

-- The parameter of lull_close_budgets: a row that does not run any more, with the bytes of its attempt; null if they
-- are not known.
CREATE TYPE budget_end AS (
    holds budget_hold[],
    counted bigint[],
    received bigint,
    sent bigint
);

-- Ended leaders of shared transfers whose followers are still to be settled. kind is one of lull_flight_end. A row is
-- removed when no work is left for the followers.
CREATE TABLE flight_ends (
    leader uuid PRIMARY KEY,
    kind smallint NOT NULL,
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    fence bigint,  -- if it succeeded, with length and result: its file and its row
    length bigint,
    total_bytes bigint,
    heir uuid,  -- the follower that continues the bytes described by resume and total_bytes
    result jsonb,
    resume jsonb
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX flight_ends_due ON flight_ends (due_at);

-- The finished files that are kept, one narrow row each. phase is one of lull_content_phase. A released file is
-- removed by the replica that has it; a lost one keeps its row, so that a file that is found again with its digest is
-- content again.
CREATE TABLE contents (
    id uuid PRIMARY KEY,
    instance uuid NOT NULL,
    fence bigint NOT NULL,
    length bigint NOT NULL,
    expires_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,  -- the instant of its next change
    phase smallint NOT NULL DEFAULT 0,
    object_path text  -- of an object in a store that is not kept, once its download is deleted
) WITH (fillfactor = 100);
CREATE INDEX contents_due ON contents (due_at) WHERE phase < 2;
CREATE INDEX contents_doomed ON contents (instance, id) WHERE phase = 2;
CREATE INDEX contents_lost ON contents (expires_at) WHERE phase = 3;

-- The bytes of failed downloads, which a retry continues: a row for each part file that stays.
CREATE TABLE kept_parts (
    id uuid PRIMARY KEY,
    instance uuid NOT NULL,  -- the data directory that has the file
    fence bigint NOT NULL,  -- in the name of the file
    bytes bigint NOT NULL,
    resume jsonb NOT NULL,  -- ResumePoint: the values with which the next attempt asks for the rest
    ended_at timestamptz NOT NULL,
    retention bigint  -- content_retention of the download in seconds; null for the deployment's
);
CREATE INDEX kept_parts_ended ON kept_parts (instance, ended_at);

-- The attempts of each download. outcome is one of lull_outcome.
CREATE TABLE attempts (
    id uuid NOT NULL,
    fence bigint NOT NULL,
    attempt int NOT NULL,
    replica_no int NOT NULL,
    started_at timestamptz,
    ended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    outcome smallint NOT NULL,
    detail jsonb
) PARTITION BY RANGE (ended_at);
CREATE TABLE attempts_default PARTITION OF attempts DEFAULT;
CREATE INDEX attempts_of_download ON attempts (id);

-- The parameter of lull_report_progress: a running download as it is.
CREATE TYPE run_progress AS (
    id uuid,
    fence bigint,
    bytes bigint,
    total bigint,
    sent bigint,
    resume jsonb,  -- null leaves the resume point unchanged
    data text,  -- the data of a progress event; null for none
    sequence int,
    speed bigint,
    at timestamptz
);

-- The parameter of lull_finish: the end of an attempt.
CREATE TYPE attempt_end AS (
    id uuid,
    fence bigint,
    outcome smallint,
    at timestamptz,
    run_at timestamptz,  -- the time at which a retry may begin
    cool timestamptz,  -- an origin's Retry-After, for all downloads of the app from it
    bytes bigint,
    total bigint,
    attempts_without_progress int,
    resume jsonb,
    result jsonb,
    type smallint,  -- the event
    data text,  -- the data of the event; null if the event follows from the row
    detail jsonb,
    started timestamptz,
    origin_key bigint,
    session_no bigint,
    app_no bigint,
    -- The origin to which a row that stays in the queue moves: that of the next mirror, or of the receiver.
    next_origin text,
    next_flags smallint,  -- the lane_flags of such a row, if its direction changes
    next_facet int,  -- its facet, if its direction changes
    sequence int,
    received bigint,  -- bytes of the attempt, for budgets
    sent bigint,
    shared_from uuid,  -- the download whose file this one gets, because the content has not changed
    reach smallint  -- the finding about the origin; null for none
);

-- The journal. A reader behind (xid, journal_no) also asks for xid < pg_snapshot_xmin(pg_current_snapshot()): a
-- sequence hands its number out before the commit, so that journal_no alone would miss late commits. The identifier of
-- an event follows from its place: lull_event_id.
CREATE TABLE events (
    journal_no bigint GENERATED BY DEFAULT AS IDENTITY,
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    at timestamptz NOT NULL,
    session_no bigint NOT NULL,
    download_id uuid NOT NULL,
    app_no int NOT NULL,
    sequence int NOT NULL,
    attempt int NOT NULL DEFAULT 0,
    type smallint NOT NULL,
    bytes bigint,
    total_bytes bigint,
    -- The download as it was sent; null if it follows from the download's row and the bytes that are stored here.
    payload text
);
CREATE INDEX events_in_order ON events (app_no, xid, journal_no);
CREATE INDEX events_of_download ON events (download_id, sequence);

-- The parameter of lull_record_events; webhook_url is null if nothing is sent.
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
    webhook_events bigint
);

-- The parameter of lull_record_app_events: an event that is not about a download. endpoint_no: a ping goes to that
-- endpoint alone, every other event to the others.
CREATE TYPE app_event AS (
    app_no int,
    session_no bigint,
    subject uuid,
    type smallint,
    sequence int,
    endpoint_no bigint,
    data text
);

-- The endpoints that apps registered for webhooks. The one without an id is the app's default, whose secret signs the
-- webhooks to the webhook_urls of downloads and sessions. A deleted endpoint stays, without its secret, while
-- deliveries name it. Secrets are sealed with a key that the database never sees.
CREATE TABLE webhook_endpoints (
    endpoint_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_no bigint NOT NULL,
    id uuid UNIQUE,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    disabled_at timestamptz,
    deleted_at timestamptz,
    event_mask bigint NOT NULL,  -- bits of lull_event_type
    version int NOT NULL DEFAULT 1,
    sequence int NOT NULL DEFAULT 0,  -- the number of events about the endpoint itself
    disabled_reason text,
    secret bytea,
    url text,
    events text[],
    sessions text[],  -- null for all
    description text,
    format text NOT NULL DEFAULT 'standard',  -- NoticeFormat
    replaced_secrets bytea[] NOT NULL DEFAULT '{}',  -- the one that was replaced last comes first
    replaced_until timestamptz[] NOT NULL DEFAULT '{}',  -- the time at which each of them stops signing
    request jsonb,  -- headers and credentials for the receiver in the form that is shown
    sealed bytea,  -- the values of these headers and credentials
    CHECK (cardinality(replaced_secrets) = cardinality(replaced_until))
);
CREATE UNIQUE INDEX webhook_endpoints_default ON webhook_endpoints (app_no) WHERE id IS NULL;
CREATE INDEX webhook_endpoints_of_app ON webhook_endpoints (app_no, endpoint_no) WHERE deleted_at IS NULL;
CREATE INDEX webhook_endpoints_listening ON webhook_endpoints (app_no)
    WHERE id IS NOT NULL AND deleted_at IS NULL AND disabled_at IS NULL;
CREATE INDEX webhook_endpoints_deleted ON webhook_endpoints (deleted_at) WHERE deleted_at IS NOT NULL;

-- The counts of each endpoint's answers; written once for each batch of outcomes.
CREATE TABLE webhook_tallies (
    endpoint_no bigint PRIMARY KEY,
    succeeded bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0,
    last_success_at timestamptz,
    last_failure_at timestamptz,
    failing_since timestamptz,
    failures int NOT NULL DEFAULT 0  -- tries since the last 2xx, from failing_since on
) WITH (fillfactor = 50);

-- Scheme, host and port that webhooks are sent to. standing is one of lull_standing, by which looks are bounded.
CREATE TABLE receivers (
    receiver_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- A lower bound of the time at which a delivery is due, never before half_open_at; infinity if none waits.
    next_at timestamptz NOT NULL DEFAULT 'infinity',
    -- The time at which the next try may begin, from the third silent one on.
    half_open_at timestamptz NOT NULL DEFAULT '-infinity',
    used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    silent_tries int NOT NULL DEFAULT 0,  -- tries in a row without any answer
    standing smallint NOT NULL DEFAULT 1,
    receiver text NOT NULL UNIQUE
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500,
        autovacuum_vacuum_cost_delay = 0);
CREATE INDEX receivers_due ON receivers (standing, next_at, receiver_no) WHERE next_at < 'infinity';

-- The outbox: an event of a download, named by its sequence, that is to be sent to a receiver. state is one of
-- lull_delivery_state. After the deletion of its download, a delivery that has ended is removed too.
CREATE TABLE deliveries (
    delivery_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    receiver_no bigint NOT NULL,
    download_id uuid NOT NULL,
    run_at timestamptz NOT NULL,
    finished_at timestamptz,
    fence bigint NOT NULL DEFAULT 0,
    sequence int NOT NULL,
    attempt int NOT NULL DEFAULT 0,
    replica_no bigint,
    last_status int,
    state smallint NOT NULL DEFAULT 0,
    url text,  -- null once it is delivered, and for an endpoint
    last_error text,
    app_no int NOT NULL,
    last_ms int,  -- the duration of the last try
    redelivered_after int,  -- the tries before the client asked for the delivery again; null if it never did
    endpoint_no bigint,  -- null for a webhook_url
    tries jsonb,  -- the outcome of each; null if the first one succeeded
    payload text,  -- the data of the event, if its download was deleted before all webhooks were sent
    notice_no bigint  -- the delivery whose message to people counts this one; null for none
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX deliveries_ready ON deliveries (receiver_no, run_at, delivery_no) WHERE state = 0;
CREATE INDEX deliveries_counted ON deliveries (notice_no) WHERE notice_no IS NOT NULL;
CREATE INDEX deliveries_running ON deliveries (replica_no) WHERE state = 1;
CREATE INDEX deliveries_of_download ON deliveries (download_id);
CREATE INDEX deliveries_failed ON deliveries (app_no, delivery_no) WHERE state >= 3;
CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint_no, delivery_no) WHERE endpoint_no IS NOT NULL;

-- The parameter of lull_enter_deliveries; url is null for an endpoint.
CREATE TYPE new_delivery AS (
    app_no int,
    endpoint_no bigint,
    receiver text,
    download_id uuid,
    sequence int,
    url text
);

-- The parameter of lull_record_deliveries: the outcome of a try.
CREATE TYPE tried_delivery AS (
    delivery_no bigint,
    fence bigint,
    next_at timestamptz,  -- the time of the next try; null to end the delivery
    is_delivered boolean,
    status int,
    error text,
    is_silent boolean,  -- whether no answer came; null if no request was sent
    try jsonb,  -- the record of the try; null for a first one that succeeded
    ms int
);

-- When an endpoint is disabled: no 2xx came for so long, and so many tries failed over so long a time.
CREATE TYPE disable_rule AS (
    after interval,
    failures int,
    spread interval
);

-- Receivers that answered 410 to an app: until then nothing is sent to the URL, and new deliveries to it are given up.
-- Other apps with that URL are not concerned.
CREATE TABLE webhook_rests (
    app_no bigint NOT NULL,
    url text NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL,
    PRIMARY KEY (app_no, url)
);

-- Sessions that are to be looked at, a row for each commit that asks for it; kind is one of lull_session_news. No
-- commit waits for another one.
CREATE TABLE session_news (
    session_no bigint NOT NULL,
    kind smallint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX session_news_of_session ON session_news (session_no, kind);

-- The state of each session's wakes (SessionWake).
CREATE TABLE session_wakes (
    session_no bigint PRIMARY KEY,
    next_at timestamptz NOT NULL DEFAULT 'infinity',  -- the time of the next look; infinity: when there is news
    delay bigint NOT NULL DEFAULT 0 CHECK (delay >= 0),  -- the limiter's delay, in microseconds
    last_wake_at timestamptz,
    quiet_since timestamptz,
    wake_id uuid,
    -- No older download has an event since the session last had no live download.
    floor_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    news smallint NOT NULL DEFAULT 0,
    had_background boolean NOT NULL DEFAULT false,
    is_muted boolean NOT NULL DEFAULT false
) WITH (fillfactor = 70);
CREATE INDEX session_wakes_due ON session_wakes (next_at) WHERE next_at < 'infinity';

-- The wakes that were sent, by their tokens. state is one of lull_wake_state.
CREATE TABLE wakes (
    wake_id uuid PRIMARY KEY,
    session_no bigint NOT NULL,
    sent_at timestamptz NOT NULL,
    expires_at timestamptz,
    -- The time at which it is checked whether all deliveries up to journal_no have ended; null once that was announced.
    finish_at timestamptz,
    xid xid8 NOT NULL,  -- with journal_no the end of the events that it announces
    journal_no bigint NOT NULL,
    checked_id uuid NOT NULL,  -- the deliveries of the session's downloads up to this one have ended
    delivery int NOT NULL DEFAULT 1,
    extended int NOT NULL DEFAULT 0,
    finish_tries int NOT NULL DEFAULT 0,
    reasons smallint NOT NULL,
    state smallint NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
CREATE INDEX wakes_to_finish ON wakes (finish_at) WHERE finish_at IS NOT NULL;
CREATE INDEX wakes_by_age ON wakes (sent_at);
CREATE INDEX wakes_of_session ON wakes (session_no, sent_at);

-- The event streams and long polls of each process, by the events that they admit.
CREATE TABLE session_listeners (
    app_no bigint NOT NULL,
    session_no bigint NOT NULL,  -- 0 for all sessions of the app
    process_no bigint NOT NULL,
    event_mask bigint NOT NULL,
    until timestamptz NOT NULL,
    xid xid8 NOT NULL,  -- with journal_no the place that the foremost reader has reached
    journal_no bigint NOT NULL,
    PRIMARY KEY (app_no, session_no, process_no, event_mask)
) WITH (fillfactor = 70);

-- Sources: what comes again (docs/sources.md). A replica that handles the instants of a source moves its timetable on
-- in one transaction with the look that begins and the skips that are recorded, guarded by the step.
CREATE TABLE sources (
    source_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_no bigint NOT NULL,
    identifier text NOT NULL,
    id uuid NOT NULL UNIQUE,  -- the subject of its events
    session text NOT NULL,  -- the session of its looks, by its identifier
    version int NOT NULL DEFAULT 1,
    spec jsonb NOT NULL,  -- SourceSpec
    sealed bytea,  -- its template with the secrets; null without secrets
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    step bigint NOT NULL DEFAULT 1,  -- rises with each change of the columns below
    turn_at timestamptz NOT NULL DEFAULT 'infinity',  -- the time at which a replica handles its instants
    timetable jsonb NOT NULL,  -- SourceTimetable
    known jsonb NOT NULL DEFAULT '{}',  -- SourceKnowledge
    running uuid,  -- the download of the look that has not ended
    sequence int NOT NULL DEFAULT 0,  -- the number of its last event
    asked_by jsonb,  -- the trigger that asked for the next look last, with the body of its call
    UNIQUE (app_no, identifier)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX sources_due ON sources (turn_at) WHERE turn_at < 'infinity';
CREATE INDEX sources_of_session ON sources (app_no, session);
ALTER TABLE sources ALTER COLUMN sealed SET STORAGE EXTERNAL;

-- The looks of sources, and the instants without one: adjacent ones that were skipped for one reason are one row.
-- outcome is one of lull_look_outcome, null while the look has not ended.
CREATE TABLE source_looks (
    look_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source_no bigint NOT NULL,
    due_at timestamptz NOT NULL,
    last_due_at timestamptz NOT NULL,
    count bigint NOT NULL DEFAULT 1,
    outcome smallint,
    reason text,
    download_id uuid,
    begun_at timestamptz,
    ended_at timestamptz,
    is_asked boolean NOT NULL DEFAULT false,  -- a client or a trigger asked for it
    is_full boolean NOT NULL DEFAULT false,  -- it sends no validators
    asked_by jsonb,  -- the trigger that asked for it, with the body of its call; null for none
    detail text,  -- the place of the fault in a feed that could not be read
    items bigint  -- how many items of a feed it queued; null for a file
);
CREATE INDEX source_looks_of_source ON source_looks (source_no, look_no);
CREATE UNIQUE INDEX source_looks_open ON source_looks (download_id) WHERE outcome IS NULL;
CREATE INDEX source_looks_ended ON source_looks (ended_at) WHERE ended_at IS NOT NULL;

-- Triggers: by their tokens others ask sources to look.
CREATE TABLE triggers (
    trigger_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id uuid NOT NULL UNIQUE,
    source_no bigint NOT NULL,
    digest bytea NOT NULL UNIQUE,  -- of the token, which is stored nowhere
    signature text NOT NULL,  -- TriggerSignature
    sealed bytea,  -- the secret of the signatures; null without signatures
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    called_at timestamptz,  -- the time of the last call that was taken
    messages text[] NOT NULL DEFAULT '{}'  -- time and name of the signed messages that came lately
) WITH (fillfactor = 70);
CREATE INDEX triggers_of_source ON triggers (source_no);

-- The downloads of looks that have ended, until the source takes their results in.
CREATE TABLE source_ends (
    download_id uuid PRIMARY KEY
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- The versions of each source's file.
CREATE TABLE source_versions (
    source_no bigint NOT NULL,
    version_no bigint NOT NULL,
    download_id uuid NOT NULL,
    sha256 text NOT NULL,
    length bigint NOT NULL,
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (source_no, version_no)
);

-- The sessions whose live downloads end with their clients (ends_with_client).
CREATE TABLE session_clients (
    session_no bigint PRIMARY KEY,
    patience int NOT NULL,  -- ends_with_client of the configuration, in seconds
    absent interval,  -- the time since it has no client; null while it has one, or no live download
    looked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    look_at timestamptz NOT NULL DEFAULT clock_timestamp()  -- the instant of the next look
) WITH (fillfactor = 70);
CREATE INDEX session_clients_due ON session_clients (look_at);

-- The items of feeds that are known: each key once for ever, written with the download of its file. The oldest ones
-- that the feed no longer has are removed beyond 100,000 of a source.
CREATE TABLE source_items (
    item_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source_no bigint NOT NULL,
    key_hash uuid NOT NULL,  -- half of the SHA-256 of the key
    key text NOT NULL,
    title text NOT NULL,
    url text NOT NULL,
    published_at timestamptz,
    seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    download_id uuid,  -- null for an item that is known without a download
    look_id uuid,  -- the download of the look that queued it
    is_kept boolean NOT NULL DEFAULT false,  -- its content has no end because it is among the last ones
    UNIQUE (source_no, key_hash)
);
CREATE INDEX source_items_of_source ON source_items (source_no, item_no);
CREATE INDEX source_items_of_look ON source_items (look_id) WHERE look_id IS NOT NULL;
CREATE INDEX source_items_kept ON source_items (source_no, item_no) WHERE is_kept;

-- Ended downloads of ephemeral sessions that are still to be erased.
CREATE TABLE ephemeral_ends (
    id uuid PRIMARY KEY
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- Measurements of origins and files, as histograms with one row for each measure and key (LearnedMeasure and
-- LearnedKey). Replicas add what they measured; a weight halves each week after faded_at.
CREATE TABLE learned (
    measure smallint NOT NULL,
    level smallint NOT NULL,
    first_key bigint NOT NULL,
    second_key bigint NOT NULL,
    first_bucket smallint NOT NULL CHECK (first_bucket >= 0),
    counts real[] NOT NULL,  -- the weights of logarithmic buckets from first_bucket on
    faded_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (measure, level, first_key, second_key)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX learned_by_change ON learned (changed_at, measure, level, first_key, second_key);

-- Forecasts of a sample of waiting downloads and their real begins, in seconds from made_at to the first begin; kept
-- for a week.
CREATE TABLE forecast_samples (
    download_id uuid NOT NULL,
    made_at timestamptz NOT NULL,
    p10 double precision NOT NULL,
    p50 double precision NOT NULL,
    p90 double precision NOT NULL,
    naive double precision,  -- the next opening that was known at made_at
    came double precision,  -- null until the begin
    scored_at timestamptz,
    PRIMARY KEY (download_id, made_at)
);
CREATE INDEX forecast_samples_by_age ON forecast_samples (made_at);
CREATE INDEX forecast_samples_scored ON forecast_samples (scored_at) WHERE came IS NOT NULL;
