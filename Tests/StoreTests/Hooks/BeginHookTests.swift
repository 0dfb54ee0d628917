// Begin hooks in the store: asked once when a download would begin; the answer to that question
// alone lets it continue.
import Base
import Downloads
import Foundation
import Postgres
import Scheduling
import Testing

@testable import Store

@Suite struct BeginHookTests {
    static let url = "http://hook.example/ask"

    /// Downloads whose date has come, or comes after a number of seconds.
    @discardableResult
    static func submit(
        _ lab: StoreLab, _ count: Int = 1, after seconds: Int64 = -5, _ rule: String = "continue"
    ) async throws -> [Identifier] {
        let date = Timestamp(seconds: try await lab.now().seconds + seconds)
        return try await lab.submit(
            count,
            [
                "earliest_begin_date": .string(date.rfc3339),
                "begin_hook": ["url": .string(url), "on_no_answer": .string(rule)],
            ])
    }

    /// Asks the hooks of every lane, `quota` of each, as a worker does instead of a claim.
    @discardableResult
    static func ask(
        _ lab: StoreLab, _ ledger: Ledger, quota: Int = 1000
    ) async throws -> AskedHooks {
        let order = ClaimOrder(
            try await lab.heads(ledger).map { LaneQuota(head: $0, count: quota) }, total: quota)
        return try await ledger.beginHooks(of: lab.downloads).ask(order.hooked)
    }

    /// The downloads that a worker claims.
    static func claimed(_ lab: StoreLab, _ ledger: Ledger) async throws -> [Identifier] {
        let order = ClaimOrder(
            try await lab.heads(ledger).map { LaneQuota(head: $0, count: 1000) }, total: 1000)
        return try await ledger.claim(order.withoutHooked, limits: StoreLab.limits).runs
            .map(\.download.id)
    }

    /// The number of the open question; nil for none.
    static func question(_ lab: StoreLab, _ id: Identifier) async throws -> Int64? {
        try await lab.pool.query(
            "SELECT hook_sequence FROM queue WHERE id = $1", [UUIDValue(id)]
        ).first.flatMap { try $0.get(0, as: Int32?.self) }.map(Int64.init)
    }

    /// Moves the instants of the open questions.
    static func age(_ lab: StoreLab, by seconds: Int) async throws {
        _ = try await lab.pool.query(
            """
            UPDATE queue SET hook_asked_at = hook_asked_at - $1 * interval '1 second',
                run_at = run_at - $1 * interval '1 second' WHERE hook_asked_at IS NOT NULL
            """, [Int64(seconds)])
        _ = try await lab.pool.query(
            "SELECT lull_enter_rows((SELECT array_agg(id ORDER BY id) FROM queue))")
    }

    static func expectWhole(_ lab: StoreLab) async throws {
        #expect(try await lab.wrongGates() == 0)
        #expect(try await lab.wrongLanes().isEmpty)
    }

    @Test func aHookIsAskedOnceAndItsAnswerLetsTheDownloadBegin() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let ids = try await Self.submit(lab, 3)
            let later = try await Self.submit(lab, after: 3600)[0]
            let plain = try await lab.submit(1)
            #expect(try await Self.claimed(lab, ledger) == plain)
            #expect(Set(try await Self.ask(lab, ledger).asked) == Set(ids))
            // The answer to the statement may be lost: the next one finds no hook to ask.
            #expect(try await Self.ask(lab, ledger).asked.isEmpty)
            #expect(try await lab.events(of: ids[0]) == [.created, .willBegin])
            #expect(try await lab.events(of: later) == [.created])
            let due = try await lab.outbox(ledger).claim(each: 9, total: 9).due
            #expect(
                due.count == 3 && due.allSatisfy { $0.type == .willBegin && $0.url == Self.url })
            let questions = due.compactMap {
                HookQuestion($0.message, to: $0.url, app: $0.app)
            }
            #expect(Set(questions.map(\.download)) == Set(ids))
            let asked = try #require(questions.first { $0.download == ids[0] })
            #expect(asked.sequence == (try await Self.question(lab, ids[0])))
            #expect(asked.hook.timeout == 10 && asked.app == 1)
            // No download begins, no place is held, and the answer to another question changes
            // nothing.
            #expect(try await Self.claimed(lab, ledger).isEmpty)
            try await Self.expectWhole(lab)
            let hooks = lab.downloads.beginHooks
            #expect(try await !hooks.pass(ids[0], question: asked.sequence + 1))
            #expect(try await hooks.state(ids[0], question: asked.sequence) != nil)
            #expect(try await hooks.pass(ids[0], question: asked.sequence))
            #expect(try await !hooks.pass(ids[0], question: asked.sequence))
            #expect(try await !hooks.cancel(ids[0], app: 1, question: asked.sequence))
            #expect(try await hooks.state(ids[0], question: asked.sequence) == nil)
            #expect(try await Self.claimed(lab, ledger) == [ids[0]])
            let begun = try #require(await lab.find(ids[0])).download.spec
            #expect(!begun.asksHook && begun.hookAskedAt != nil)
            try await Self.expectWhole(lab)
        }
    }

    @Test func theBlockerSaysUntilWhenAnAnswerIsWaitedFor() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let ids = [
                try await Self.submit(lab)[0], try await Self.submit(lab, 1, "wait")[0],
            ]
            try await Self.ask(lab, ledger)
            let now = try await lab.now()
            let situation = Situation(
                now: now, policy: Policy(limits: StoreLab.limits), zone: .utc)
            for (id, isPatient) in zip(ids, [false, true]) {
                let candidate = try #require(await lab.find(id)?.candidate)
                let blockers = Admission.blockers(candidate, in: situation)
                #expect(blockers.map(\.code) == [.beginHook])
                let until = blockers[0].until
                #expect((until == nil) == isPatient)
                // The hook's time, and a minute for an answer that cannot be stored at once.
                if let until { #expect(until > now && until <= now + .seconds(70)) }
            }
        }
    }

    @Test func noMoreAreAskedThanMayBeginSoon() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            try await Self.submit(lab, 9)
            #expect(try await Self.ask(lab, ledger, quota: 2).asked.count == 2)
            // The test moves time back, so that the speed of the machine does not matter.
            try await Self.age(lab, by: -3600)
            #expect(try await Self.ask(lab, ledger, quota: 2).asked.isEmpty)
            #expect(try await Self.ask(lab, ledger, quota: 3).asked.count == 1)
            // A question without an answer for two seconds does not keep other hooks from being
            // asked.
            try await Self.age(lab, by: 3603)
            #expect(try await Self.ask(lab, ledger, quota: 2).asked.count == 2)
            // An answered question does not keep others from being asked either.
            try await Self.age(lab, by: -3600)
            let asked = try await lab.pool.query(
                "SELECT id FROM queue WHERE hook_asked_at IS NOT NULL")
            for row in asked {
                let id = try row.get(0, as: UUIDValue.self).identifier
                let sequence = try #require(await Self.question(lab, id))
                #expect(try await lab.downloads.beginHooks.pass(id, question: sequence))
            }
            #expect(try await Self.ask(lab, ledger, quota: 2).asked.count == 2)
            try await Self.expectWhole(lab)
        }
    }

    @Test func ofManyReplicasOneAsks() async throws {
        try await StoreLab.with { lab in
            let ids = try await Self.submit(lab, 40)
            let ledgers = [try await lab.register(), try await lab.register()]
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for ledger in ledgers + ledgers {
                    group.addTask { try await Self.ask(lab, ledger).asked.count }
                }
                return try await group.reduce(0, +)
            }
            #expect(counts == 40)
            for id in ids { #expect(try await lab.events(of: id) == [.created, .willBegin]) }
            // Of two answers one is taken, whatever they say.
            for id in ids {
                let sequence = try #require(await Self.question(lab, id))
                let hooks = lab.downloads.beginHooks
                async let passed = hooks.pass(id, question: sequence)
                async let canceled = hooks.cancel(id, app: 1, question: sequence)
                let outcome = try await (passed, canceled)
                #expect(outcome.0 != outcome.1)
                let state = try await lab.state(of: id)
                #expect(state == (outcome.1 ? .canceled : .waiting))
            }
            try await Self.expectWhole(lab)
        }
    }

    @Test func withoutAnAnswerInItsTimeTheRuleHolds() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            var ids: [String: Identifier] = [:]
            for rule in ["continue", "wait", "cancel"] {
                ids[rule] = try await Self.submit(lab, 1, rule)[0]
            }
            #expect(try await Self.ask(lab, ledger).asked.count == 3)
            let early = try await Self.ask(lab, ledger)
            #expect(early.settled.isEmpty && early.cancels.isEmpty)
            try await Self.age(lab, by: 71)
            let late = try await Self.ask(lab, ledger)
            #expect(late.cancels.map(\.id) == [try #require(ids["cancel"])])
            #expect(try await Self.claimed(lab, ledger) == [try #require(ids["continue"])])
            let cancel = try #require(late.cancels.first)
            #expect(
                try await lab.downloads.beginHooks.cancel(
                    cancel.id, app: cancel.app, question: cancel.sequence))
            let canceled = try #require(await lab.find(cancel.id)).download
            #expect(canceled.state == .canceled && canceled.spec.cancelReason == .beginHook)
            #expect(try await lab.events(of: cancel.id).last == .canceled)

            // A download with the rule to wait does so while its question is to be sent; then the
            // hook is asked again.
            let patient = try #require(ids["wait"])
            let question = try await Self.question(lab, patient)
            try await Self.age(lab, by: 3600)
            try await Self.ask(lab, ledger)
            #expect(try await Self.question(lab, patient) == question)
            _ = try await lab.pool.query(
                "UPDATE deliveries SET state = 3 WHERE download_id = $1", [UUIDValue(patient)])
            try await Self.age(lab, by: 7200)
            try await Self.ask(lab, ledger)
            #expect(try await Self.question(lab, patient) == nil)
            #expect(try await Self.ask(lab, ledger).asked == [patient])
            #expect(
                try await lab.events(of: patient) == [.created, .willBegin, .willBegin])
            try await Self.expectWhole(lab)
        }
    }

    @Test func aSuspendBetweenShortensNoTime() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let id = try await Self.submit(lab)[0]
            try await Self.ask(lab, ledger)
            let question = try #require(await Self.question(lab, id))
            for action in [DownloadAction.suspend, .resume] {
                _ = try await lab.downloads.perform(action, on: id, app: 1)
            }
            // The row says that it is due at once, and it continues to wait.
            let found = try await Self.ask(lab, ledger)
            #expect(found.settled == [id])
            #expect(try await Self.claimed(lab, ledger).isEmpty)
            #expect(try await lab.downloads.beginHooks.pass(id, question: question))
            #expect(try await Self.claimed(lab, ledger) == [id])
            try await Self.expectWhole(lab)
        }
    }

    @Test func whatIsSuspendedAfterTheAnswerIsAskedAgain() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let id = try await Self.submit(lab)[0]
            try await Self.ask(lab, ledger)
            let first = try #require(await Self.question(lab, id))
            let hooks = lab.downloads.beginHooks
            #expect(try await hooks.pass(id, question: first))
            for action in [DownloadAction.suspend, .resume] {
                _ = try await lab.downloads.perform(action, on: id, app: 1)
            }
            #expect(try await Self.claimed(lab, ledger).isEmpty)
            #expect(try await Self.ask(lab, ledger).asked == [id])
            let second = try #require(await Self.question(lab, id))
            #expect(try await !hooks.pass(id, question: first))
            #expect(try await hooks.pass(id, question: second))
            #expect(try await Self.claimed(lab, ledger) == [id])
            try await Self.expectWhole(lab)
        }
    }

    /// A patch, applied as by the API.
    private static func patch(
        _ lab: StoreLab, _ id: Identifier, _ members: JSONObject, origins: [String]? = nil
    ) async throws {
        let old = try #require(await lab.find(id)).download
        let new = try DownloadPatch.parse(.object(members)).get().applied(
            to: old, session: SessionConfiguration(), defaults: .standard
        ).get()
        let outcome = try await lab.downloads.change(old, to: new, origins: origins, app: 1)
        guard case .done = outcome else {
            Issue.record("not changed: \(outcome)")
            return
        }
    }

    @Test func anotherDateOrHookIsAnotherQuestion() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let id = try await Self.submit(lab)[0]
            try await Self.ask(lab, ledger)
            let first = try #require(await Self.question(lab, id))
            // Changes of other values, even of the origin, leave the question open.
            try await Self.patch(lab, id, ["priority": 0.9])
            try await Self.patch(
                lab, id, ["url": "https://b.example/f"], origins: ["https://b.example:443"])
            #expect(try await Self.question(lab, id) == first)
            #expect(try await Self.claimed(lab, ledger).isEmpty)
            try await Self.expectWhole(lab)
            for change: JSONObject in [
                ["earliest_begin_date": "2020-01-01T00:00:00Z"],
                ["begin_hook": ["url": "http://other.example/"]],
            ] {
                try await Self.patch(lab, id, change)
                #expect(try await Self.question(lab, id) == nil)
                #expect(try await !lab.downloads.beginHooks.pass(id, question: first))
                #expect(try await Self.ask(lab, ledger).asked == [id])
            }
            try await Self.patch(lab, id, ["begin_hook": .null])
            #expect(try await Self.claimed(lab, ledger) == [id])
            try await Self.expectWhole(lab)
        }
    }

    @Test func aRetryByTheClientIsAskedForAgainAndARetryOfTheServiceIsNot() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let id = try await Self.submit(lab)[0]
            try await Self.ask(lab, ledger)
            let question = try #require(await Self.question(lab, id))
            #expect(try await lab.downloads.beginHooks.pass(id, question: question))
            let first = try #require(await lab.claim(ledger).first)
            _ = try await ledger.finish([lab.end(first, .retryScheduled)])
            let second = try #require(await lab.claim(ledger).first)
            #expect(second.download.attempt == 2)
            _ = try await ledger.finish([lab.end(second, .failed)])
            _ = try await lab.downloads.perform(.retry, on: id, app: 1)
            #expect(try await Self.claimed(lab, ledger).isEmpty)
            #expect(try await Self.ask(lab, ledger).asked == [id])
            let again = try #require(await Self.question(lab, id))
            #expect(try await !lab.downloads.beginHooks.pass(id, question: question))
            #expect(try await lab.downloads.beginHooks.pass(id, question: again))
            #expect(try await Self.claimed(lab, ledger) == [id])
            try await Self.expectWhole(lab)
        }
    }

    /// The number of questions for one instant; `LULL_QUESTIONS` sets another.
    static let many =
        ProcessInfo.processInfo.environment["LULL_QUESTIONS"].flatMap { Int($0) } ?? 4000

    /// Copies the one download that is there, up to a number of downloads.
    private static func fill(_ lab: StoreLab, to count: Int) async throws {
        _ = try await lab.pool.query(
            """
            INSERT INTO download_requests (id, app_no, session_no, created_at, expected_bytes,
                session, url, spec, origin_key, priority, earliest_begin_at, class)
            SELECT gen_random_uuid(), app_no, session_no, created_at, expected_bytes, session, url,
                spec, origin_key, priority, earliest_begin_at, class
            FROM download_requests d, generate_series(2, $1::int)
            """, [Int32(count)])
        _ = try await lab.pool.query(
            """
            INSERT INTO queue
            SELECT (jsonb_populate_record(q, jsonb_build_object('id', d.id))).*
            FROM queue q, downloads d WHERE d.id <> q.id
            """)
        _ = try await lab.pool.query(
            "INSERT INTO queued_counts (app_no, change) VALUES (1, $1)", [Int64(count - 1)])
    }

    /// Very many downloads have one date, and no hook answers: downloads without a hook are claimed
    /// at the usual cost, and the number of questions is that of begins that are near.
    @Test func thousandsWithoutAnAnswerHoldUpNothing() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register(lease: .seconds(3600))
            _ = try await Self.submit(lab)
            try await Self.fill(lab, to: Self.many)
            let plain = try await lab.submit(3)
            for _ in 0..<4 {
                try await Self.ask(lab, ledger, quota: 16)
                try await Self.age(lab, by: -3600)
            }
            #expect(try await lab.number("SELECT count(*) FROM deliveries") == 16)
            #expect(try await Set(Self.claimed(lab, ledger)) == Set(plain))
            // Downloads without an answer begin, and so do all others in their turn.
            try await Self.age(lab, by: 4 * 3600 + 71)
            let late = try await Self.ask(lab, ledger, quota: 16)
            #expect(late.settled.count == 16 && late.asked.count == 16)
            #expect(try await Self.claimed(lab, ledger).count == 16)
            try await Self.expectWhole(lab)
        }
    }

    /// Asking, continuing without an answer and canceling read only the rows that they change,
    /// however many downloads wait for a question or an answer.
    @Test func aQuestionCostsTheSameAmongVeryMany() async throws {
        /// The pages of each statement for sixteen of `count` downloads, all of which have no
        /// answer.
        func pages(_ count: Int, _ rule: String) async throws -> [Int64] {
            var costs: [Int64] = []
            try await StoreLab.with { lab in
                let ledger = try await lab.register()
                _ = try await Self.submit(lab, 1, rule)
                try await Self.fill(lab, to: count)
                let lanes = try await lab.heads(ledger).map { String($0.lane) }
                let asking = "ARRAY[\(lanes.joined(separator: ","))]::bigint[]"
                // Half of them are asked at once; a worker asks fewer.
                _ = try await lab.pool.query(
                    "SELECT lull_ask_hooks(\(asking), ARRAY[$1]::int[])",
                    [Int32(count / 2)])
                try await Self.age(lab, by: 3600)
                _ = try await lab.pool.query("ANALYZE")
                let asked = try await lab.heads(ledger).map { String($0.lane) }
                let all = "ARRAY[\(asked.joined(separator: ","))]::bigint[]"
                let quotas = "array_fill(16, ARRAY[\(asked.count)])"
                let connection = PostgresConnection(url: lab.url)
                try await connection.open()
                for statement in [
                    "SELECT lull_ask_hooks(\(all), \(quotas))",
                    "SELECT lull_settle_hooks(\(all), 16)",
                    "SELECT * FROM lull_late_cancels(\(all), 16)",
                ] {
                    // The first call in a session plans the function as well.
                    _ = try await StoreLab.pages(connection, statement)
                    costs.append(try await StoreLab.pages(connection, statement))
                }
                await connection.close()
            }
            return costs
        }
        for rule in ["continue", "wait", "cancel"] {
            // Each of the 256 open questions that a look counts may have a page of its own.
            let few = try await pages(1000, rule)
            let many = try await pages(Self.many, rule)
            for (place, (few, many)) in zip(few, many).enumerated() {
                #expect(many <= few * 2 + 256, "\(rule), \(place): \(few) -> \(many)")
            }
        }
    }
}
