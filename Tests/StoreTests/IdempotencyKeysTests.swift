// Idempotency keys in the store: they belong to one app, for a day.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct IdempotencyKeysTests {
    private func key(_ hash: UInt64, _ print: UInt64 = 1, app: Int64 = 1) -> IdempotencyKey {
        IdempotencyKey(
            app: app, hash: Identifier(high: 0, low: hash),
            fingerprint: Identifier(high: 0, low: print))
    }

    private let answer = StoredAnswer(status: 201, headers: ["ETag": "W/\"1\""], body: "{\"a\":1}")

    @Test func idempotencyKeyCommitsWithItsDownload() async throws {
        try await StoreLab.with { lab in
            let intake = Intake(pool: lab.pool)
            var new = try lab.draft()
            let accepted = Timestamp(seconds: 1_790_000_001)
            new.acceptedAt = accepted
            #expect(try await intake.submit(new, idempotency: KeyedAnswer(key(7), answer)) == .mine)
            #expect(try await lab.find(new.download.id)?.download.createdAt == accepted)
            var second = new
            second.download.id = StoreLab.identifier()
            #expect(
                try await intake.submit(second, idempotency: KeyedAnswer(key(7), answer))
                    == .answered(answer))
            #expect(
                try await intake.submit(second, idempotency: KeyedAnswer(key(7, 2), answer))
                    == .reused)
            #expect(try await lab.number("SELECT count(*) FROM downloads") == 1)
            #expect(try await lab.number("SELECT count(*) FROM events") == 1)
            // One key of two apps is two keys.
            second.app = 2
            #expect(
                try await intake.submit(second, idempotency: KeyedAnswer(key(7, app: 2), answer))
                    == .mine)
        }
    }

    @Test func concurrentProcessesCreateOne() async throws {
        try await StoreLab.with { lab in
            let claims = try await withThrowingTaskGroup(of: KeyClaim.self) { group in
                for _ in 0..<8 {
                    let new = try lab.draft()
                    group.addTask {
                        try await Intake(pool: lab.pool).submit(
                            new, idempotency: KeyedAnswer(key(9), answer))
                    }
                }
                return try await group.reduce(into: [KeyClaim]()) { $0.append($1) }
            }
            #expect(claims.count { $0 == .mine } == 1)
            #expect(claims.count { $0 == .answered(answer) } == 7)
            #expect(try await lab.number("SELECT count(*) FROM queue") == 1)
        }
    }

    @Test func oneCommitMixesKeyedAndUnkeyedCreates() async throws {
        try await StoreLab.with { lab in
            // Another process already has the key 0.
            let first = try lab.draft()
            _ = try await Intake(pool: lab.pool).submit(
                first, idempotency: KeyedAnswer(key(0), answer))
            let intake = Intake(pool: lab.pool, writers: 1)
            let drafts = try (0..<40).map { _ in try lab.draft() }
            let claims = try await withThrowingTaskGroup(of: KeyClaim?.self) { group in
                for (place, new) in drafts.enumerated() {
                    group.addTask {
                        guard place % 4 == 0 else {
                            _ = try await intake.submit(new)
                            return nil
                        }
                        let once = KeyedAnswer(key(UInt64(place)), answer)
                        return try await intake.submit(new, idempotency: once)
                    }
                }
                return try await group.reduce(into: [KeyClaim?]()) { $0.append($1) }
            }
            #expect(claims.count { $0 == nil } == 30)
            #expect(claims.count { $0 == .mine } == 9)
            #expect(claims.count { $0 == .answered(answer) } == 1)
            #expect(try await lab.find(drafts[0].download.id) == nil)
            for table in ["downloads", "queue", "events"] {
                #expect(try await lab.number("SELECT count(*) FROM \(table)") == 40)
            }
        }
    }

    @Test func oldKeysAreRemoved() async throws {
        try await StoreLab.with { lab in
            let keys = lab.downloads.idempotencyKeys
            for number in 1...3 as ClosedRange<UInt64> {
                #expect(try await keys.take(key(number)) == .mine)
            }
            #expect(try await keys.forgetOld(limit: 10) == 0)
            _ = try await lab.pool.query(
                "UPDATE idempotency_keys SET created_at = created_at - interval '25 hours'")
            #expect(try await keys.take(key(4)) == .mine)
            #expect(try await keys.forgetOld(limit: 2) == 2)
            #expect(try await keys.forgetOld(limit: 2) == 1)
            #expect(try await keys.find(key(4)) == .inProgress)
        }
    }
}
