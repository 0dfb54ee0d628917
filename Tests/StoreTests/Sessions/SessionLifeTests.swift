// Sessions suspended, resumed and ended, over a real database.
import Base
import Downloads
import Postgres
import Scheduling
import Testing

@testable import Store

@Suite struct SessionLifeTests {
    /// Another replica may have read the session as active before: the commit of a create checks
    /// again.
    @Test func whatEndedTakesNoCreatesOfAnyReplica() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a")
            let intake = Intake(pool: lab.pool)
            _ = try await intake.submit(try lab.draft(session: session))
            guard
                case .done = try await world.sessions.end(app: 1, identifier: "a", .finishing)
            else {
                Issue.record("not ended")
                return
            }
            let late = try lab.draft(session: session)
            let other = try lab.draft()
            async let refused = failure { () throws(StoreError) in _ = try await intake.submit(late)
            }
            async let stored = failure { () throws(StoreError) in _ = try await intake.submit(other)
            }
            #expect(await (refused, stored) == (.sessionClosed, nil))
            let batch = [try lab.draft(), try lab.draft(session: session)]
            await expectFailure(.sessionClosed) { () throws(StoreError) in
                _ = try await intake.submit(batch: batch, idempotency: nil)
            }
            #expect(try await lab.find(late.download.id) == nil)
            #expect(try await lab.number("SELECT count(*) FROM downloads") == 2)
        }
    }

    /// Either the create comes first and the session is not empty, or it is refused.
    @Test func anEmptySessionEndsWithoutADownloadThatComesMeanwhile() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            for _ in 0..<25 {
                let session = try await world.put("a")
                let new = try lab.draft(session: session)
                async let created = failure { () throws(StoreError) in
                    _ = try await Intake(pool: lab.pool).submit(new)
                }
                async let ended = world.sessions.end(app: 1, identifier: "a", .empty)
                let isStored = await created == nil
                switch try await ended {
                case .done: #expect(!isStored)
                case .notEmpty:
                    #expect(isStored)
                    _ = try await lab.downloads.perform(.cancel, on: new.download.id, app: 1)
                    _ = try await world.sessions.end(app: 1, identifier: "a", .empty)
                default: Issue.record("neither")
                }
            }
        }
    }

    @Test func suspendingSendsRunsBackAndLetsNothingBegin() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a", ["max_running": 2])
            let ids = try await lab.submit(3, session: session)
            let claims = try await lab.claim(world.ledger)
            #expect(claims.count == 2)
            let before = try await lab.now()
            let change = try await world.sessions.suspend(app: 1, identifier: "a", true)
            guard case .done(let record, let stopping) = change else {
                Issue.record("\(change)")
                return
            }
            #expect(record.state == .suspended)
            #expect(Set(stopping) == Set(claims.map(\.download.id)))
            let orders = try await lab.downloads.replicas.news(for: world.ledger.replica).orders
            #expect(orders.allSatisfy { $0.order == .yield } && orders.count == 2)
            // One download is given back by its replica, the other by the end of the lease.
            _ = try await world.ledger.finish([lab.end(claims[0], .yielded)])
            _ = try await lab.pool.query(
                "SELECT lull_release_runs($1, $2)",
                [world.ledger.replica, [UUIDValue(claims[1].download.id)]])
            #expect(try await lab.claim(world.ledger).isEmpty)
            let situation = Situation(
                now: try await lab.now(), policy: Policy(limits: StoreLab.limits), zone: .utc)
            for id in ids {
                let found = try #require(try await lab.find(id))
                #expect(found.download.state == .waiting)
                let blockers = Admission.blockers(try #require(found.candidate), in: situation)
                // The blocker dates from the suspension, not from the beginning of the wait, which
                // is longer for a download that never ran.
                let suspended = blockers.first { $0.code == .sessionSuspended }
                #expect(try #require(suspended).since >= before)
                #expect(!blockers.contains { $0.code == .sessionLimit })
            }
            // Another configuration does not resume the session.
            try await world.put("a", ["max_running": 3])
            #expect(try await lab.claim(world.ledger).isEmpty)
            guard case .done = try await world.sessions.suspend(app: 1, identifier: "a", false)
            else {
                Issue.record("not resumed")
                return
            }
            #expect(try await lab.claim(world.ledger).count == 3)
            #expect(try await lab.wrongGates() == 0)
        }
    }

    /// A claim and an explanation divide a wait by the spans of suspension; the last 64 are kept.
    @Test func spansOfSuspensionAreKept() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a")
            let start = try await lab.now()
            func changes() async throws -> Int {
                let list = "SELECT cardinality(suspensions) FROM sessions"
                return Int(try await lab.number("\(list) WHERE session_no = \(session)"))
            }
            func seconds() async throws -> Int64 {
                let found = try await world.sessions.suspensions(of: session)
                var sum = Duration.zero
                found.forEachPiece(of: start..<start + .seconds(100_000)) { piece, isSuspended in
                    if isSuspended { sum += piece.upperBound - piece.lowerBound }
                }
                return sum.wholeMicroseconds / 1_000_000
            }
            for round in 1...70 {
                for isSuspended in [true, true, false, false] {
                    _ = try await world.sessions.suspend(app: 1, identifier: "a", isSuspended)
                }
                #expect(try await changes() == 2 * min(round, 64))
            }
            _ = try await lab.pool.query(
                """
                UPDATE sessions SET suspensions = ARRAY(
                    SELECT $1::timestamptz + n * interval '10 s' FROM generate_series(1, 4) n)
                WHERE session_no = $2
                """, [TimestampValue(start), session])
            #expect(try await seconds() == 20)
            try await lab.submit(1, session: session)
            let answer = try await lab.claimAnswer(world.ledger)
            #expect(answer.runs.count == 1)
            #expect(
                answer.suspensions[session]
                    == (try await world.sessions.suspensions(of: session)))
            // The session ends while suspended: the span ends with it.
            _ = try await world.sessions.suspend(app: 1, identifier: "a", true)
            _ = try await world.sessions.end(app: 1, identifier: "a", .finishing)
            #expect(try await changes() == 6)
        }
    }

    @Test func endsWhenItIsEmptyOrHasRunOut() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let first = try await world.put("a")
            try await lab.submit(1, session: first)
            guard case .notEmpty = try await world.sessions.end(app: 1, identifier: "a", .empty)
            else {
                Issue.record("ended with a live download")
                return
            }
            guard
                case .done(let record, _) = try await world.sessions.end(
                    app: 1, identifier: "a", .finishing)
            else {
                Issue.record("not ended")
                return
            }
            #expect(record.state == .invalidating)
            try await world.look()
            #expect(try await world.sessions.find(app: 1, identifier: "a")?.state == .invalidating)
            guard
                case .closing = try await world.sessions.put(
                    app: 1, identifier: "a", configuration: SessionConfiguration())
            else {
                Issue.record("changed while it ends")
                return
            }
            try await world.end()
            try await world.look()
            #expect(try await world.sessions.find(app: 1, identifier: "a")?.state == .invalidated)
            // A new session of that name; the events of the old one keep its name.
            let second = try await world.put("a")
            #expect(second != first)
            #expect(try await world.sessions.list(app: 1).map(\.identifier) == ["a", "default"])
            guard case .done = try await world.sessions.end(app: 1, identifier: "a", .empty) else {
                Issue.record("an empty session is not ended")
                return
            }
            #expect(try await world.sessions.find(app: 1, identifier: "a") == nil)
        }
    }

    @Test func nothingIsRetriedInASessionThatIsOver() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a")
            let id = try await lab.submit(1, session: session)[0]
            try await world.end(.failed)
            // Suspended sessions take downloads, ending sessions do not.
            _ = try await world.sessions.suspend(app: 1, identifier: "a", true)
            guard case .done = try await lab.downloads.perform(.retry, on: id, app: 1) else {
                Issue.record("not retried in a suspended session")
                return
            }
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
            for end in [Sessions.End.finishing, .empty] {
                _ = try await world.sessions.end(app: 1, identifier: "a", end)
                let outcome = try await lab.downloads.perform(.retry, on: id, app: 1)
                guard case .sessionClosed("a", let state) = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
                #expect(state == (end == .finishing ? .invalidating : .invalidated))
                #expect(try await lab.state(of: id) == .canceled)
            }
        }
    }

    @Test func figuresCountEachState() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a", ["max_running": 1])
            try await lab.submit(2, session: session)
            try await world.end()
            try await lab.submit(3, session: session)
            try await lab.submit(2, ["suspended": true], session: session)
            _ = try await lab.claim(world.ledger)
            let figures = try await world.sessions.figures(of: session)
            #expect(figures.counts[.succeeded] == 1 && figures.counts[.running] == 1)
            #expect(figures.counts[.waiting] == 3 && figures.counts[.suspended] == 2)
            #expect(figures.isComplete && figures.lastCreatedAt != nil)
        }
    }
}
