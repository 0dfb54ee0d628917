// Receivers of webhooks as rows: the rows that a look reads, the pause of a silent receiver, and
// deliveries that are never lost.
import Base
import Downloads
import Postgres
import Synchronization
import Testing

@testable import Store

@Suite struct ReceiverTests {
    private func hook(_ receiver: String) -> JSONObject {
        ["webhook_url": .string(receiver), "webhook_events": ["download.created"]]
    }

    private func record(
        _ due: DueDelivery, at next: Timestamp?, isSilent: Bool
    ) -> DeliveryRecord {
        var record = DeliveryRecord(
            number: due.number, receiver: due.receiver, fence: due.fence, nextAt: next,
            isDelivered: !isSilent, status: isSilent ? nil : 204, error: nil)
        record.isSilent = isSilent
        return record
    }

    @Test func receiverIsSchemeHostAndPort() async throws {
        try await StoreLab.with { lab in
            for (url, receiver) in [
                ("https://a.example", "https://a.example:443"),
                ("https://a.example:443/x?y", "https://a.example:443"),
                ("HTTPS://A.Example/x", "https://a.example:443"),
                ("http://a.example?x=1", "http://a.example:80"),
                ("http://a.example:8080#f", "http://a.example:8080"),
                ("http://user:p%40ss@a.example/x", "http://a.example:80"),
                ("http://[2001:db8::1]:81/x", "http://[2001:db8::1]:81"),
                ("http://[2001:db8::1]/x", "http://[2001:db8::1]:80"),
                ("no url", "no url"),
            ] {
                let found = try await lab.pool.query("SELECT lull_receiver($1)", [url])[0]
                #expect(try found.get(0, as: String.self) == receiver)
            }
        }
    }

    @Test func deliveriesComeUpToTheQuotaOfEachReceiverOldestFirst() async throws {
        try await StoreLab.with { lab in
            for receiver in ["https://a.example/x", "https://b.example"] {
                try await lab.submit(4, hook(receiver))
            }
            let outbox = lab.outbox(try await lab.register())
            let due = try await outbox.due(full: [], limit: 10).list
            #expect(due.count == 2 && due.allSatisfy { $0.standing == .untried })
            #expect(due[0].dueAt <= due[1].dueAt)
            let grants = [
                DeliveryPlaces.Grant(receiver: due[0].number, count: 3),
                DeliveryPlaces.Grant(receiver: due[1].number, count: 9),
            ]
            let first = try await outbox.claim(grants).due
            #expect(first.filter { $0.receiver == due[0].number }.map(\.number) == [1, 2, 3])
            #expect(first.filter { $0.receiver == due[1].number }.map(\.number) == [5, 6, 7, 8])
            // The second receiver has nothing more; the first is named as full here.
            #expect(try await outbox.due(full: [], limit: 10).list.map(\.number) == [due[0].number])
            #expect(try await outbox.due(full: [due[0].number], limit: 10).list.isEmpty)
        }
    }

    /// The cost of a look is counted in rows, not in time: 100,000 receivers of which none, or one,
    /// is due.
    @Test func lookReadsDueReceiversOnly() async throws {
        try await StoreLab.with { lab in
            try await lab.pool.script(
                """
                INSERT INTO receivers (receiver, next_at, standing)
                    SELECT 'http://r' || n || '.example:80',
                        CASE WHEN n % 2 = 0 THEN 'infinity'::timestamptz
                            ELSE clock_timestamp() + interval '1 day' END, n % 3
                    FROM generate_series(1, 100000) n;
                """)
            let outbox = lab.outbox(try await lab.register())
            // The cost is measured without statistics, with them, and after the sixth call's
            // generic plan.
            for isAnalyzed in [false, true] {
                if isAnalyzed { try await lab.pool.script("ANALYZE receivers") }
                #expect(try await outbox.due(full: [], limit: 256).list.isEmpty)
                // The first call reads the catalog; the sixth may have another plan.
                let blocks = try await ReceiverTests.blocks(
                    "SELECT * FROM lull_due_receivers('{}', 256)", calls: 8, lab
                ).dropFirst()
                #expect(blocks.allSatisfy { $0 < 30 }, "\(blocks)")
            }
            let next = try #require(try await outbox.nextDue())
            #expect(next > .seconds(80_000))
            try await lab.pool.script(
                "UPDATE receivers SET next_at = '-infinity' WHERE receiver_no IN (70001, 5, 6)")
            #expect(try await outbox.due(full: [], limit: 256).list.count == 3)
            #expect(try await outbox.due(full: [5], limit: 256).list.count == 2)
        }
    }

    /// 50,000 deliveries that are not due do not make a claim read more.
    @Test func claimReadsDueDeliveriesOnly() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.submit(1, hook("http://a.example"))[0]
            _ = try await lab.pool.query(
                """
                INSERT INTO deliveries (app_no, receiver_no, download_id, sequence, run_at, url)
                SELECT 1, 1, $1, 1, clock_timestamp() + n * interval '1 second', 'http://a.example'
                FROM generate_series(1000, 50999) n
                """, [UUIDValue(id)])
            let ledger = try await lab.register()
            let sql = """
                SELECT * FROM lull_claim_deliveries(\(ledger.replica), '{1,2,3}', '{9,9,9}')
                """
            // The first call reads the catalog; the sixth may have another plan.
            let blocks = try await ReceiverTests.blocks(sql, calls: 8, lab).dropFirst()
            #expect(blocks.allSatisfy { $0 < 150 }, "\(blocks)")
        }
    }

    /// The number of blocks that each of several calls on one connection looks at.
    private static func blocks(
        _ sql: String, calls: Int, _ lab: StoreLab
    ) async throws -> [Int64] {
        let plans = try await lab.pool.transaction { transaction throws(PostgresError) in
            var plans: [String] = []
            for _ in 0..<calls {
                let rows = try await transaction.query(
                    "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) \(sql)")
                plans.append(try rows[0].get(0))
            }
            return plans
        }
        return try plans.map { plan in
            let top = try #require(try JSON.parse(Array(plan.utf8))[0]?["Plan"])
            let hit = try #require(top["Shared Hit Blocks"]?.integerValue)
            return hit + (top["Shared Read Blocks"]?.integerValue ?? 0)
        }
    }

    @Test func theRowsBreakerIsThatOfCore() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(12, hook("http://a.example"))
            let outbox = lab.outbox(try await lab.register())
            var breaker = ReceiverBreaker()
            for step in 0..<12 {
                _ = try await lab.pool.script(
                    "UPDATE receivers SET next_at = '-infinity', half_open_at = '-infinity'")
                let due = try #require(
                    await outbox.claim([.init(receiver: 1, count: 1)]).due.first)
                let isSilent = step != 9
                let before = try await lab.now()
                try await outbox.record([
                    record(due, at: isSilent ? before + .seconds(3600) : nil, isSilent: isSilent)
                ])
                breaker.record(answered: isSilent ? 0 : 1, silent: isSilent ? 1 : 0, at: before)
                let row = try await lab.pool.query(
                    "SELECT silent_tries, half_open_at, standing, next_at FROM receivers")[0]
                #expect(try row.get(0, as: Int32.self) == Int32(breaker.silentTries))
                let halfOpen = try row.get(1, as: TimestampValue.self).timestamp
                if let expected = breaker.halfOpenAt {
                    #expect(abs((halfOpen - expected).wholeMicroseconds) < 5_000_000)
                    #expect(try row.get(3, as: TimestampValue.self).timestamp >= halfOpen)
                    #expect(try await outbox.due(full: [], limit: 9).list.isEmpty)
                } else {
                    #expect(try await outbox.due(full: [], limit: 9).list.count == 1)
                }
                let standing = ReceiverStanding(rawValue: try row.get(2))
                #expect(standing == (isSilent ? .silent : .answering))
            }
        }
    }

    /// A delivery that comes while the breaker is open waits with the others.
    @Test func newDeliveryDoesNotCloseTheBreaker() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(3, hook("http://a.example"))
            let outbox = lab.outbox(try await lab.register())
            let due = try await outbox.claim(each: 3, total: 3).due
            let later = try await lab.now() + .seconds(1)
            try await outbox.record(due.map { record($0, at: later, isSilent: true) })
            try await lab.submit(2, hook("http://a.example"))
            #expect(try await outbox.due(full: [], limit: 9).list.isEmpty)
            let wait = try #require(try await outbox.nextDue())
            #expect(wait > .seconds(2) && wait <= .seconds(5))
        }
    }

    @Test func whatWaitsLongerThanTheScheduleForASilentReceiverIsGivenUp() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(5, hook("http://a.example"))
            let outbox = lab.outbox(try await lab.register())
            let due = try await outbox.claim(each: 3, total: 3).due
            _ = try await lab.pool.query(
                "UPDATE deliveries SET run_at = run_at - interval '2 days' WHERE delivery_no = 4")
            let later = try await lab.now() + .seconds(60)
            let effects = try await outbox.record(
                due.map { record($0, at: later, isSilent: true) }, lifetime: .seconds(86_400))
            #expect(effects.overdue == 1)
            let states = try await lab.pool.query(
                "SELECT state FROM deliveries ORDER BY delivery_no"
            ).map { try $0.get(0, as: Int16.self) }
            #expect(states == [0, 0, 0, 3, 0])
        }
    }

    /// Deliveries are written while their receiver is settled, by many connections at once: none is
    /// stranded.
    @Test func deliveryWrittenBesideASettlingClaimIsFound() async throws {
        try await StoreLab.with { lab in
            let outbox = lab.outbox(try await lab.register())
            let isWritten = Mutex(false)
            async let written: Void = withThrowingTaskGroup(of: Void.self) { group in
                defer { isWritten.withLock { $0 = true } }
                for url in ["http://a.example", "http://a.example/b"] {
                    group.addTask {
                        for _ in 0..<60 { try await lab.submit(1, self.hook(url)) }
                    }
                }
                try await group.waitForAll()
            }
            var count = 0
            func send() async throws -> Bool {
                let due = try await outbox.claim(each: 5, total: 9).due
                count += due.count
                try await outbox.record(due.map { self.record($0, at: nil, isSilent: false) })
                return !due.isEmpty
            }
            while !isWritten.withLock(\.self) { _ = try await send() }
            try await written
            // All deliveries are committed, so each claim finds some until none is left.
            while try await send() {}
            #expect(count == 120)
            #expect(try await lab.number("SELECT count(*) FROM receivers") == 1)
        }
    }

    @Test func releasedDeliveriesAreDueAgain() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(3, hook("http://a.example"))
            let ledger = try await lab.register()
            #expect(try await lab.outbox(ledger).claim(each: 9, total: 9).due.count == 3)
            try await ledger.unregister()
            let outbox = lab.outbox(try await lab.register())
            #expect(try await outbox.claim(each: 9, total: 9).due.count == 3)
        }
    }

    @Test func receiversWithoutDeliveriesAreRemoved() async throws {
        try await StoreLab.with { lab in
            for name in ["a", "b", "c", "d"] {
                try await lab.submit(1, hook("http://\(name).example"))
            }
            let outbox = lab.outbox(try await lab.register())
            let due = try await outbox.claim(each: 9, total: 9).due
            // Delivery a is delivered, b waits for another try, c is being sent.
            try await outbox.record([
                record(due[0], at: nil, isSilent: false), record(due[3], at: nil, isSilent: false),
                record(due[1], at: try await lab.now() + .seconds(60), isSilent: true),
            ])
            _ = try await outbox.due(full: [], limit: 9)
            let history = History(pool: lab.pool)
            let none = try await history.forgetReceivers(
                after: nil, olderThan: .seconds(60), limit: 9)
            #expect(none.removed == 0)
            let step = try await history.forgetReceivers(after: nil, olderThan: .zero, limit: 3)
            #expect(step.removed == 1 && step.last == 3)
            let rest = try await history.forgetReceivers(
                after: step.last, olderThan: .zero, limit: 3)
            #expect(rest.removed == 1 && rest.last == 4)
            let left = try await lab.pool.query("SELECT receiver FROM receivers ORDER BY 1")
                .map { try $0.get(0, as: String.self) }
            #expect(left == ["http://b.example:80", "http://c.example:80"])
            try await lab.submit(1, hook("http://a.example"))
            #expect(try await outbox.claim(each: 9, total: 9).due.count == 1)
        }
    }
}
