-- Receivers of webhooks as rows; deliveries that name their event instead of repeating it; events by app.

-- Ends come in batches, of whole pages: a row's end finds room in its page only where the page holds old and new
-- version of all rows, and that room stays empty for as long as the history is kept. Full pages are the smaller cost.
ALTER TABLE downloads_default SET (fillfactor = 100);
ALTER TABLE contents SET (fillfactor = 100);

-- A receiver of webhooks: scheme, host and port. `next_at` is a lower bound of when one of its deliveries is due,
-- never before `half_open_at`; infinity where none waits. standing: lull_standing, by which looks are bounded.
-- silent_tries: tries in a row without any answer; from the third on, half_open_at is when the next may begin.
CREATE TABLE receivers (
    receiver_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    next_at timestamptz NOT NULL DEFAULT 'infinity',
    half_open_at timestamptz NOT NULL DEFAULT '-infinity',
    used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    silent_tries int NOT NULL DEFAULT 0,
    standing smallint NOT NULL DEFAULT 1,
    receiver text NOT NULL UNIQUE
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500,
        autovacuum_vacuum_cost_delay = 0);
CREATE INDEX receivers_due ON receivers (standing, next_at, receiver_no) WHERE next_at < 'infinity';

ALTER TABLE deliveries RENAME TO old_deliveries;
ALTER TABLE old_deliveries RENAME CONSTRAINT deliveries_pkey TO old_deliveries_pkey;
ALTER SEQUENCE deliveries_delivery_no_seq RENAME TO old_deliveries_delivery_no_seq;
ALTER INDEX deliveries_ready RENAME TO old_deliveries_ready;
ALTER INDEX deliveries_running RENAME TO old_deliveries_running;
ALTER INDEX deliveries_of_download RENAME TO old_deliveries_of_download;

-- The outbox. state: lull_delivery_state. What is sent is the event of the download with that sequence.
-- A delivered one needs no URL any more; once its download is deleted, a delivery that has ended goes with it.
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
    url text,
    last_error text
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_cost_delay = 0);

WITH addresses AS (
    SELECT d.delivery_no, d.url, regexp_match(d.url,
        '^([a-zA-Z]+)://(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)(?::(\d+))?') AS parts
    FROM old_deliveries d WHERE d.state < 2),
names AS (
    SELECT a.delivery_no, coalesce(lower(a.parts[1]) || '://' || lower(a.parts[2]) || ':'
        || coalesce(a.parts[3], CASE lower(a.parts[1]) WHEN 'https' THEN '443' ELSE '80' END), a.url) AS receiver
    FROM addresses a),
made AS (INSERT INTO receivers (receiver) SELECT DISTINCT n.receiver FROM names n RETURNING receiver_no, receiver)
INSERT INTO deliveries (delivery_no, receiver_no, download_id, run_at, finished_at, fence, sequence, attempt,
    replica_no, last_status, state, url, last_error) OVERRIDING SYSTEM VALUE
SELECT d.delivery_no, coalesce(m.receiver_no, 0), d.download_id, d.run_at, d.finished_at, d.fence, d.sequence,
    d.attempt, d.replica_no, d.last_status, d.state, CASE WHEN d.state <> 2 THEN d.url END, d.last_error
FROM old_deliveries d LEFT JOIN names n ON n.delivery_no = d.delivery_no LEFT JOIN made m ON m.receiver = n.receiver;
UPDATE receivers r SET next_at = h.run_at FROM (
    SELECT d.receiver_no, min(d.run_at) AS run_at FROM deliveries d WHERE d.state = 0 GROUP BY 1) h
WHERE r.receiver_no = h.receiver_no;
SELECT setval('deliveries_delivery_no_seq', coalesce(max(delivery_no), 1), max(delivery_no) IS NOT NULL)
    FROM old_deliveries;
DROP TABLE old_deliveries;

CREATE INDEX deliveries_ready ON deliveries (receiver_no, run_at, delivery_no) WHERE state = 0;
CREATE INDEX deliveries_running ON deliveries (replica_no) WHERE state = 1;
CREATE INDEX deliveries_of_download ON deliveries (download_id);

ALTER TABLE events RENAME TO old_events;
ALTER SEQUENCE events_journal_no_seq RENAME TO old_events_journal_no_seq;
ALTER INDEX events_in_order RENAME TO old_events_in_order;
ALTER INDEX events_of_download RENAME TO old_events_of_download;
ALTER INDEX events_by_age RENAME TO old_events_by_age;

-- The journal. A reader after (xid, journal_no) also asks for xid < pg_snapshot_xmin(pg_current_snapshot()):
-- a sequence is handed out before the commit, so `journal_no` alone would lose what commits late.
-- `payload` is the snapshot of the download as sent; null where it follows from the download's row and the bytes
-- that stand here. The identifier follows from the place, see lull_event_id.
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
    payload text
);
INSERT INTO events (journal_no, xid, at, session_no, download_id, app_no, sequence, attempt, type, bytes,
    total_bytes, payload)
SELECT e.journal_no, e.xid, e.at, e.session_no, e.download_id, coalesce(s.app_no, 0), e.sequence, e.attempt, e.type,
    e.bytes, e.total_bytes, e.payload
FROM old_events e LEFT JOIN sessions s ON s.session_no = e.session_no ORDER BY e.journal_no;
SELECT setval('events_journal_no_seq', o.last_value, o.is_called) FROM old_events_journal_no_seq o;
DROP TABLE old_events;

CREATE INDEX events_in_order ON events (app_no, xid, journal_no);
-- One download's changes follow each other under its row's lock, so `sequence` is their commit order.
CREATE INDEX events_of_download ON events (download_id, sequence);
