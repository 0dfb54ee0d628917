// A trigger that finds statements that change a shown value of events without stored data.
import Postgres
import Testing

@testable import Store

/// The columns of downloads that such events show.
enum ShownColumns {
    /// The columns that every event shows.
    static let ofAll = [
        "session", "url", "priority", "earliest_begin_at", "expected_bytes", "spec", "created_at",
    ]
    /// The columns that no event reads, because its own row has the values.
    static let ofNone = [
        "id", "app_no", "session_no", "origin_key", "class", "bytes", "attempts", "sequence",
        "content_fence", "state", "finished_at", "is_upload",
    ]
    /// The columns with rules of their own: the start is set once, and the end of the content is
    /// left out of the result.
    static let withRules = ["started_at", "result"]

    /// After this call a statement that changes the shown text of an event fails, unless the
    /// event's data was stored before.
    static func guardEvents(_ lab: StoreLab) async throws {
        let old = ofAll.map { "OLD." + $0 }.joined(separator: ", ")
        let new = ofAll.map { "NEW." + $0 }.joined(separator: ", ")
        func atEnd(_ row: String) -> String {
            """
            \(row).result #- '{content,state}' #- '{content,expires_at}'
                #- '{content,first_expires_at}',
            coalesce(\(row).result->'content'->'first_expires_at',
                \(row).result->'content'->'expires_at')
            """
        }
        func guardScript(_ table: String, _ changes: String, isOfThisChange: String) -> String {
            """
            CREATE FUNCTION guard_\(table)() RETURNS trigger LANGUAGE plpgsql AS $$
            \(changes)
                IF EXISTS (
                    SELECT 1 FROM events e WHERE e.download_id = OLD.id AND e.payload IS NULL
                        AND NOT (\(isOfThisChange))
                        AND (shown OR ends AND e.type BETWEEN 9 AND 11))
                THEN RAISE EXCEPTION 'an event of % would change', OLD.id;
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER guard_events BEFORE UPDATE ON \(table) FOR EACH ROW
                EXECUTE FUNCTION guard_\(table)();
            """
        }
        let requests = guardScript(
            "download_requests",
            """
            DECLARE shown bool := (\(old)) IS DISTINCT FROM (\(new)); ends bool := false;
            BEGIN
            """, isOfThisChange: "false")
        let results = guardScript(
            "download_results",
            """
            DECLARE
                shown bool := OLD.started_at IS NOT NULL
                    AND OLD.started_at IS DISTINCT FROM NEW.started_at;
                ends bool := (\(atEnd("OLD"))) IS DISTINCT FROM (\(atEnd("NEW")));
            BEGIN
            """,
            isOfThisChange: "e.sequence >= NEW.sequence AND NEW.sequence <> OLD.sequence")
        try await lab.pool.transaction { transaction throws(PostgresError) in
            try await transaction.script(requests + results)
        }
    }
}
