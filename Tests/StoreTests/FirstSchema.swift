// Rows as the first schema had them, for upgrades.

enum FirstSchema {
    /// A download that failed twice, its events, and a delivery in each kind of end.
    static let rows = """
        INSERT INTO origins (origin) VALUES ('https://o.example:443');
        INSERT INTO gates (kind, key) VALUES (1, 1), (2, 1);
        INSERT INTO downloads (id, app_no, session_no, created_at, session, url, spec, origin_key,
            priority, finished_at, attempts, sequence, class, state, result)
        VALUES ('01999999-0000-7000-8000-000000000001', 1, 1, clock_timestamp(), 'default',
            'https://o.example/f', '{"session_version": 1}', 1, 0.5, clock_timestamp(), 1, 3, 0, 2,
            '{}');
        INSERT INTO events (at, session_no, download_id, type, sequence, attempt, payload) VALUES
            (clock_timestamp(), 1, '01999999-0000-7000-8000-000000000001', 1, 1, 0, NULL),
            (clock_timestamp(), 1, '01999999-0000-7000-8000-000000000001', 10, 2, 1,
                '{"kept":true}'),
            (clock_timestamp(), 1, '01999999-0000-7000-8000-000000000001', 10, 3, 1, NULL);
        INSERT INTO deliveries (event_id, download_id, session_no, type, at, sequence, lane, url,
            body, attempt, state)
        SELECT e.id, e.download_id, 1, e.type, e.at, e.sequence, e.sequence,
            (ARRAY['https://hook.example', 'https://Hook.example/a', 'http://h.example:81'])
                [e.sequence],
            e.payload, 3, (ARRAY[2, 0, 3])[e.sequence]
        FROM events e ORDER BY e.journal_no;
        """
}
