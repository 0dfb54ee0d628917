// Wakes over a real database: one for a batch, at one receiver, completed, sent again, finished.
import Base
import Downloads
import Postgres
import Support
import Testing

@testable import Store

@Suite struct WakesTests {
    @Test func oneWakeForABatchAtOneReceiver() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a")
            // An endpoint that gets the session's events gets no wake beside the session's URL.
            try await lab.endpoint("https://hooks.example/e", events: ["session.*"])
            try await lab.submit(3, session: session)
            try await lab.submit(1, ["suspended": true], session: session)
            try await world.end()
            try await world.look()
            #expect(try await world.data(.sessionWake).isEmpty)
            let last = try await lab.submit(1, session: session)
            _ = try await lab.pool.query(
                "UPDATE queue SET state = 0 WHERE state = 2 AND session_no = $1", [session])
            _ = try await lab.pool.query("SELECT lull_enter_rows(array_agg(id)) FROM queue")
            try await world.end(.failed)
            #expect(try await lab.state(of: last[0]) == .failed)
            let rounds = try await world.look()
            #expect(rounds.flatMap(\.sent).count == 1)
            let wake = try #require(try await world.data(.sessionWake).first)
            #expect(wake["identifier"] == "a" && wake["delivery"] == 1)
            #expect(wake["reasons"] == ["completed", "failed"])
            #expect(JournalPosition(stored: try #require(wake["cursor"]?.stringValue)) != nil)
            let token = try #require(wake["wake_token"]?.stringValue)
            #expect(Identifier(token, kind: .wake) == rounds.flatMap(\.sent)[0].token)
            let urls = try await lab.pool.query(
                """
                SELECT coalesce(d.url, 'endpoint') FROM \(StoreLab.deliveredEvents)
                WHERE type = lull_event_type('session_wake')
                """.replacing("deliveries JOIN", with: "deliveries d JOIN"))
            #expect(try urls.map { try $0.get(0, as: String.self) } == [SessionLab.url])
            #expect(try await world.data(.sessionDrained) == [["identifier": "a"]])
            // Without new reasons no wake is sent.
            #expect(try await world.look().flatMap(\.sent).isEmpty)
        }
    }

    @Test func aFullRoundSaysThatMoreSessionsAreDue() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            _ = try await lab.pool.query(
                """
                WITH made AS (
                    INSERT INTO sessions (app_no, identifier)
                    SELECT 1, 'crowd-' || n FROM generate_series(1, $1) n RETURNING session_no)
                INSERT INTO session_wakes (session_no, next_at)
                SELECT session_no, clock_timestamp() FROM made
                """, [Int32(2 * Wakes.sessionsAtOnce + 1)])
            #expect(try await world.look().map(\.hasMore) == [true, true, false])
            #expect(try await world.look().map(\.hasMore) == [false])
        }
    }

    @Test func theOldestEndpointThatHearsTheSessionIsWoken() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a", [:])
            try await lab.endpoint("https://hooks.example/1", events: ["download.*"])
            try await lab.endpoint(
                "https://hooks.example/2", events: ["session.*"], sessions: ["b"])
            // Events that an endpoint gets without a subscription are no wakes.
            try await lab.endpoint("https://hooks.example/3", events: nil)
            let third = try await lab.endpoint("https://hooks.example/4", events: ["session.wake"])
            try await lab.endpoint("https://hooks.example/5", events: ["*"])
            try await lab.submit(1, session: session)
            try await world.end()
            try await world.look()
            let rows = try await lab.pool.query(
                """
                SELECT w.id FROM deliveries d
                JOIN events e ON e.download_id = d.download_id AND e.sequence = d.sequence
                JOIN webhook_endpoints w ON w.endpoint_no = d.endpoint_no
                WHERE e.type = lull_event_type('session_wake')
                """)
            #expect(try rows.map { try $0.get(0, as: UUIDValue.self).identifier } == [third.id])
        }
    }

    @Test func noWakeForASessionThatDoesNotWantOneOrHasNoReceiver() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            var silent = SessionLab.woken
            silent["sends_launch_events"] = false
            let quiet = try await world.put("quiet", silent)
            let deaf = try await world.put("deaf", [:])
            let other = try await world.put(
                "other",
                ["webhook_url": .string(SessionLab.url), "webhook_events": ["download.failed"]])
            let unnamed = try await world.put(
                "unnamed", ["webhook_url": .string(SessionLab.url)])
            try await lab.endpoint("https://hooks.example/e", events: nil)
            let all = [quiet, deaf, other, unnamed]
            for session in all { try await lab.submit(1, session: session) }
            try await world.end()
            let rounds = try await world.look()
            #expect(rounds.flatMap(\.sent).isEmpty)
            #expect(rounds.map(\.drained).reduce(0, +) == 4)
            // Without a wake no session is in the background, and no download is delayed.
            for session in all {
                #expect(try await world.status(session).delay == .zero)
                #expect(try await !world.wakes.enterBackground(session).isBackground)
            }
        }
    }

    @Test func aWakeIsCompletedByItsAnswerOrItsToken() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a")
            for (answer, isByToken) in [(204, false), (202, true), (200, false)] {
                try await lab.submit(1, session: session)
                try await world.end()
                let sent = try await world.look().flatMap(\.sent)
                let token = try #require(sent.first).token
                _ = try await world.deliver(answer)
                try await world.look()
                let isOpen = try await world.status(session).wake?.state == .open
                #expect(isOpen == isByToken)
                if isByToken {
                    let extended = try await world.wakes.change(token) { wake, now in
                        wake.extend(by: 30, at: now, timeout: .seconds(10))
                    }
                    #expect(extended?.outcome == .done)
                    let done = try await world.wakes.change(token) { wake, _ in wake.complete() }
                    #expect(done?.outcome == .done && done?.session == session)
                }
                let again = try await world.wakes.change(token) { wake, _ in wake.complete() }
                #expect(again?.outcome == .already)
                #expect(try await world.status(session).wake?.state == .completed)
            }
            let none = try await world.wakes.change(StoreLab.identifier()) { wake, _ in
                wake.complete()
            }
            #expect(none == nil)
            #expect(try await world.status(session).delay == .seconds(240))
        }
    }

    @Test func anOpenWakeIsSentAgainWithItsTokenAndThenAbandoned() async throws {
        try await StoreLab.with { lab in
            var world = try await SessionLab(lab)
            world.settings.timeout = .milliseconds(1)
            let session = try await world.put("a")
            try await lab.submit(1, session: session)
            try await world.end()
            try await world.look()
            for _ in 0..<6 {
                _ = try await world.deliver(202)
                try await world.look()
                _ = try await eventually {
                    try await world.look()
                    return try await world.status(session).wake?.state != .open
                }
            }
            let wakes = try await world.data(.sessionWake)
            #expect(wakes.map { $0["delivery"]?.integerValue } == [1, 2, 3, 4, 5])
            #expect(Set(wakes.map { $0["wake_token"]?.stringValue }).count == 1)
            #expect(try await world.status(session).wake?.state == .abandoned)
            #expect(try await world.status(session).delay == .seconds(60))
            let token = try #require(
                Identifier(wakes[0]["wake_token"]?.stringValue ?? "", kind: .wake))
            let late = try await world.wakes.change(token) { wake, _ in wake.complete() }
            #expect(late?.outcome == .expired)
        }
    }

    @Test func eventsFinishedOnceWhenAllDeliveriesUpToTheCursorEnded() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a")
            // Each download has a webhook of its own.
            try await lab.submit(
                3, ["webhook_url": "https://slow.example/", "webhook_events": ["*"]],
                session: session)
            try await world.end()
            try await world.look()
            #expect(try await world.data(.sessionEventsFinished).isEmpty)
            // One delivery is tried again, one given up, the others are delivered.
            let held = try await lab.pool.query(
                """
                UPDATE deliveries SET run_at = now() + interval '1 day' WHERE delivery_no = (
                    SELECT min(delivery_no) FROM deliveries WHERE state = 0) RETURNING delivery_no
                """)[0].get(0, as: Int64.self)
            while try await !world.deliver().isEmpty {}
            _ = try await lab.pool.query("UPDATE wakes SET finish_at = now()")
            try await world.look()
            #expect(try await world.data(.sessionEventsFinished).isEmpty)
            _ = try await lab.pool.query(
                "UPDATE deliveries SET state = 4, finished_at = now() WHERE delivery_no = $1",
                [held])
            for _ in 0..<2 {
                _ = try await lab.pool.query(
                    "UPDATE wakes SET finish_at = now() WHERE finish_at IS NOT NULL")
                try await world.look()
            }
            let ends = try await world.data(.sessionEventsFinished)
            #expect(ends.count == 1)
            let wake = try await world.data(.sessionWake)[0]
            #expect(ends[0]["wake_token"] == wake["wake_token"])
            #expect(ends[0]["cursor"] == wake["cursor"] && ends[0]["reasons"] == nil)
        }
    }

    @Test func noWakeForWhoReadsTheEvents() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a")
            let journal = lab.downloads.journal
            let reading = try #require(
                journal.reading(JournalQuery(scope: .app(1, session: "a"))))
            await reading.begin(at: nil)
            try await lab.submit(1, session: session)
            try await world.end()
            #expect(try await world.look().flatMap(\.sent).isEmpty)
            // The event is written to the reader, who leaves then.
            let last = try await lab.pool.query(
                "SELECT max(xid::text::bigint)::text, max(journal_no) FROM events")[0]
            let place = JournalPosition(
                transaction: UInt64(try last.get(0, as: String.self)) ?? 0,
                number: try last.get(1))
            await reading.delivered(place)
            await reading.end(lingering: .zero)
            _ = try await lab.pool.query("UPDATE session_wakes SET next_at = now()")
            #expect(try await world.look().flatMap(\.sent).isEmpty)
            #expect(try await world.status(session).delay == .zero)
            // This reader leaves before the events are written to it.
            await reading.begin(at: place)
            try await lab.submit(1, session: session)
            try await world.end()
            #expect(try await world.look().flatMap(\.sent).isEmpty)
            await reading.end(lingering: .zero)
            _ = try await lab.pool.query("UPDATE session_wakes SET next_at = now()")
            #expect(try await world.look().flatMap(\.sent).count == 1)
            // A reader whose subscription has no ends does not count.
            #expect(
                journal.reading(
                    JournalQuery(scope: .app(1, session: nil), events: EventSet(bits: 2)))
                    == nil)
            #expect(journal.reading(JournalQuery(scope: .download(StoreLab.identifier()))) == nil)
        }
    }

    /// A statement that notes an end holds the session's lock in common until its commit.
    @Test func aLookNeverPassesAnEndThatIsNotCommitted() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a")
            try await lab.submit(1, session: session)
            _ = try await lab.pool.query(
                "SELECT lull_note_sessions(ARRAY[$1::bigint], '{8}')", [session])
            let pool = lab.pool
            try await pool.transaction { transaction throws(PostgresError) in
                // The note of another commit is there, so this commit writes none.
                _ = try await transaction.query(
                    "SELECT lull_note_sessions(ARRAY[$1::bigint], '{8}')", [session])
                let busy = try await pool.query(
                    "SELECT count(*) FROM lull_look_at_session($1)", [session])[0]
                    .get(0, as: Int64.self)
                #expect(busy == 0)
            }
            #expect(try await lab.number("SELECT count(*) FROM session_news") == 1)
            try await world.look()
            #expect(try await lab.number("SELECT count(*) FROM session_news") == 0)
        }
    }
}
