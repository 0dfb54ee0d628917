// Values that change while a download runs or waits: its end shows the new ones, and its deadline
// follows them.
import Base
import Downloads
import Postgres
import Store
import Testing
import Trees

@Suite struct PatchTests {
    private static let members: JSONObject = [
        "webhook_url": "https://hooks.example/a", "webhook_events": ["download.*"],
        "metadata": ["k": "old"],
    ]

    private func patch(
        _ lab: StoreLab, _ id: Identifier, _ body: (inout Download) -> Void
    ) async throws {
        let old = try #require(await lab.find(id)).download
        var new = old
        body(&new)
        let outcome = try await lab.downloads.change(old, to: new, origins: nil, app: 1)
        guard case .done = outcome else {
            Issue.record("not changed: \(outcome)")
            return
        }
    }

    @Test(
        arguments: [
            RunOutcome.succeeded, .failed, .retryScheduled, .canceled, .suspended,
            .attentionRequired,
        ], [0, 1, 3])
    func anEndShowsWhatWasChangedWhileItRan(
        outcome: RunOutcome, patches: Int
    ) async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running(PatchTests.members)
            let id = claim.download.id
            if outcome == .suspended {
                _ = try await lab.downloads.perform(.suspend, on: id, app: 1)
            }
            for number in 0..<patches {
                try await patch(lab, id) {
                    $0.spec.metadata = ["k": .string("new \(number)")]
                    $0.priority = 0.25
                    $0.spec.taskDescription = "words"
                    $0.spec.maxBytesPerSecond = 1 << 20
                    $0.spec.isDiscretionary = true
                }
            }
            #expect(try await ledger.finish([lab.end(claim, outcome)]) == [id])
            let download = try #require(await lab.find(id)).download
            #expect(download.sequence == Int64(3 + patches))
            let told = try await lab.outbox(ledger).claim(each: 10, total: 10).due
                .max { $0.number < $1.number }
            let data = try #require(try told?.data)
            let now = JSON.object(download.json(blockers: nil))
            let names = [
                "sequence", "state", "metadata", "priority", "task_description",
                "max_bytes_per_second", "is_discretionary", "completed_at",
            ]
            for name in names { #expect(data[name] == now[name], "\(name)") }
            #expect(try await lab.wrongGates() == 0)
        }
    }

    @Test func patchDuringARunIsShownByProgressWithDistinctSequences() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running(PatchTests.members)
            let id = claim.download.id
            for number in 1...3 {
                try await patch(lab, id) { $0.spec.metadata = ["k": .string("\(number)")] }
                var download = claim.download
                download.bytesReceived = Int64(number)
                download.sequence += Int64(number)
                let told = RunProgress(
                    download: download, fence: claim.fence, at: claim.claimedAt, resume: nil,
                    emitsEvent: true)
                #expect(try await ledger.report([told]) == [id])
            }
            _ = try await ledger.finish([lab.end(claim, .failed)])
            let query = JournalQuery(scope: .download(id))
            let events = try await lab.downloads.journal.read(query, after: nil, limit: 10).events
            let data = try events.map { try #require(try JSON.parse($0.message.body)["data"]) }
            #expect(data.map { $0["sequence"] } == [1, 2, 4, 6, 8, 9])
            #expect(
                data.map { $0["metadata"]?["k"]?.stringValue }
                    == ["old", "old", "1", "2", "3", "3"])
        }
    }

    /// The deadline of a download, in seconds after a date.
    private func deadline(_ lab: StoreLab, after date: Timestamp) async throws -> Duration {
        try await lab.pool.query("SELECT deadline FROM queue")[0]
            .get(0, as: TimestampValue.self).timestamp - date
    }

    private static let late = Timestamp(seconds: 4_000_000_000)
    private static let later = Timestamp(seconds: 4_100_000_000)

    @Test(arguments: ["waiting", "suspended", "running", "second life"])
    func newEarliestBeginMovesTheDeadline(situation: String) async throws {
        try await StoreLab.with { lab in
            let timeout = Duration.seconds(100)
            let id = try await lab.submit(
                1, ["timeout_interval_for_resource": 100, "metadata": ["k": "old"]])[0]
            let ledger = try await lab.register()
            var since = try #require(await lab.find(id)).download.createdAt
            switch situation {
            case "suspended": _ = try await lab.downloads.perform(.suspend, on: id, app: 1)
            case "running": _ = try await lab.claim(ledger)
            case "second life":
                let claim = try #require(await lab.claim(ledger).first)
                _ = try await ledger.finish([lab.end(claim, .failed)])
                _ = try await lab.downloads.perform(.retry, on: id, app: 1)
                since = try await lab.pool.query("SELECT life_since FROM queue")[0]
                    .get(0, as: TimestampValue.self).timestamp
            default: break
            }
            #expect(try await deadline(lab, after: since) == timeout)
            try await patch(lab, id) { $0.spec.metadata = ["k": "new"] }
            #expect(try await deadline(lab, after: since) == timeout)
            for date in [PatchTests.late, PatchTests.later, PatchTests.late] {
                try await patch(lab, id) { $0.earliestBeginDate = date }
                #expect(try await deadline(lab, after: date) == timeout)
            }
            try await patch(lab, id) { $0.earliestBeginDate = Timestamp(seconds: 1) }
            #expect(try await deadline(lab, after: since) == timeout)
            try await patch(lab, id) { $0.earliestBeginDate = nil }
            #expect(try await deadline(lab, after: since) == timeout)
        }
    }

    @Test(arguments: [
        RunOutcome.retryScheduled, .suspended,
    ])
    func newEarliestBeginAppliesToTheNextAttempt(
        outcome: RunOutcome
    ) async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running(PatchTests.members)
            let id = claim.download.id
            try await patch(lab, id) { $0.earliestBeginDate = PatchTests.late }
            let running = try await ledger.deadline(of: id, fence: claim.fence)
            #expect(running == PatchTests.late + .seconds(604_800))
            // A suspend that was taken back leads to a retry at once.
            #expect(try await ledger.finish([lab.end(claim, outcome)]) == [id])
            let download = try #require(await lab.find(id)).download
            #expect(download.state == .waiting)
            #expect(download.nextAttemptAt == PatchTests.late)
            #expect(try await lab.claim(ledger).isEmpty)
            let told = try await lab.outbox(ledger).claim(each: 10, total: 10).due
                .max { $0.number < $1.number }
            if outcome == .retryScheduled {
                #expect(
                    try told?.data["next_attempt_at"] == .string(PatchTests.late.rfc3339))
            }
        }
    }

    @Test func newEarliestBeginAppliesAfterALostReplica() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            try await patch(lab, claim.download.id) { $0.earliestBeginDate = PatchTests.late }
            try await ledger.unregister()
            let next = try #require(await lab.find(claim.download.id)).download.nextAttemptAt
            #expect(next == PatchTests.late)
        }
    }

    @Test func endIsNeverBeforeItsStart() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            let early = claim.claimedAt + .milliseconds(-20)
            #expect(
                try await ledger.finish([lab.end(claim, .failed, at: early)])
                    == [claim.download.id])
            let download = try #require(await lab.find(claim.download.id)).download
            #expect(download.completedAt == claim.claimedAt)
        }
    }
}
