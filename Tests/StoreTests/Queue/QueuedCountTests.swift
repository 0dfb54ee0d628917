// The number of an app's live downloads is a sum that every statement keeps.
import Downloads
import Postgres
import Store
import Testing

@Suite struct QueuedCountTests {
    @Test func countFollowsEachChange() async throws {
        try await StoreLab.with { lab in
            func queued() async throws -> Int64 { try await lab.downloads.queue.queued(app: 1) }
            #expect(try await queued() == 0)
            let ids = try await lab.submit(4)
            #expect(try await queued() == 4)
            let ledger = try await lab.register()
            let claims = try await lab.claim(ledger, total: 2)
            #expect(try await queued() == 4, "what runs counts as well")
            _ = try await ledger.finish([
                lab.end(claims[0], .succeeded), lab.end(claims[1], .retryScheduled),
            ])
            #expect(try await queued() == 3)
            let left = ids.filter { $0 != claims[0].download.id && $0 != claims[1].download.id }
            _ = try await lab.downloads.perform(.cancel, on: left[0], app: 1)
            #expect(try await queued() == 2)
            _ = try await lab.downloads.perform(.retry, on: left[0], app: 1)
            #expect(try await queued() == 3)
            _ = try await lab.pool.query(
                "UPDATE queue SET deadline = clock_timestamp() WHERE id = $1",
                [UUIDValue(left[1])])
            #expect(try await lab.downloads.expire(limit: 10) == 1)
            #expect(try await queued() == 2)
            while try await lab.downloads.queue.sumQueued(limit: 3) > 0 {}
            #expect(try await queued() == 2)
            #expect(try await lab.number("SELECT count(*) FROM queued_counts") == 1)
            #expect(try await lab.downloads.queue.auditQueued() == 0)
        }
    }

    @Test func auditSetsAWrongCountRight() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(3)
            for change in [-2, 5] {
                _ = try await lab.pool.query(
                    "INSERT INTO queued_counts VALUES (1, $1), (77, 1)", [Int64(change)])
                #expect(try await lab.downloads.queue.auditQueued() == 2)
                #expect(try await lab.downloads.queue.queued(app: 1) == 3)
                #expect(try await lab.downloads.queue.queued(app: 77) == 0)
            }
        }
    }
}
