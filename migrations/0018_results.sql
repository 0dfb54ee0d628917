-- What was asked of a download, and what came of it, become two rows: the first is written once, and its end writes a
-- row that repeats nothing of it.

ALTER TABLE downloads RENAME TO download_requests;
ALTER TABLE downloads_default RENAME TO download_requests_default;
ALTER INDEX downloads_of_app RENAME TO download_requests_of_app;
ALTER INDEX downloads_of_session RENAME TO download_requests_of_session;

-- state: lull_end_state. None of a download of which no attempt has ended; lull_keep_results writes it.
CREATE TABLE download_results (
    id uuid PRIMARY KEY,
    finished_at timestamptz,
    started_at timestamptz,
    bytes bigint NOT NULL DEFAULT 0,
    content_fence bigint,
    attempts int NOT NULL DEFAULT 0,
    sequence int NOT NULL DEFAULT 1,
    state smallint NOT NULL DEFAULT 0,
    result jsonb
) WITH (autovacuum_vacuum_scale_factor = 0.02);

INSERT INTO download_results (id, finished_at, started_at, bytes, content_fence, attempts, sequence, state, result)
    SELECT id, finished_at, started_at, bytes, content_fence, attempts, sequence, state, result
    FROM download_requests
    WHERE state <> 0 OR started_at IS NOT NULL OR attempts <> 0 OR sequence <> 1 OR result IS NOT NULL;

ALTER TABLE download_requests
    DROP COLUMN finished_at, DROP COLUMN started_at, DROP COLUMN bytes, DROP COLUMN content_fence,
    DROP COLUMN attempts, DROP COLUMN sequence, DROP COLUMN state, DROP COLUMN result;

CREATE VIEW downloads AS
    SELECT d.id, d.app_no, d.session_no, d.created_at, d.expected_bytes, d.session, d.url, d.spec, d.origin_key,
        d.priority, d.earliest_begin_at, r.started_at, r.finished_at, coalesce(r.bytes, 0) AS bytes, r.content_fence,
        coalesce(r.attempts, 0) AS attempts, coalesce(r.sequence, 1) AS sequence, d.class,
        coalesce(r.state, 0::smallint) AS state, r.result
    FROM download_requests d LEFT JOIN download_results r ON r.id = d.id;
