// Downloads that are retried after their end.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct RetryTests {
    @Test func retryRaisesTheFence() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            let id = claim.download.id
            _ = try await ledger.finish([lab.end(claim, .failed)])
            let outcome = try await lab.downloads.perform(.retry, on: id, app: 1)
            guard case .done(let record, nil) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(record.download.state == .waiting && record.download.completedAt == nil)
            #expect(record.download.attempt == 1)
            // A late end of the first run changes nothing.
            #expect(try await ledger.finish([lab.end(claim, .succeeded)]).isEmpty)
            let second = try #require(await lab.claim(ledger).first)
            #expect(second.download.id == id && second.fence > claim.fence)
            #expect(second.download.attempt == 2)
            #expect(try await ledger.finish([lab.end(second, .succeeded)]) == [id])
            #expect(try await lab.find(id)?.download.state == .succeeded)
            #expect(try await lab.wrongGates() == 0)
            let attempts = try #require(await lab.downloads.attempts(of: id, app: 1))
            #expect(attempts.map(\.number) == [1, 2])
            #expect(attempts.map(\.outcome) == ["failed", "succeeded"])
            #expect(try await lab.downloads.attempts(of: id, app: 2) == nil)
        }
    }

    @Test func concurrentRetriesRestartOnce() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.submit()[0]
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        let outcome = try await lab.downloads.perform(.retry, on: id, app: 1)
                        guard case .done = outcome else {
                            Issue.record("\(outcome)")
                            return
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await lab.number("SELECT count(*) FROM queue") == 1)
            #expect(try await lab.events(of: id) == [.created, .canceled, .waiting])
        }
    }

    @Test func retryOfAWaitingDownloadEndsItsBackoff() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            var run = lab.end(claim, .retryScheduled)
            run.runAt = Timestamp(seconds: 4_000_000_000)
            _ = try await ledger.finish([run])
            #expect(try await lab.claim(ledger).isEmpty)
            _ = try await lab.downloads.perform(.retry, on: claim.download.id, app: 1)
            #expect(try await lab.claim(ledger).count == 1)
        }
    }
}
