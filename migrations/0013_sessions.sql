-- Sessions that are suspended, ended and woken.

-- state: lull_session_state. sends_wakes: sends_launch_events of the configuration. event_url: its webhook_url;
-- event_mask: what that hears of the events of sessions. is_ephemeral: kind of the configuration.
ALTER TABLE sessions
    ADD COLUMN state smallint NOT NULL DEFAULT 0,
    ADD COLUMN sends_wakes boolean NOT NULL DEFAULT true,
    ADD COLUMN is_ephemeral boolean NOT NULL DEFAULT false,
    ADD COLUMN event_mask int NOT NULL DEFAULT 0,
    ADD COLUMN event_url text;
UPDATE sessions SET event_url = configuration->>'webhook_url', event_mask = CASE
        WHEN configuration->'webhook_events' IS NULL THEN 3 << 20
        WHEN configuration->'webhook_events' ?| ARRAY['*', 'session.*'] THEN 7 << 20 ELSE 0 END
    WHERE configuration->>'webhook_url' IS NOT NULL;
-- Who named no events hears the default ones, of which two are new.
UPDATE webhook_endpoints SET event_mask = event_mask | (3 << 20) WHERE events IS NULL;
UPDATE webhook_endpoints SET event_mask = event_mask | (7 << 20) WHERE 'session.*' = ANY (events);

-- Sessions of which something is to be looked at, a row for each commit that says so; kind: lull_session_news.
-- No commit waits for another one, and what a visible row says is not written again.
CREATE TABLE session_news (
    session_no bigint NOT NULL,
    kind smallint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX session_news_of_session ON session_news (session_no, kind);

-- What Core's SessionWake knows of a session. next_at: when it is looked at; infinity for when there is news.
-- delay: of the limiter, in microseconds. floor_id: no download that is older has an event since the session had no
-- live download last.
CREATE TABLE session_wakes (
    session_no bigint PRIMARY KEY,
    next_at timestamptz NOT NULL DEFAULT 'infinity',
    delay bigint NOT NULL DEFAULT 0 CHECK (delay >= 0),
    last_wake_at timestamptz,
    quiet_since timestamptz,
    wake_id uuid,
    floor_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    news smallint NOT NULL DEFAULT 0,
    had_background boolean NOT NULL DEFAULT false,
    is_muted boolean NOT NULL DEFAULT false
) WITH (fillfactor = 70);
CREATE INDEX session_wakes_due ON session_wakes (next_at) WHERE next_at < 'infinity';

-- Wakes by their tokens; state: lull_wake_state. xid, journal_no: the end of what it announces. finish_at: when it is
-- looked at whether all deliveries up to there have ended; null once that was said. checked_id: those of the
-- session's downloads up to this one have.
CREATE TABLE wakes (
    wake_id uuid PRIMARY KEY,
    session_no bigint NOT NULL,
    sent_at timestamptz NOT NULL,
    expires_at timestamptz,
    finish_at timestamptz,
    xid xid8 NOT NULL,
    journal_no bigint NOT NULL,
    checked_id uuid NOT NULL,
    delivery int NOT NULL DEFAULT 1,
    extended int NOT NULL DEFAULT 0,
    finish_tries int NOT NULL DEFAULT 0,
    reasons smallint NOT NULL,
    state smallint NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
CREATE INDEX wakes_to_finish ON wakes (finish_at) WHERE finish_at IS NOT NULL;
CREATE INDEX wakes_by_age ON wakes (sent_at);
CREATE INDEX wakes_of_session ON wakes (session_no, sent_at);

-- Who reads events as they come: the streams and long polls of a process, by what they admit. session_no: 0 for all
-- sessions of the app. xid, journal_no: up to where the one that is ahead has got the journal.
CREATE TABLE session_listeners (
    app_no bigint NOT NULL,
    session_no bigint NOT NULL,
    process_no bigint NOT NULL,
    event_mask int NOT NULL,
    until timestamptz NOT NULL,
    xid xid8 NOT NULL,
    journal_no bigint NOT NULL,
    PRIMARY KEY (app_no, session_no, process_no, event_mask)
) WITH (fillfactor = 70);

-- Downloads of ephemeral sessions that have ended, of which something is to be erased.
CREATE TABLE ephemeral_ends (
    id uuid PRIMARY KEY
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- wake_until: of a download that was created in the background, when the limiter lets it begin; null for others.
ALTER TABLE queue ADD COLUMN wake_until timestamptz;
CREATE INDEX queue_in_background ON queue (session_no) WHERE wake_until IS NOT NULL;
-- Rows that wait for the client, by session; what waits for its turn is found by the lanes.
CREATE INDEX queue_resting_of_session ON queue (session_no) WHERE state > 1;
