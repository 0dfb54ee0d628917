// Begin hooks in a whole replica: they are asked when a download would begin, and delay no other
// download.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Support
import Testing

@testable import Worker

@Suite struct HookTests {
    private static let hook: JSONObject = [
        "earliest_begin_date": "2020-01-01T00:00:00Z",
        "begin_hook": ["url": "http://hook.example/ask"],
    ]

    /// The questions that are open, with their downloads.
    private static func open(
        _ replica: Replica
    ) async throws -> [(id: Identifier, sequence: Int64)] {
        try await replica.pool.query(
            "SELECT id, hook_sequence FROM queue WHERE hook_asked_at IS NOT NULL ORDER BY id"
        ).map { row in
            (try row.get(0, as: UUIDValue.self).identifier, Int64(try row.get(1, as: Int32.self)))
        }
    }

    /// Thousands of hooks at one instant, one place, and a receiver that never answers.
    @Test func questionsHoldNoSlotAndDelayNoOther() async throws {
        try await Replica.with(
            change: { $0.slots = 1 }, { _ in Answer.whole(content(10)) }
        ) { replica, origin in
            let url = origin.url("/file")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3000 {
                    let new = try replica.draft(url, Self.hook)
                    group.addTask { _ = try await replica.intake.submit(new) }
                }
                try await group.waitForAll()
            }
            replica.worker.hint()
            let isAsked = try await eventually { try await !Self.open(replica).isEmpty }
            #expect(isAsked)
            // The place is free for downloads without a question.
            for _ in 0..<5 {
                let plain = try await replica.submit(url)
                _ = try await replica.reached(.succeeded, plain)
            }
            #expect(
                try await replica.number("SELECT count(*) FROM downloads WHERE state IS NULL")
                    == 3000)
            #expect(try await replica.number("SELECT count(*) FROM attempts") == 5)
            // The number of questions follows the free places, not the length of the queue.
            #expect(try await replica.number("SELECT count(*) FROM deliveries") < 1000)
            let (id, sequence) = try #require(await Self.open(replica).first)
            #expect(try await replica.downloads.beginHooks.pass(id, question: sequence))
            replica.worker.hint()
            let begun = try await replica.reached(.succeeded, id)
            #expect(begun.download.attempt == 1)
        }
    }

    /// A question whose answer was lost is settled by the look that finds all due rows.
    @Test(arguments: ["continue", "cancel"])
    func withoutAnAnswerTheRuleHolds(_ rule: String) async throws {
        try await Replica.with({ _ in Answer.whole(content(10)) }) { replica, origin in
            var members = Self.hook
            members["begin_hook"] = [
                "url": "http://hook.example/ask", "on_no_answer": .string(rule),
            ]
            let id = try await replica.submit(origin.url("/file"), members)
            let isAsked = try await eventually { try await !Self.open(replica).isEmpty }
            #expect(isAsked)
            _ = try await replica.pool.query(
                """
                WITH moved AS (UPDATE queue SET hook_asked_at = hook_asked_at - interval '1 hour',
                    run_at = run_at - interval '1 hour' RETURNING id)
                SELECT count(*) FROM moved
                """)
            _ = try await replica.pool.query("SELECT lull_enter_rows(array_agg(id)) FROM queue")
            replica.worker.hint()
            let end = try await replica.reached(rule == "cancel" ? .canceled : .succeeded, id)
            #expect(end.download.spec.cancelReason == (rule == "cancel" ? .beginHook : nil))
        }
    }

    /// The date is not the begin: while a rule holds the download back no hook is asked.
    @Test func aHookIsAskedWhenTheRulesAreOpen() async throws {
        try await Replica.with({ _ in Answer.whole(content(10)) }) { replica, origin in
            let closed: JSONObject = [
                "conditions": ["go": ["type": "boolean", "default": false]],
                "rules": [["name": "hold", "require": ["go = true"]]],
            ]
            try await replica.enforce(closed)
            let held = try await replica.submit(origin.url("/file"), Self.hook)
            let asked = "SELECT count(*) FROM deliveries"
            let isKnown = try await eventually { replica.worker.lanes.lanes > 0 }
            #expect(isKnown)
            #expect(try await replica.number(asked) == 0)
            #expect(try await replica.find(held).candidate?.question == nil)
            try await replica.enforce([:])
            let isAsked = try await eventually { try await replica.number(asked) == 1 }
            #expect(isAsked)
            let (id, sequence) = try #require(await Self.open(replica).first)
            #expect(try await replica.downloads.beginHooks.pass(id, question: sequence))
            replica.worker.hint()
            _ = try await replica.reached(.succeeded, held)
        }
    }
}
