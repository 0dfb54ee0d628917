// A receiver that is gone for good: its waiting deliveries end, and nothing is sent to it for a
// day.
import Base
import Postgres
import Store
import Testing

@Suite struct RestTests {
    private static let gone = "https://hooks.example/a"

    /// A download whose creation is told to a receiver.
    private func submit(
        _ lab: StoreLab, _ count: Int = 1, to url: String = gone, session: Int64 = 1
    ) async throws {
        try await lab.submit(
            count, ["webhook_url": .string(url), "webhook_events": ["download.created"]],
            session: session)
    }

    /// A session of another app.
    private func otherApp(_ lab: StoreLab) async throws -> Int64 {
        try await lab.pool.query(
            """
            WITH a AS (INSERT INTO apps (name) VALUES ('other') RETURNING app_no)
            INSERT INTO sessions (app_no, identifier) SELECT app_no, 'default' FROM a
            RETURNING session_no
            """)[0].get(0)
    }

    private func answerGone(
        _ outbox: Outbox, _ deliveries: [DueDelivery]
    ) async throws -> [ReceiverGone] {
        try await outbox.record(
            deliveries.map { delivery in
                var record = delivery.ended(isDelivered: false)
                (record.status, record.error, record.isGone) = (410, "gone", true)
                return record
            }
        ).gone
    }

    private func states(_ lab: StoreLab) async throws -> [Int16] {
        try await lab.pool.query("SELECT state FROM deliveries ORDER BY delivery_no").map {
            try $0.get(0)
        }
    }

    @Test(arguments: [0, 1, 64, 300])
    func status410EndsPendingDeliveriesOfItsURL(pending: Int) async throws {
        try await StoreLab.with { lab in
            let outbox = lab.outbox(try await lab.register())
            try await submit(lab, pending + 1)
            // One delivery waits for another try, tomorrow.
            _ = try await lab.pool.query(
                """
                UPDATE deliveries SET run_at = now() + interval '1 day' WHERE delivery_no = (
                    SELECT max(delivery_no) FROM deliveries HAVING count(*) > 1)
                """)
            try await submit(lab, to: "https://hooks.example/b")
            let due = try await outbox.claim(each: 1, total: 9).due
            let gone = try await answerGone(outbox, due)
            #expect(gone.map(\.url) == [RestTests.gone])
            #expect(gone.map(\.ended) == [Int64(pending)])
            #expect(try await states(lab) == [3] + Array(repeating: 4, count: pending) + [0])
            #expect(
                try await lab.number(
                    """
                    SELECT count(*) FROM deliveries
                    WHERE state >= 3 AND last_error IS NOT NULL AND finished_at IS NOT NULL
                    """) == Int64(pending + 1))
            let left = try await outbox.claim(each: 16, total: 64)
            #expect(left.due.map(\.url) == ["https://hooks.example/b"])
            #expect(left.ended == 0)
        }
    }

    @Test func deliveriesAreAbandonedForADayAfter410() async throws {
        try await StoreLab.with { lab in
            let outbox = lab.outbox(try await lab.register())
            try await submit(lab)
            let gone = try await answerGone(outbox, try await outbox.claim(each: 1, total: 1).due)
            let until = try #require(gone.first).until
            let now = try await lab.now()
            #expect(until > now + .seconds(86_000) && until < now + .seconds(86_500))
            let resting = lab.downloads.restingReceivers
            #expect(try await resting.list(app: 1).map(\.url) == [RestTests.gone])
            #expect(try await resting.list(app: 2).isEmpty)
            try await submit(lab, 3)
            let claimed = try await outbox.claim(each: 16, total: 64)
            #expect(claimed.due.isEmpty && claimed.ended == 3)
            #expect(try await states(lab) == [3, 4, 4, 4])
            #expect(
                try await lab.number("SELECT count(*) FROM deliveries WHERE attempt > 0") == 1)
            _ = try await lab.pool.query(
                """
                UPDATE webhook_rests SET since = since - interval '1 day',
                    until = until - interval '1 day'
                """)
            #expect(try await resting.list(app: 1).isEmpty)
            try await submit(lab)
            let due = try await outbox.claim(each: 16, total: 64).due
            #expect(due.count == 1)
            // The receiver is gone again: its pause starts again.
            let again = try #require(try await answerGone(outbox, due).first)
            #expect(again.until >= until)
            let since = try #require(try await resting.list(app: 1).first).since
            #expect(since > now)
            #expect(try await resting.forgetOld(limit: 9) == 0)
            _ = try await lab.pool.query("UPDATE webhook_rests SET until = '-infinity'")
            #expect(try await resting.forgetOld(limit: 9) == 1)
        }
    }

    @Test func deliveriesOfOtherAppsAreKept() async throws {
        try await StoreLab.with { lab in
            let outbox = lab.outbox(try await lab.register())
            let other = try await otherApp(lab)
            try await submit(lab, 2)
            try await submit(lab, 2, session: other)
            let due = try await outbox.claim(each: 1, total: 1).due
            #expect(due.count == 1)
            #expect(try await answerGone(outbox, due).first?.ended == 1)
            #expect(try await states(lab) == [3, 4, 0, 0])
            try await submit(lab)
            try await submit(lab, session: other)
            let claimed = try await outbox.claim(each: 16, total: 64)
            #expect(claimed.due.count == 3 && claimed.ended == 1)
        }
    }

    @Test func runningDeliveryEndsByItsOwnAnswer() async throws {
        try await StoreLab.with { lab in
            let outbox = lab.outbox(try await lab.register())
            try await submit(lab, 3)
            let due = try await outbox.claim(each: 3, total: 3).due
            _ = try await answerGone(outbox, [due[0]])
            #expect(try await states(lab) == [3, 1, 1])
            try await outbox.record([
                due[1].ended(isDelivered: true), due[2].ended(isDelivered: false, again: .epoch),
            ])
            #expect(try await states(lab) == [3, 2, 0])
            #expect(try await outbox.claim(each: 3, total: 3).ended == 1)
            #expect(try await states(lab) == [3, 2, 4])
        }
    }

    @Test func lateAnswerOfAnEarlierTryIsIgnored() async throws {
        try await StoreLab.with { lab in
            let outbox = lab.outbox(try await lab.register())
            try await submit(lab)
            let due = try await outbox.claim(each: 1, total: 1).due
            _ = try await lab.pool.query(
                "UPDATE deliveries SET state = 0, replica_no = NULL, fence = fence + 1")
            #expect(try await answerGone(outbox, due).isEmpty)
            #expect(try await lab.downloads.restingReceivers.list(app: 1).isEmpty)
            #expect(try await states(lab) == [0])
        }
    }
}
