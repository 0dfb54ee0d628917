// The journal: nothing is lost, nothing comes twice, and its events equal the webhooks.
import Base
import Downloads
import Platform
import Postgres
import Testing

@testable import Store

@Suite struct JournalTests {
    private static let all = JournalQuery(scope: .app(1, session: nil))
    private let month = Duration.seconds(30 * 86_400)

    /// Writes an event by hand, as a change does within its transaction.
    private static let insert = """
        INSERT INTO events (at, app_no, session_no, download_id, type, sequence)
        VALUES (clock_timestamp(), 1, 1, gen_random_uuid(), 2, $1)
        """

    /// Reads once there are this many events: transactions of other tests may still run on the
    /// server.
    private static func read(
        _ count: Int, _ journal: Journal, _ query: JournalQuery = all,
        after place: JournalPosition? = nil
    ) async throws -> JournalPage {
        for _ in 0..<2000 {
            let page = try await journal.read(query, after: place, limit: 100)
            if page.events.count >= count { return page }
            try await Task.sleep(for: .milliseconds(10))
        }
        return try await journal.read(query, after: place, limit: 100)
    }

    @Test func eventAndWebhookHaveTheSameData() async throws {
        try await StoreLab.with { lab in
            let hook: JSONObject = [
                "webhook_url": "https://hook.example/", "webhook_events": ["download.*"],
            ]
            let (ledger, claim) = try await lab.running(hook)
            _ = try await ledger.finish([lab.end(claim, .succeeded)])
            let due = try await lab.outbox(ledger).claim(each: 10, total: 10).due
            let journal = lab.downloads.journal
            let events = try await JournalTests.read(3, journal).events
            #expect(events.map(\.message.type) == [.created, .started, .succeeded])
            #expect(due.count == 3)
            for delivery in due {
                #expect(events.contains { $0.message.id == delivery.message.id })
                #expect(events.contains { $0.message.body == delivery.message.body })
            }
            let own = JournalQuery(scope: .download(claim.download.id))
            let same = try await journal.read(own, after: nil, limit: 10).events
            #expect(same.map(\.message) == events.map(\.message))
            for (place, event) in events.enumerated() {
                for query in [JournalTests.all, own] {
                    let rest = try await journal.read(query, after: event.position, limit: 10)
                    #expect(rest.events.map(\.position) == events[(place + 1)...].map(\.position))
                    #expect(rest.gap == nil)
                }
            }
        }
    }

    @Test func journalStopsAtTheOldestRunningTransaction() async throws {
        try await StoreLab.with { lab in
            let journal = lab.downloads.journal
            let early = PostgresConnection(url: lab.url)
            try await early.open()
            try await early.script("BEGIN")
            _ = try await early.query(JournalTests.insert, [Int32(1)])
            _ = try await lab.pool.query(JournalTests.insert, [Int32(2)])
            let before = try await journal.read(JournalTests.all, after: nil, limit: 10)
            #expect(before.events.isEmpty, "the later number would hide the earlier one")
            let mark = journal.mark
            async let waiting: Void = journal.wait(
                past: mark, in: JournalTests.all.scope, soon: false, upTo: .seconds(20))
            try await early.script("COMMIT")
            try await waiting
            let after = try await JournalTests.read(2, journal)
            try #require(after.events.count == 2)
            #expect(after.events[0].position < after.events[1].position)
            await early.close()
        }
    }

    @Test func overlappingCommitsLoseNoEvent() async throws {
        try await StoreLab.with(connections: 10) { lab in
            let (writers, rounds) = (8, 40)
            async let read = JournalTests.follow(lab.downloads.journal, writers * rounds * 2)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        for round in 0..<rounds {
                            try await lab.pool.transaction { transaction throws(PostgresError) in
                                let first = Int32(2 * (writer * rounds + round))
                                _ = try await transaction.query(JournalTests.insert, [first])
                                // Some transactions hold their number for long, others commit past
                                // them.
                                _ = try await transaction.query(
                                    "SELECT pg_sleep($1::int * 0.004)", [Int32(writer % 4)])
                                _ = try await transaction.query(JournalTests.insert, [first + 1])
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let events = try await read
            #expect(events.count == writers * rounds * 2)
            #expect(Set(events.map(\.position)).count == events.count)
            #expect(zip(events, events.dropFirst()).allSatisfy { $0.position < $1.position })
            let tale = Set(events.map(\.message.id))
            #expect(tale.count == events.count)
        }
    }

    /// Reads small pages until this many events were read and nothing more comes.
    private static func follow(_ journal: Journal, _ total: Int) async throws -> [JournalEvent] {
        var events: [JournalEvent] = []
        for _ in 0..<2000 {
            let mark = journal.mark
            let page = try await journal.read(all, after: events.last?.position, limit: 7)
            events += page.events
            guard page.events.isEmpty else { continue }
            if events.count >= total { break }
            try await journal.wait(
                past: mark, in: all.scope, soon: false, upTo: .milliseconds(200))
        }
        return events
    }

    @Test func journalIsLimitedToTheApp() async throws {
        try await StoreLab.with { lab in
            _ = try await lab.pool.query("INSERT INTO apps (name) VALUES ('other')")
            _ = try await lab.pool.query(
                "INSERT INTO sessions (app_no, identifier) VALUES (1, 'b'), (2, 'default')")
            try await lab.submit(1)
            try await lab.submit(2, session: 2)
            try await lab.submit(3, session: 3)
            let journal = lab.downloads.journal
            func count(_ app: Int64, _ session: String?) async throws -> Int {
                try await journal.read(
                    JournalQuery(scope: .app(app, session: session)), after: nil, limit: 10
                ).events.count
            }
            _ = try await JournalTests.read(
                3, journal, JournalQuery(scope: .app(2, session: nil)))
            #expect(try await count(1, nil) == 3)
            #expect(try await count(1, "default") == 1)
            #expect(try await count(1, "b") == 2)
            #expect(try await count(2, nil) == 3)
            #expect(try await count(2, "b") == 0)
        }
    }

    @Test func expiredEventsAreRemovedAndReportedAsMissed() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(3)
            let journal = lab.downloads.journal
            let all = try await JournalTests.read(3, journal).events
            try #require(all.count == 3)
            #expect(try await journal.agedApps(olderThan: month, after: 0, limit: 9).isEmpty)
            let none = try await journal.forget(app: 1, olderThan: month, after: nil, limit: 10)
            #expect(none.removed == 0 && none.place == nil)
            let step = try await journal.forget(app: 1, olderThan: .zero, after: nil, limit: 2)
            #expect(step.removed == 2 && step.place == all[1].position)
            let rest = try await journal.read(JournalTests.all, after: nil, limit: 10)
            #expect(rest.events.map(\.position) == [all[2].position] && rest.gap == nil)
            let late = try await journal.read(
                JournalTests.all, after: all[0].position, limit: 10)
            #expect(late.events.map(\.position) == [all[2].position])
            #expect(late.gap == all[1].position)
            let current = try await journal.read(
                JournalTests.all, after: all[1].position, limit: 10)
            #expect(current.gap == nil && current.events.count == 1)
        }
    }

    @Test func expiredEventsAreRemovedFromAllSessions() async throws {
        try await StoreLab.with { lab in
            _ = try await lab.pool.query(
                "INSERT INTO sessions (app_no, identifier) VALUES (1, 'b')")
            let other = try await lab.number("SELECT max(session_no) FROM sessions")
            for session in [1, other, 1, other] { try await lab.submit(2, session: session) }
            let journal = lab.downloads.journal
            let places = try await JournalTests.read(8, journal).events.map(\.position)
            _ = try await lab.pool.query(
                "UPDATE events SET at = at - interval '31 days' WHERE journal_no <= $1",
                [places[3].number])
            #expect(try await journal.agedApps(olderThan: month, after: 0, limit: 9) == [1])
            var step = try await journal.forget(app: 1, olderThan: month, after: nil, limit: 3)
            #expect(step.removed == 3 && step.place == places[2])
            step = try await journal.forget(
                app: 1, olderThan: month, after: step.place, limit: 3)
            #expect(step.removed == 1 && step.place == nil)
            #expect(try await journal.agedApps(olderThan: month, after: 0, limit: 9).isEmpty)
            #expect(try await lab.number("SELECT count(*) FROM events") == 4)
        }
    }

    @Test func placesInTheDatabaseHaveOneTextForm() throws {
        let place = JournalPosition(transaction: .max, number: .max)
        #expect(JournalPosition(stored: place.stored) == place)
        #expect(JournalPosition(stored: "0-0") == JournalPosition(transaction: 0, number: 0))
        for text in ["", "-", "1", "1-", "-1", "1-1-1", "+1-1", "1--1", "01-1", "1-A", " 1-1"] {
            #expect(JournalPosition(stored: text) == nil, "\(text)")
        }
    }
}
