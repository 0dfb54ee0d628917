// Statements whose answer is lost after their commit, and rows that cannot be read: nothing stays
// held, and no other download is harmed.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Support
import Testing

@Suite struct LostAnswerTests {
    /// Runs a body over a link that loses the first answers to statements with a word.
    private func losing(
        _ word: String, times: Int = 1, in lab: StoreLab,
        _ body: (ConnectionPool) async throws -> Void
    ) async throws {
        let link = try DatabaseLink(to: lab.url)
        defer { link.close() }
        link.follow { [weak link] statement in
            guard statement.contains(word), (link?.lost ?? times) < times else { return .pass }
            return .loseAnswer
        }
        let pool = ConnectionPool(url: link.url, size: 2)
        try await body(pool)
        #expect(link.lost == times)
        await pool.close()
    }

    private static let hook: JSONObject = [
        "webhook_url": "https://hooks.example/a", "webhook_events": ["download.*"],
    ]

    @Test(arguments: [false, true])
    func createWithALostAnswerIsLookedUp(hasKey: Bool) async throws {
        try await StoreLab.with { lab in
            try await losing("INSERT INTO download_requests", in: lab) { pool in
                let new = try lab.draft()
                let intake = Intake(pool: pool)
                if hasKey {
                    let key = IdempotencyKey(
                        app: 1, hash: StoreLab.identifier(), fingerprint: StoreLab.identifier())
                    let answer = StoredAnswer(status: 201, headers: JSONObject(), body: "{}")
                    let once = KeyedAnswer(key, answer)
                    #expect(try await intake.submit(new, idempotency: once) == .mine)
                    #expect(try await intake.submit(new, idempotency: once) == .answered(answer))
                } else {
                    let accepted = try await intake.submit(new)
                    let stored = try #require(await lab.find(new.download.id)).download
                    #expect(stored.createdAt == accepted)
                }
                #expect(try await lab.number("SELECT count(*) FROM downloads") == 1)
            }
        }
    }

    @Test func keyWithALostAnswerBelongsToItsRequest() async throws {
        try await StoreLab.with { lab in
            let key = IdempotencyKey(
                app: 1, hash: StoreLab.identifier(), fingerprint: StoreLab.identifier())
            let answer = StoredAnswer(status: 200, headers: JSONObject(), body: "{}")
            try await losing("INSERT INTO idempotency_keys", times: 2, in: lab) { pool in
                #expect(try await IdempotencyKeys(pool: pool).take(key) == .mine)
                let other = try await IdempotencyKeys(pool: lab.pool).take(key)
                #expect(other == .inProgress, "another request has another name")
            }
            try await losing("DELETE FROM idempotency_keys", in: lab) { pool in
                try await IdempotencyKeys(pool: pool).release(key)
                #expect(try await IdempotencyKeys(pool: pool).take(key) == .mine)
            }
            try await losing("UPDATE idempotency_keys", in: lab) { pool in
                try await IdempotencyKeys(pool: pool).finish(key, with: answer)
                #expect(try await IdempotencyKeys(pool: pool).take(key) == .answered(answer))
            }
        }
    }

    @Test func lostDeliveryClaimIsReleasedWithoutATry() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(5, Self.hook)
            let ledger = try await lab.register()
            let sent = try await lab.outbox(ledger).claim(each: 2, total: 2).due.map(\.number)
            try await losing("lull_claim_deliveries", in: lab) { pool in
                let outbox = Outbox(
                    pool: pool, registration: Registration(replica: ledger.replica))
                await expectFailure(.unavailable) { () throws(StoreError) in
                    _ = try await outbox.claim(each: 100, total: 100)
                }
                #expect(
                    try await lab.number("SELECT count(*) FROM deliveries WHERE state = 1") == 5)
                #expect(try await outbox.releaseUnknown(known: sent) == 3)
                #expect(try await outbox.releaseUnknown(known: sent) == 0)
                let due = try await outbox.claim(each: 100, total: 100).due
                #expect(due.count == 3 && due.allSatisfy { $0.attempt == 1 && $0.fence > 1 })
                let other = lab.outbox(try await lab.register())
                #expect(try await other.releaseUnknown(known: []) == 0, "not its own")
            }
        }
    }

    /// A change that makes a row of a live download unreadable, and whether its download must then
    /// end.
    private static let poisons: [(sql: String, isFatal: Bool)] = [
        ("DELETE FROM download_requests WHERE id = $1", true),
        ("UPDATE download_requests SET spec = '[]' WHERE id = $1", true),
        ("UPDATE download_requests SET spec = '7' WHERE id = $1", true),
        ("UPDATE queue SET resume = '[1]' WHERE id = $1", true),
        ("UPDATE queue SET resume = '{\"offset\": \"x\", \"fence\": \"y\"}' WHERE id = $1", false),
        ("UPDATE queue SET resume = '{\"offset\": 1e40, \"fence\": 1e40}' WHERE id = $1", false),
        (
            """
            UPDATE download_requests SET spec = spec || '{"max_bytes_per_second": "x"}'
            WHERE id = $1
            """,
            false
        ),
        (
            """
            UPDATE download_requests SET spec = spec || '{"max_bytes_per_second": 1e40}'
            WHERE id = $1
            """,
            false
        ),
    ]

    @Test(arguments: poisons.indices)
    func unreadableRowFailsAlone(place: Int) async throws {
        let poison = Self.poisons[place]
        try await StoreLab.with { lab in
            let ids = try await lab.submit(3, Self.hook)
            _ = try await lab.pool.query(poison.sql, [UUIDValue(ids[1])])
            let ledger = try await lab.register()
            let heads = try await ledger.lanes().page.heads
            let answer = try await ledger.claim(
                ClaimOrder(heads.map { LaneQuota(head: $0, count: 10) }, total: 10),
                limits: StoreLab.limits,
                room: 1 << 40)
            let readable = poison.isFatal ? [ids[0], ids[2]] : ids
            #expect(Set(answer.runs.map(\.download.id)) == Set(readable))
            #expect(
                answer.unreadable.map(\.finished.download.id) == (poison.isFatal ? [ids[1]] : []))
            #expect(
                try await ledger.finish(answer.unreadable.map(\.finished)).count
                    == answer.unreadable.count)
            // Statements that look at all downloads still work.
            _ = try await ledger.rateCensus(sessions: [1], origins: [], downloads: ids)
            _ = try await ledger.owners(of: ids, instance: StoreLab.identifier())
            let now = try await lab.now()
            #expect(try await ledger.releaseUnknownRuns(known: readable, claimedBefore: now) == 0)
            let claim = try await lab.outbox(ledger).claim(each: 100, total: 100)
            let events = claim.due.count + claim.unreadable.count
            #expect(events == (poison.isFatal ? 7 : 6), "created, started and one failed")
            for run in answer.runs {
                #expect(try await ledger.finish([lab.end(run, .failed)]).count == 1)
            }
            #expect(try await lab.number("SELECT count(*) FROM queue") == 0)
            #expect(try await lab.wrongGates() == 0)
        }
    }

    @Test(arguments: poisons.indices)
    func unreadableRowExpires(place: Int) async throws {
        try await StoreLab.with { lab in
            let ids = try await lab.submit(3, Self.hook)
            _ = try await lab.pool.query(Self.poisons[place].sql, [UUIDValue(ids[1])])
            _ = try await lab.pool.query("UPDATE queue SET deadline = '-infinity'")
            #expect(try await lab.downloads.expire(limit: 100) == 3)
            #expect(try await lab.downloads.expire(limit: 100) == 0)
            #expect(try await lab.number("SELECT count(*) FROM queue") == 0)
            for id in ids { #expect(try await lab.events(of: id) == [.created, .failed]) }
        }
    }

    @Test(arguments: [
        "UPDATE events SET type = 99 WHERE download_id = $1",
        "UPDATE download_requests SET spec = '[]' WHERE id = $1",
    ])
    func unreadableEventFailsAlone(poison: String) async throws {
        try await StoreLab.with { lab in
            let ids = try await lab.submit(3, Self.hook)
            _ = try await lab.pool.query(poison, [UUIDValue(ids[1])])
            let claim = try await lab.outbox(lab.register()).claim(each: 100, total: 100)
            #expect(claim.due.count == 2)
            #expect(claim.unreadable.map(\.subject) == [ids[1]])
        }
    }
}
