-- What a program of the first schema left: a download that failed, with its journal and a webhook that is
-- due, and one that waits. :origin is where both come from.
INSERT INTO origins (origin) VALUES (:'origin');
INSERT INTO gates (kind, key) VALUES (1, 1), (2, 1);
INSERT INTO downloads (id, app_no, session_no, created_at, session, url, spec, origin_key, priority, finished_at,
    attempts, sequence, class, state, result)
VALUES ('01999999-0000-7000-8000-000000000001', 1, 1, clock_timestamp(), 'default', :'origin' || '/missing.bin',
        '{"session_version": 1}', 1, 0.5, clock_timestamp(), 1, 3, 0, 2, '{}'),
    ('01999999-0000-7000-8000-000000000002', 1, 1, clock_timestamp(), 'default', :'origin' || '/file.bin',
        '{"session_version": 1}', 1, 0.5, NULL, 0, 1, 0, 0, NULL);
INSERT INTO queue (id, lane, run_at, session_no, origin_key, state_since, deadline, life_since, class, rank)
VALUES ('01999999-0000-7000-8000-000000000002', 1, clock_timestamp(), 1, 1, clock_timestamp(),
    clock_timestamp() + interval '7 days', clock_timestamp(), 0, 1);
INSERT INTO events (at, session_no, download_id, type, sequence, attempt, payload) VALUES
    (clock_timestamp(), 1, '01999999-0000-7000-8000-000000000001', 1, 1, 0, NULL),
    (clock_timestamp(), 1, '01999999-0000-7000-8000-000000000001', 10, 3, 1, NULL),
    (clock_timestamp(), 1, '01999999-0000-7000-8000-000000000002', 1, 1, 0, NULL);
INSERT INTO deliveries (event_id, download_id, session_no, type, at, sequence, lane, url, attempt, state)
SELECT id, download_id, 1, type, at, sequence, sequence, :'origin' || '/hook', 3, 0
FROM events WHERE type = 10;
