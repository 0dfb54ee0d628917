-- Bytes of failed downloads, which a retry goes on with: a row for each part file that stays.
CREATE TABLE kept_parts (
    id uuid PRIMARY KEY,
    -- The data directory that has the file, and the fence in its name.
    instance uuid NOT NULL,
    fence bigint NOT NULL,
    bytes bigint NOT NULL,
    -- Core's ResumePoint: what the next attempt asks for the rest with.
    resume jsonb NOT NULL,
    ended_at timestamptz NOT NULL,
    -- content_retention of the download in seconds; null for the deployment's.
    retention bigint
);
CREATE INDEX kept_parts_ended ON kept_parts (instance, ended_at);
