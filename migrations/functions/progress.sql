-- The progress of running downloads.

-- Writes progress; returns the downloads whose fence was still valid, and whether the event was left out because a
-- client has changed the download meanwhile, so that the event's sequence is not its next number.
CREATE FUNCTION lull_report_progress(p_replica bigint, p_runs run_progress[])
RETURNS TABLE (id uuid, is_changed boolean) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH given AS MATERIALIZED (SELECT * FROM unnest(p_runs)),
    locked_runs AS MATERIALIZED (
        SELECT i.*, i.data IS NOT NULL AND i.sequence = q.sequence + 1 AS has_event
        FROM queue q JOIN given i ON i.id = q.id
        -- A row with a replica is running; see lull_finish for why the state is not a condition.
        WHERE q.fence = i.fence AND q.replica_no = p_replica ORDER BY q.id FOR UPDATE OF q),
    written_rows AS (
        UPDATE queue q SET bytes = i.bytes,
            total_bytes = coalesce(i.total, q.total_bytes),
            resume = coalesce(i.resume, q.resume),
            sent_bytes = i.sent,
            bytes_per_second = i.speed,
            measured_at = greatest(i.at, q.state_since, q.measured_at),
            sequence = CASE WHEN i.has_event THEN i.sequence ELSE q.sequence END
        FROM locked_runs i WHERE q.id = i.id
        RETURNING q.id, q.session_no, q.attempt, q.webhook_url, q.webhook_events, q.measured_at AS at, i.sequence,
            i.data, i.has_event),
    new_events AS MATERIALIZED (
        SELECT lull_record_events(array_agg(ROW(w.at, w.session_no, w.id, lull_event_type('progress'), w.sequence,
            w.attempt, w.data, 0, NULL, w.webhook_url, w.webhook_events)::new_event))
        FROM written_rows w WHERE w.has_event)
    SELECT w.id, w.data IS NOT NULL AND NOT w.has_event FROM written_rows w CROSS JOIN new_events;
END $$;
