// The one gate for downloads that are put back into the queue: checks the limit of their app, and
// their session.
internal import Base
internal import Downloads
internal import Postgres

/// Decides which downloads may become live again; new ones pass `lull_admit`, which uses two of the
/// same functions in the database.
///
/// It is opened before any row is locked, and holds until the commit: room for an app with a limit
/// is granted by one transaction at a time, and no session ends meanwhile. Only code with a gate
/// can put a download back.
struct QueueGate: Sendable {
    private struct Place {
        let app: Int64
        let appName: String
        let session: String
        let state: SessionState
        /// The length of an upload in bytes; nil for a download.
        let length: Int64?
    }

    private var places: [Identifier: Place] = [:]
    /// The remaining room of each app with a limit.
    private var room: [Int64: Int64] = [:]
    /// The remaining bytes of the uploads of each app with a limit.
    private var stagingRoom: [Int64: Int64] = [:]

    /// A gate that refuses all, for actions that make no download live.
    static let shut = QueueGate()

    private init() {}

    /// Opens the gate for downloads.
    init(for ids: [Identifier], in transaction: Transaction) async throws(PostgresError) {
        let names = ids
        let rooms = try await transaction.query(
            """
            SELECT app_no, room FROM lull_queue_room(
                ARRAY(SELECT DISTINCT app_no FROM download_requests WHERE id = ANY ($1)))
            """, [names])
        for row in rooms {
            let (app, left): (Int64, Int64) = try row.values()
            room[app] = left
        }
        if ids.contains(where: \.isUpload) {
            let rooms = try await transaction.query(
                """
                SELECT app_no, room FROM lull_staging_room(ARRAY(SELECT DISTINCT app_no
                    FROM download_requests WHERE id = ANY ($1) AND is_upload))
                """, [names])
            for row in rooms {
                let (app, left): (Int64, Int64) = try row.values()
                stagingRoom[app] = left
            }
        }
        _ = try await transaction.query(
            """
            SELECT lull_hold_sessions(
                ARRAY(SELECT DISTINCT session_no FROM download_requests WHERE id = ANY ($1)))
            """, [names])
        // A new statement, whose snapshot shows the sessions as they stay.
        let rows = try await transaction.query(
            """
            SELECT d.id, s.state, d.app_no, a.name, split_part(s.identifier, '#', 1),
                CASE WHEN d.is_upload THEN coalesce(d.expected_bytes, 0) END
            FROM download_requests d JOIN sessions s ON s.session_no = d.session_no
                JOIN apps a ON a.app_no = d.app_no
            WHERE d.id = ANY ($1)
            """, [names])
        for row in rows {
            let (id, number, app, appName, session, length):
                (Identifier, Int16, Int64, String, String, Int64?) = try row.values()
            guard let state = SessionState(rawValue: number) else {
                throw PostgresError(
                    .decoding, "a session has a state that this version of lull does not know")
            }
            places[id] = Place(
                app: app, appName: appName, session: session, state: state, length: length)
        }
    }

    /// The reason why a download may not become live now; nil if it may.
    func refusal(of id: Identifier) -> ActionOutcome? {
        guard let place = places[id] else { return .notFound }
        guard place.state.takesDownloads else {
            return .sessionClosed(place.session, place.state)
        }
        guard room[place.app, default: 1] > 0 else { return .queueFull }
        if let length = place.length, let room = stagingRoom[place.app], room < length {
            return .stagingFull
        }
        return nil
    }

    /// The name of a download's app.
    func appName(of id: Identifier) -> String { places[id]?.appName ?? "" }

    /// Takes a place for a download that becomes live.
    mutating func pass(_ id: Identifier) {
        precondition(refusal(of: id) == nil, "the gate refuses it")
        guard let place = places[id] else { return }
        room[place.app]? -= 1
        stagingRoom[place.app]? -= place.length ?? 0
    }
}
