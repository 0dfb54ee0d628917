// Downloads that are created while a wake is open, and the events that end their delay.
import Base
import Downloads
import Postgres
import Scheduling
import Testing

@testable import Store

@Suite struct BackgroundTests {
    @Test func aSessionIsInTheBackgroundWhileItsWakeIsOpen() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a")
            func background() async throws -> Bool {
                try await world.wakes.enterBackground(session).isBackground
            }
            #expect(try await !background(), "it was never woken")
            try await lab.submit(1, session: session)
            try await world.end()
            try await world.look()
            #expect(try await !background(), "the webhook waits for its turn")
            let due = try await lab.outbox(world.ledger).claim(each: 9, total: 9).due
            #expect(try await background(), "the client is being called")
            let wake = try #require(due.first { $0.type == .sessionWake })
            var record = DeliveryRecord(
                number: wake.number, receiver: wake.receiver, fence: wake.fence, nextAt: nil,
                isDelivered: true, status: 202, error: nil)
            record.isWake = true
            try await lab.outbox(world.ledger).record([record])
            #expect(try await background(), "its answer was not looked at")
            try await world.look()
            let found = try await world.wakes.enterBackground(session)
            let status = try await world.status(session)
            #expect(found.isBackground && found.until == status.delayedUntil)
            #expect(status.hadBackground)
            let token = try #require(
                try await world.data(.sessionWake)[0]["wake_token"]?.stringValue)
            _ = try await world.wakes.change(try #require(Identifier(token, kind: .wake))) {
                wake, _ in
                wake.complete()
            }
            #expect(try await !background())
            // The session is in the background from force_quit until foreground.
            try await world.wakes.note(session, isForeground: false)
            #expect(try await background())
            #expect(try await world.sessions.find(app: 1, identifier: "a")?.isMuted == true)
            try await world.wakes.note(session, isForeground: true)
            #expect(try await !background())
            #expect(try await world.status(session).delay == .zero)
        }
    }

    /// A receiver that knows nothing of wakes answers 200: its next downloads are not delayed.
    @Test(arguments: [200, 204])
    func anAnswerThatCompletesTheWakeEndsTheBackground(_ status: Int) async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a")
            try await lab.submit(1, session: session)
            try await world.end()
            try await world.look()
            _ = try await world.deliver(status)
            #expect(try await !world.wakes.enterBackground(session).isBackground)
            try await world.look()
            #expect(try await world.status(session).wake?.state == .completed)
            #expect(try await !world.wakes.enterBackground(session).isBackground)
        }
    }

    @Test func aRetryInTheBackgroundIsDelayedAsACreateIs() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a")
            let ids = try await lab.submit(3, session: session)
            _ = try await lab.claim(world.ledger)
            for id in ids { _ = try await lab.downloads.perform(.cancel, on: id, app: 1) }
            #expect(
                try await world.ledger.releaseUnknownRuns(
                    known: [], claimedBefore: try await lab.now()) == 3)
            try await world.wakes.note(session, isForeground: false)
            let until = try await lab.now() + .seconds(3000)
            _ = try await lab.pool.query(
                """
                UPDATE session_wakes SET delay = 3000000000, last_wake_at = $2
                WHERE session_no = $1
                """, [session, TimestampValue(until - .seconds(3000))])
            _ = try await lab.downloads.perform(.retry, on: ids[0], app: 1)
            _ = try await lab.downloads.perform(.retry, on: Array(ids[1...]), app: 1)
            #expect(try await lab.claim(world.ledger).isEmpty)
            for record in try await lab.records(ids) {
                #expect(record.download.spec.discretionaryForcedBy == "wake")
                #expect(record.download.schedulingClass == .discretionary)
                let candidate = try #require(record.candidate)
                #expect(candidate.attempt == 1 && candidate.wakeUntil == until)
                let situation = Situation(
                    now: try await lab.now(), policy: Policy(limits: StoreLab.limits), zone: .utc)
                let blockers = Admission.blockers(candidate, in: situation)
                #expect(blockers.map(\.code) == [.wakeDelay] && blockers[0].until == until)
            }
            #expect(try await world.status(session).hadBackground)
            // A further change does not shorten the delay; foreground ends it.
            let old = try #require(await lab.find(ids[0])).download
            var new = old
            new.url += "?token"
            _ = try await lab.downloads.change(
                old, to: new, origins: [StoreLab.origin], app: 1)
            #expect(try await lab.claim(world.ledger).isEmpty)
            try await world.wakes.note(session, isForeground: true)
            #expect(try await lab.wrongLanes().isEmpty)
            #expect(try await lab.claim(world.ledger).count == 3)
            // In the foreground a retry begins at once.
            let plain = try await lab.submit(1, session: session)
            _ = try await lab.downloads.perform(.cancel, on: plain[0], app: 1)
            _ = try await lab.downloads.perform(.retry, on: plain[0], app: 1)
            let record = try #require(await lab.find(plain[0]))
            #expect(record.download.spec.discretionaryForcedBy == nil)
            #expect(record.candidate?.wakeUntil == nil)
        }
    }

    @Test func foregroundEndsTheDelayOfWhatWaits() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a")
            let until = try await lab.now() + .seconds(3000)
            // A date that a client gives has milliseconds.
            let date = Timestamp(seconds: try await lab.now().seconds + 9000)
            var ids: [Identifier] = []
            for members in [[:], ["earliest_begin_date": .string(date.rfc3339)]] as [JSONObject] {
                var new = try lab.draft(members, session: session)
                new.wakeUntil = until
                new.download.spec.forceDiscretionary()
                _ = try await Intake(pool: lab.pool).submit(new)
                ids.append(new.download.id)
            }
            #expect(try await lab.claim(world.ledger).isEmpty)
            let record = try #require(try await lab.find(ids[0]))
            #expect(record.download.spec.isDiscretionary)
            #expect(record.download.spec.discretionaryForcedBy == "wake")
            let candidate = try #require(record.candidate)
            #expect(candidate.wakeUntil == until && candidate.runAt == until)
            let situation = Situation(
                now: try await lab.now(), policy: Policy(limits: StoreLab.limits), zone: .utc)
            let blockers = Admission.blockers(candidate, in: situation)
            #expect(blockers.map(\.code) == [.wakeDelay] && blockers[0].until == until)
            let dated = try #require(try await lab.find(ids[1])?.candidate)
            #expect(Admission.blockers(dated, in: situation).map(\.code) == [.earliestBeginDate])
            try await world.wakes.note(session, isForeground: true)
            #expect(try await lab.wrongLanes().isEmpty)
            #expect(try await lab.claim(world.ledger).map(\.download.id) == [ids[0]])
            #expect(try await lab.find(ids[1])?.candidate?.runAt == date)
        }
    }

    @Test func noChangeOfADownloadShortensItsDelay() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a")
            let until = try await lab.now() + .seconds(3000)
            var new = try lab.draft(["suspended": true], session: session)
            new.wakeUntil = until
            new.download.spec.forceDiscretionary()
            _ = try await Intake(pool: lab.pool).submit(new)
            let id = new.download.id
            func expectDelay(_ change: String) async throws {
                #expect(try await lab.find(id)?.candidate?.runAt == until, "\(change)")
                #expect(try await lab.claim(world.ledger).isEmpty, "\(change)")
                #expect(try await lab.wrongLanes().isEmpty, "\(change)")
            }
            for action in [DownloadAction.resume, .suspend, .resume] {
                _ = try await lab.downloads.perform(action, on: id, app: 1)
                if action == .resume { try await expectDelay("resume") }
            }
            for date in [until - .seconds(2000), nil] {
                let old = try #require(try await lab.find(id)).download
                var changed = old
                changed.earliestBeginDate = date
                let outcome = try await lab.downloads.change(
                    old, to: changed, origins: nil, app: 1)
                guard case .done = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
                try await expectDelay("another date")
            }
        }
    }

    @Test func whatALookReadsDoesNotGrowWithTheSessions() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a")
            func pages() async throws -> [Int64] {
                try await lab.submit(1, session: session)
                try await world.end()
                _ = try await lab.pool.query("VACUUM ANALYZE session_news, session_wakes, wakes")
                let connection = PostgresConnection(url: lab.url)
                try await connection.open()
                var pages: [Int64] = []
                for statement in [
                    "SELECT * FROM lull_due_sessions(100)", "SELECT * FROM lull_finish_wakes(100)",
                    "SELECT * FROM lull_look_at_session(\(session))",
                ] {
                    // Plans and catalogues are read once.
                    for _ in 0..<2 {
                        try await connection.script("BEGIN")
                        pages.append(try await StoreLab.pages(connection, statement))
                        try await connection.script("ROLLBACK")
                    }
                }
                await connection.close()
                try await world.look()
                return [pages[1], pages[3], pages[5]]
            }
            let few = try await pages()
            _ = try await lab.pool.query(
                """
                WITH made AS (
                    INSERT INTO sessions (app_no, identifier)
                    SELECT 1, 'x' || i FROM generate_series(1, 20000) i RETURNING session_no)
                INSERT INTO session_wakes (session_no, next_at)
                SELECT session_no, now() + interval '1 hour' FROM made
                """)
            let many = try await pages()
            for (before, after) in zip(few, many) {
                #expect(after <= before + 12, "\(before) pages became \(after)")
            }
        }
    }
}
