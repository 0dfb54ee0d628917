-- Requests that may be sent twice, and what a key may do and how much of it.

-- One row per Idempotency-Key of an app. It is written with what the request makes; a request of which
-- nothing is stored yet holds its row without a status, until `held_until` at the latest. Both hashes are
-- the first half of a SHA-256: of the key, and of the method, the target and the body.
CREATE TABLE idempotency_keys (
    app_no bigint NOT NULL,
    key_hash uuid NOT NULL,
    fingerprint uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    held_until timestamptz,
    download_id uuid,
    status smallint,
    headers jsonb,
    body text,
    PRIMARY KEY (app_no, key_hash)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Keys that were made before there were scopes could do everything, and still can.
ALTER TABLE api_keys
    ADD COLUMN scopes text[] NOT NULL
        DEFAULT '{downloads:write,downloads:read,content:read,admin}',
    ADD COLUMN last_used_at timestamptz;

-- What an app may do; null for no limit.
ALTER TABLE apps
    ADD COLUMN requests_per_second double precision CHECK (requests_per_second > 0),
    ADD COLUMN queued_at_most bigint CHECK (queued_at_most >= 0);
