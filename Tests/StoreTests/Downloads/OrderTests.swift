// Clients' orders to running downloads: each is carried out however the attempt ends.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct OrderTests {
    @Test(arguments: [
        (DownloadAction.cancel, RunOutcome.retryScheduled, DownloadState.canceled),
        (.cancel, .suspended, .canceled), (.cancel, .canceled, .canceled),
        (.cancel, .succeeded, .succeeded), (.cancel, .failed, .failed),
        (.cancel, .attentionRequired, .canceled),
        (.suspend, .retryScheduled, .suspended), (.suspend, .suspended, .suspended),
        (.suspend, .succeeded, .succeeded), (.suspend, .failed, .failed),
        (.suspend, .attentionRequired, .attentionRequired),
    ])
    func anOrderHolds(
        action: DownloadAction, outcome: RunOutcome, state: DownloadState
    ) async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running([
                "webhook_url": "https://hooks.example/a", "webhook_events": ["download.*"],
            ])
            let id = claim.download.id
            guard
                case .done(let record, let order) = try await lab.downloads.perform(
                    action, on: id, app: 1)
            else {
                Issue.record("not done")
                return
            }
            #expect(order == (action == .cancel ? .cancel : .suspend))
            #expect(record.download.state == (action == .cancel ? .canceling : .running))
            #expect(try await lab.state(of: id) == record.download.state)
            let beat = try await ledger.heartbeat(lease: .seconds(60))
            #expect(beat.orders.map(\.id) == [id])
            #expect(beat.orders.map(\.order) == [order])

            #expect(try await ledger.finish([lab.end(claim, outcome)]) == [id])
            #expect(try await lab.state(of: id) == state)
            #expect(try await lab.events(of: id).last?.stateAfter == state)
            #expect(try await ledger.heartbeat(lease: .seconds(60)).orders.isEmpty)
            #expect(try await lab.number("SELECT count(*) FROM queue WHERE control <> 0") == 0)
            #expect(try await lab.wrongGates() == 0)
            let told = try await lab.outbox(ledger)
                .claim(each: 10, total: 10).due.max { $0.number < $1.number }
            #expect(try told?.data["state"] == .string(state.rawValue))
            #expect(try told?.data["sequence"] == 3)
        }
    }

    @Test func revokedSuspendIsDropped() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            let id = claim.download.id
            _ = try await lab.downloads.perform(.suspend, on: id, app: 1)
            _ = try await lab.downloads.perform(.resume, on: id, app: 1)
            // The replica had heard of the suspend and stopped.
            #expect(try await ledger.finish([lab.end(claim, .suspended)]) == [id])
            #expect(try await lab.state(of: id) == .waiting)
            #expect(try await lab.events(of: id).last == .waiting)
            #expect(try await lab.claim(ledger).map(\.download.id) == [id])
        }
    }

    @Test func resumeAndSuspendDoNotRevokeACancel() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            let id = claim.download.id
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
            for action in [DownloadAction.resume, .suspend] {
                guard
                    case .impossible(.canceling) = try await lab.downloads.perform(
                        action, on: id, app: 1)
                else {
                    Issue.record("\(action) was done")
                    continue
                }
            }
            _ = try await ledger.finish([lab.end(claim, .retryScheduled)])
            #expect(try await lab.state(of: id) == .canceled)
        }
    }

    @Test(arguments: [
        (DownloadAction.cancel, DownloadState.canceled, EventType.canceled),
        (.suspend, .suspended, .suspended),
    ])
    func orderSurvivesItsReplica(
        action: DownloadAction, state: DownloadState, event: EventType
    ) async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            let ids = try await lab.submit(
                2,
                [
                    "webhook_url": "https://hooks.example/a",
                    "webhook_events": ["download.*"],
                ])
            let ledger = try await lab.register(instance: instance)
            #expect(try await lab.claim(ledger).count == 2)
            _ = try await lab.downloads.perform(action, on: ids[0], app: 1)
            let successor = try await lab.register(instance: instance)
            #expect(try await lab.state(of: ids[0]) == state)
            #expect(try await lab.events(of: ids[0]) == [.created, .started, event])
            #expect(try await lab.state(of: ids[1]) == .waiting)
            #expect(try await lab.claim(successor).map(\.download.id) == [ids[1]])
            let kept = try await lab.number("SELECT count(*) FROM queue WHERE control <> 0")
            #expect(kept == 0)
            #expect(try await lab.wrongGates() == 0)
            #expect(
                try await lab.number(
                    """
                    SELECT count(*) FROM \(StoreLab.deliveredEvents)
                    WHERE type = \(event.rawValue)
                    """)
                    == 1)
            if action == .cancel {
                let download = try #require(await lab.find(ids[0])).download
                #expect(download.completedAt != nil)
                #expect(download.attempt == 1)
                #expect(download.sequence == 3)
            }
        }
    }
}
