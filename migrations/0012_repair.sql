-- Downloads that are repaired after their end, that their clients name, and whose files go to folders of the operator.

-- kept_until: of secrets that a download was given after its end, until when a retry may use them; null while it is
-- live.
ALTER TABLE download_secrets ADD COLUMN kept_until timestamptz;
CREATE INDEX download_secrets_unused ON download_secrets (kept_until) WHERE kept_until IS NOT NULL;

-- The names that clients gave to downloads, each once in its session.
CREATE TABLE external_ids (
    app_no bigint NOT NULL,
    session_no bigint NOT NULL,
    external_id text NOT NULL,
    id uuid NOT NULL,
    PRIMARY KEY (app_no, external_id, session_no)
);
CREATE UNIQUE INDEX external_ids_of_download ON external_ids (id);

-- placing_at: when an attempt first came so far as to put the whole file into the folder of its destination: a file
-- with its bytes may be there since then.
ALTER TABLE queue ADD COLUMN placing_at timestamptz;
