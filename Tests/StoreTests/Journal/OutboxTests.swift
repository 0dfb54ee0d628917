// The outbox: the due deliveries, their receivers, their bytes and their end.
import Base
import Downloads
import Postgres
import Store
import Testing

extension DueDelivery {
    /// The event's `data`, as the receiver reads it.
    var data: JSON {
        get throws {
            try #require(try JSON.parse(message.body)["data"])
        }
    }

    /// The event's `data` as text, without the name of the app, which is the last member.
    var dataText: String {
        get throws {
            var object = try #require(try data.objectValue)
            let last = try #require(object.members.last)
            #expect(last.key == "app" && last.value == "default")
            object = JSONObject(members: object.members.dropLast().map { ($0.key, $0.value) })
            return JSON.object(object).text
        }
    }
}

@Suite struct OutboxTests {
    private static let all: JSONObject = [
        "webhook_url": "https://hooks.example/a", "webhook_events": ["download.*"],
        "metadata": ["k": "v"], "earliest_begin_date": "2020-01-01T00:00:00Z",
        "count_of_bytes_client_expects_to_receive": 100, "priority": 0.25,
    ]

    private func outbox(_ lab: StoreLab) async throws -> Outbox {
        lab.outbox(try await lab.register())
    }

    /// All due deliveries, in the order in which they were written.
    private func due(
        _ outbox: Outbox, each: Int = 100, total: Int = 100
    ) async throws -> [DueDelivery] {
        try await outbox.claim(each: each, total: total).due.sorted { $0.number < $1.number }
    }

    @Test(arguments: [false, true])
    func derivedCreateEventMatchesTheDownload(isSuspended: Bool) async throws {
        try await StoreLab.with { lab in
            var members = OutboxTests.all
            members["suspended"] = .bool(isSuspended)
            let id = try await lab.submit(1, members)[0]
            let download = try #require(await lab.find(id)).download
            #expect(download.state == (isSuspended ? .suspended : .waiting))
            let outbox = try await outbox(lab)
            let delivery = try #require(await due(outbox).first)
            #expect(delivery.type == .created)
            #expect(delivery.attempt == 1)
            #expect(delivery.url == "https://hooks.example/a")
            #expect(try delivery.dataText == download.eventData())
        }
    }

    @Test func derivedStartEventMatchesTheAttempt() async throws {
        try await StoreLab.with { lab in
            let (ledger, first) = try await lab.running(OutboxTests.all)
            var run = lab.end(first, .retryScheduled)
            run.download.bytesReceived = 41
            run.download.bytesTotal = 99
            _ = try await ledger.finish([run])
            let second = try #require(await lab.claim(ledger).first)
            let starts = try await due(outbox(lab)).filter { $0.type == .started }
            #expect(starts.count == 2)
            #expect(try starts[0].dataText == first.download.eventData())
            var again = second.download
            again.bytesTotal = 99
            #expect(try starts[1].dataText == again.eventData())
            #expect(try starts[1].data["count_of_bytes_received"] == 41)
            let began = JSON.string(first.claimedAt.rfc3339)
            #expect(try starts[1].data["started_at"] == began)
        }
    }

    @Test(arguments: [
        (DownloadAction.cancel, RunOutcome.retryScheduled), (.suspend, .retryScheduled),
        (.cancel, .suspended), (.resume, .suspended),
    ])
    func endByAnOrderHasTheDownloadsData(
        action: DownloadAction, outcome: RunOutcome
    ) async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running(OutboxTests.all)
            let id = claim.download.id
            _ = try await lab.downloads.perform(action, on: id, app: 1)
            var run = lab.end(claim, outcome)
            run.download.bytesReceived = 41
            run.download.bytesTotal = 99
            run.download.result.error = DownloadFailure(
                .network, code: .timedOut, detail: "x", isRetryable: true)
            _ = try await ledger.finish([run])
            let told = try #require(await due(outbox(lab)).last)
            let download = try #require(await lab.find(id)).download
            #expect(download.bytesReceived == 41)
            var expected = download
            // The length that the origin announced is kept only while the download lives.
            expected.bytesTotal = 99
            #expect(try told.dataText == expected.eventData())
            let error = try told.data["error"]
            #expect(error == .null, "the order ended it, not the failure")
        }
    }

    @Test func releaseAfterACrashHasItsEvent() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running(OutboxTests.all)
            var download = claim.download
            download.bytesReceived = 41
            download.bytesTotal = 99
            let progress = RunProgress(
                download: download, fence: claim.fence, at: claim.claimedAt + .milliseconds(1),
                resume: nil, emitsEvent: false)
            _ = try await ledger.report([progress])
            try await ledger.unregister()
            let told = try #require(await due(outbox(lab)).last)
            #expect(told.type == .retryScheduled)
            let found = try #require(await lab.find(claim.download.id)).download
            #expect(found.state == .waiting)
            #expect(found.startedAt == claim.claimedAt)
            #expect(try told.dataText == found.eventData())
        }
    }

    @Test func deliveryIsRetriedWhenDue() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(1, OutboxTests.all)
            let outbox = try await outbox(lab)
            let first = try #require(await due(outbox).first)
            func record(
                _ delivery: DueDelivery, next: Timestamp?, isDelivered: Bool = false
            ) async throws {
                try await outbox.record([
                    DeliveryRecord(
                        number: delivery.number, receiver: delivery.receiver,
                        fence: delivery.fence, nextAt: next, isDelivered: isDelivered,
                        status: isDelivered ? 200 : 500, error: "no")
                ])
            }
            try await record(first, next: lab.now() + .seconds(600))
            #expect(try await due(outbox).isEmpty)
            _ = try await lab.pool.query("UPDATE deliveries SET run_at = clock_timestamp()")
            _ = try await lab.pool.query("UPDATE receivers SET next_at = '-infinity'")
            let second = try #require(await due(outbox).first)
            #expect(second.number == first.number)
            #expect(second.attempt == 2)
            #expect(second.fence > first.fence)
            #expect(second.message == first.message, "the same bytes on every try")
            // The answer to the first try comes late and does not count any more.
            try await record(first, next: nil, isDelivered: true)
            #expect(try await lab.number("SELECT state FROM deliveries") == 1)
            try await record(second, next: nil, isDelivered: true)
            #expect(try await lab.number("SELECT state FROM deliveries") == 2)
            #expect(try await lab.number("SELECT last_status FROM deliveries") == 200)
            #expect(try await due(outbox).isEmpty)
        }
    }

    @Test func deliveryIsExhausted() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(1, OutboxTests.all)
            let outbox = try await outbox(lab)
            let delivery = try #require(await due(outbox).first)
            try await outbox.record([
                DeliveryRecord(
                    number: delivery.number, receiver: delivery.receiver,
                    fence: delivery.fence, nextAt: nil, isDelivered: false, status: nil,
                    error: "gone")
            ])
            let row = try await lab.pool.query(
                "SELECT state, last_error, finished_at IS NOT NULL FROM deliveries")[0]
            #expect(try row.get(0, as: Int16.self) == 3)
            #expect(try row.get(1, as: String.self) == "gone")
            #expect(try row.get(2, as: Bool.self))
            #expect(try await due(outbox).isEmpty)
        }
    }

    @Test func deliveryClaimNeedsALease() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(1, OutboxTests.all)
            let ledger = try await lab.register()
            let zombie = lab.outbox(ledger)
            let first = try #require(await due(zombie).first)
            try await ledger.unregister()
            await expectFailure(.leaseLost) { () throws(StoreError) in
                _ = try await zombie.claim(each: 1, total: 1)
            }
            let successor = try await outbox(lab)
            let second = try #require(await due(successor).first)
            #expect(second.number == first.number)
            try await zombie.record([
                DeliveryRecord(
                    number: first.number, receiver: first.receiver, fence: first.fence,
                    nextAt: nil, isDelivered: true, status: 200, error: nil)
            ])
            #expect(try await lab.number("SELECT state FROM deliveries") == 1)
        }
    }

    @Test func deliverySurvivesTheDownload() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.submit(1, OutboxTests.all)[0]
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
            _ = try await lab.downloads.perform(.delete, on: id, app: 1)
            let told = try await due(outbox(lab))
            #expect(told.map(\.type) == [.created, .canceled])
            // The webhook is whole although the download is gone; reads show a part.
            #expect(try told.allSatisfy { try $0.data["metadata"] == ["k": "v"] })
            #expect(try await lab.number("SELECT count(payload) FROM events") == 0)
        }
    }
}
