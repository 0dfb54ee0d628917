// Ends are recorded together, and an end that the database refuses does not harm the others.
import Base
import Content
import Downloads
import Scheduling
import Store
import Support
import Testing
import Trees

@testable import Worker

@Suite struct RecorderTests {
    @Test func unrecordableEndFailsAlone() async throws {
        try await Replica.with({ _ in [] }, isRunning: false) { replica, origin in
            let ids = try await (0..<9).asyncMap { _ in try await replica.submit(origin.url()) }
            let heads = try await replica.ledger.lanes().page
                .heads
            let claims = try await replica.ledger.claim(
                ClaimOrder(heads.map { LaneQuota(head: $0, count: 100) }, total: 100),
                limits: PolicyLimits(running: 100, perOrigin: 100, perSession: 100)
            ).runs
            #expect(claims.count == 9)
            let recorder = await replica.worker.recorder
            let ledger = replica.ledger
            await withTaskGroup(of: Void.self) { group in
                for claim in claims {
                    var run = RunRecord(
                        claim, outcome: .suspended, event: .suspended, at: claim.claimedAt)
                    run.outcome = .attentionRequired
                    run.event = .attentionRequired
                    run.download.state = .attentionRequired
                    if claim.download.id == ids[4] {
                        run.download.result.currentURL = "a\u{0}b"
                    }
                    let end = PendingRecord(
                        finished: run, body: nil, attempt: replica.lab.attempt(claim),
                        ledger: ledger, hasWebhook: false)
                    group.addTask { await recorder.record(end) }
                }
            }
            for id in ids {
                let download = try await replica.find(id).download
                #expect(download.state == (id == ids[4] ? .failed : .attentionRequired))
            }
            let failed = try await replica.find(ids[4]).download
            #expect(failed.result["error"]?["code"] == "cannot_record")
            #expect(try await replica.number("SELECT sum(running) FROM gates") == 0)
        }
    }

    @Test func endUnderAnotherRegistrationIsRefusedAlone() async throws {
        try await Replica.with({ _ in [] }, isRunning: false) { replica, origin in
            _ = try await replica.submit(origin.url())
            let heads = try await replica.ledger.lanes().page
                .heads
            let claim = try #require(
                await replica.ledger.claim(
                    ClaimOrder(heads.map { LaneQuota(head: $0, count: 1) }, total: 1),
                    limits: PolicyLimits(running: 9, perOrigin: 9, perSession: 9)
                ).runs.first)
            try await replica.ledger.unregister()
            let attempt = replica.lab.attempt(claim)
            let file = try replica.lab.store.create(attempt.writer.name)
            try file.write([1, 2, 3], at: 0)
            var run = RunRecord(
                claim, outcome: .succeeded, event: .succeeded, at: claim.claimedAt)
            run.download.state = .succeeded
            await replica.worker.recorder.record(
                PendingRecord(
                    finished: run,
                    body: CompleteBody(
                        file: CompletedPart(part: file, length: 3), sha256: sha256([1, 2, 3]),
                        isLengthVerified: true, head: nil),
                    attempt: attempt, ledger: replica.ledger, hasWebhook: false))
            #expect(try replica.lab.files().isEmpty, "what was published is nobody's")
            #expect(try await replica.find(claim.download.id).download.state == .waiting)
        }
    }
}
