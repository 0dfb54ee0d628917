-- Webhook endpoints as rows, each with a secret of its own; deliveries that know their app, endpoint and tries.

-- A receiver that an app registered; the one without an id is the app's `default`, which has the secret of the
-- webhook_urls of its downloads and sessions. Secrets are sealed with a key that the database never sees.
-- event_mask: the bits of lull_event_type; sessions: null for all. sequence: of the events about it.
-- A deleted one stays while deliveries name it, without its secret.
CREATE TABLE webhook_endpoints (
    endpoint_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_no bigint NOT NULL,
    id uuid UNIQUE,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    disabled_at timestamptz,
    deleted_at timestamptz,
    previous_until timestamptz,
    event_mask int NOT NULL,
    version int NOT NULL DEFAULT 1,
    sequence int NOT NULL DEFAULT 0,
    disabled_reason text,
    secret bytea,
    previous_secret bytea,
    url text,
    events text[],
    sessions text[],
    description text
);
CREATE UNIQUE INDEX webhook_endpoints_default ON webhook_endpoints (app_no) WHERE id IS NULL;
CREATE INDEX webhook_endpoints_of_app ON webhook_endpoints (app_no, endpoint_no) WHERE deleted_at IS NULL;
CREATE INDEX webhook_endpoints_listening ON webhook_endpoints (app_no)
    WHERE id IS NOT NULL AND deleted_at IS NULL AND disabled_at IS NULL;
CREATE INDEX webhook_endpoints_deleted ON webhook_endpoints (deleted_at) WHERE deleted_at IS NOT NULL;

-- How an endpoint answers, written once for each batch of outcomes. failures: tries since the last 2xx, from
-- failing_since on.
CREATE TABLE webhook_tallies (
    endpoint_no bigint PRIMARY KEY,
    succeeded bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0,
    last_success_at timestamptz,
    last_failure_at timestamptz,
    failing_since timestamptz,
    failures int NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- endpoint_no: null for a webhook_url; a delivery to an endpoint has no URL of its own. redelivered_after: the tries
-- before the client asked for the delivery once more, null if it never did. last_ms: how long the last try took.
-- tries: what came of each, null where the first one succeeded. payload: the data of the event, kept here when its
-- download was deleted before all was sent.
ALTER TABLE deliveries
    ADD COLUMN app_no int NOT NULL DEFAULT 0,
    ADD COLUMN last_ms int,
    ADD COLUMN redelivered_after int,
    ADD COLUMN endpoint_no bigint,
    ADD COLUMN tries jsonb,
    ADD COLUMN payload text;
UPDATE deliveries d SET app_no = coalesce(
    (SELECT w.app_no FROM downloads w WHERE w.id = d.download_id),
    (SELECT e.app_no FROM events e WHERE e.download_id = d.download_id AND e.sequence = d.sequence LIMIT 1), 0);
ALTER TABLE deliveries ALTER COLUMN app_no DROP DEFAULT;
CREATE INDEX deliveries_failed ON deliveries (app_no, delivery_no) WHERE state >= 3;
CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint_no, delivery_no) WHERE endpoint_no IS NOT NULL;

-- What lull_enter_deliveries takes; url is null for an endpoint.
CREATE TYPE new_delivery AS (
    app_no int,
    endpoint_no bigint,
    receiver text,
    download_id uuid,
    sequence int,
    url text
);

-- What lull_record_app_events takes: an event that is not of a download. endpoint_no: a ping goes to that endpoint
-- alone, everything else to the others.
CREATE TYPE app_event AS (
    app_no int,
    session_no bigint,
    subject uuid,
    type smallint,
    sequence int,
    endpoint_no bigint,
    data text
);
