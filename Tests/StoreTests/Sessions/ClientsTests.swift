// Sessions that end with their clients: who counts as a client, and when it is gone.
import Base
import Downloads
import Postgres
import Testing

@testable import Store

/// A session with a patience of 20 seconds, looked at when a test says so.
private struct ClientLab {
    let lab: StoreLab
    let session: Int64

    init(_ lab: StoreLab, patience: String = "20s") async throws {
        self.lab = lab
        session = try await ClientLab.put(lab, ["ends_with_client": .string(patience)])
    }

    static func put(_ lab: StoreLab, _ document: JSONObject) async throws -> Int64 {
        let configuration = try SessionConfiguration.parse(.object(document)).get()
        let outcome = try await Sessions(pool: lab.pool).put(
            app: 1, identifier: "a", configuration: configuration, sealed: nil)
        switch outcome {
        case .made(let record), .kept(let record): return record.key
        default: throw StoreError(.refused, "the session is not put")
        }
    }

    /// Looks after some seconds; returns whether the client is gone.
    func look(after seconds: Int) async throws -> Bool {
        _ = try await lab.pool.query(
            """
            UPDATE session_clients SET looked_at = looked_at - $1 * interval '1 second',
                look_at = clock_timestamp()
            """, [Int64(seconds)])
        return try await !lab.downloads.clients.look().gone.isEmpty
    }

    func listen(session: Int64, until seconds: Int) async throws {
        _ = try await lab.pool.query(
            """
            INSERT INTO session_listeners VALUES
                (1, $1, 7, -1, clock_timestamp() + $2 * interval '1 second', '0', 0)
            ON CONFLICT (app_no, session_no, process_no, event_mask)
                DO UPDATE SET until = excluded.until
            """, [session, Int64(seconds)])
    }
}

@Suite struct ClientsTests {
    @Test func aSessionWithoutAClientIsGoneAfterItsPatience() async throws {
        try await StoreLab.with { lab in
            let world = try await ClientLab(lab)
            #expect(try await !world.look(after: 1000), "it has no live download")
            try await lab.submit(1, session: world.session)
            // The patience counts from the first look that finds a download.
            #expect(try await !world.look(after: 1000))
            for _ in 0..<3 { #expect(try await !world.look(after: 5)) }
            #expect(try await world.look(after: 5))
            #expect(try await world.look(after: 5), "until its downloads have ended")
        }
    }

    @Test func whoListensToTheSessionOrAttachesIsThere() async throws {
        try await StoreLab.with { lab in
            let world = try await ClientLab(lab)
            try await lab.submit(1, session: world.session)
            _ = try await world.look(after: 1)
            try await world.listen(session: world.session, until: 30)
            for _ in 0..<8 { #expect(try await !world.look(after: 5)) }
            // A stream of the whole app, or of another session, is another client.
            try await world.listen(session: world.session, until: -60)
            try await world.listen(session: 0, until: 600)
            try await world.listen(session: 1, until: 600)
            #expect(try await !world.look(after: 5))
            for _ in 0..<3 { #expect(try await !world.look(after: 5)) }
            try await lab.downloads.clients.attached(to: world.session)
            #expect(try await !world.look(after: 5))
            for _ in 0..<3 { #expect(try await !world.look(after: 5)) }
            #expect(try await world.look(after: 5))
        }
    }

    @Test func aTimeWithoutLooksDoesNotCount() async throws {
        try await StoreLab.with { lab in
            let world = try await ClientLab(lab)
            try await lab.submit(1, session: world.session)
            _ = try await world.look(after: 1)
            #expect(try await !world.look(after: 15))
            // No replica ran, or the database was paused, for an hour.
            _ = try await lab.pool.query(
                """
                UPDATE session_clients SET looked_at = looked_at - interval '1 hour',
                    look_at = clock_timestamp() - interval '1 hour'
                """)
            #expect(try await lab.downloads.clients.look().gone.isEmpty)
            for _ in 0..<6 { #expect(try await !world.look(after: 5), "15 s to come back") }
            #expect(try await world.look(after: 5))
        }
    }

    @Test func aYoungDownloadIsSparedForNow() async throws {
        try await StoreLab.with { lab in
            let world = try await ClientLab(lab)
            try await lab.submit(1, session: world.session)
            _ = try await world.look(after: 1)
            _ = try await lab.pool.query(
                "UPDATE session_clients SET absent = '1 hour', look_at = clock_timestamp()")
            let gone = try #require(try await lab.downloads.clients.look().gone.first)
            let made: Timestamp = try await lab.pool.query(
                "SELECT max(created_at) FROM download_requests")[0].only()
            #expect(gone.identifier == "a" && gone.app == 1 && made > gone.bound)
        }
    }

    @Test func withoutTheMemberOrTheSessionNothingIsLookedAt() async throws {
        try await StoreLab.with { lab in
            _ = try await ClientLab(lab)
            func count() async throws -> Int64 {
                try await lab.pool.query("SELECT count(*) FROM session_clients")[0].only()
            }
            #expect(try await count() == 1)
            _ = try await ClientLab.put(lab, [:])
            #expect(try await count() == 0)
            #expect(try await lab.downloads.clients.look().next == nil)
            _ = try await ClientLab(lab)
            let sessions = Sessions(pool: lab.pool)
            _ = try await sessions.end(app: 1, identifier: "a", .empty)
            #expect(try await count() == 0)
        }
    }

    @Test(arguments: [
        ("5s", true), ("1d", true), ("1m30s", true), ("4s", false), ("25h", false),
        ("5500ms", false), ("30", false), ("", false), ("-5s", false),
    ])
    func itIsWholeSecondsFromFiveSecondsToADay(_ text: String, _ isValid: Bool) {
        let document: JSONObject = ["ends_with_client": .string(text)]
        let parsed = SessionConfiguration.parse(.object(document))
        switch parsed {
        case .success(let configuration):
            #expect(isValid && configuration.json["ends_with_client"] == .string(text))
            #expect(SessionConfiguration.read(stored: configuration.json) == configuration)
        case .failure(let errors):
            #expect(!isValid && errors.map(\.pointer) == ["#/ends_with_client"])
        }
    }
}
