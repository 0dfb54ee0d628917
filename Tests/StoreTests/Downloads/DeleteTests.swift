// The rows that are left of a deleted download: none has text of its client.
import Base
import Downloads
import Postgres
import Store
import Testing
import Trees

@Suite struct DeleteTests {
    private static let canary = "canary7f3d"

    /// Members that all have the word where they are text.
    private static let members: JSONObject = [
        "url": "https://origin.example/canary7f3d?q=canary7f3d",
        "urls": ["https://mirror.example/canary7f3d"],
        "expected_digest":
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "task_description": "canary7f3d", "metadata": ["canary7f3d": "canary7f3d"],
        "webhook_url": "https://hooks.example/canary7f3d",
        "webhook_events": ["download.*"],
    ]

    /// Every column of every table that holds the word.
    private func found(_ lab: StoreLab) async throws -> [String] {
        let columns = try await lab.pool.query(
            """
            SELECT format('%I.%I', c.table_schema, c.table_name), format('%I', c.column_name)
            FROM information_schema.columns c JOIN information_schema.tables t
                USING (table_schema, table_name)
            WHERE t.table_type = 'BASE TABLE' AND c.table_schema = 'public'
            """)
        #expect(columns.count > 100)
        var places: [String] = []
        for row in columns {
            let table = try row.get(0, as: String.self)
            let column = try row.get(1, as: String.self)
            let count = try await lab.number(
                """
                SELECT count(*) FROM \(table)
                WHERE position('\(DeleteTests.canary)' in \(column)::text) > 0
                """)
            if count > 0 { places.append("\(table).\(column)") }
        }
        return places.sorted()
    }

    /// A download with a life full of events, attempts and webhooks, and answers kept for its keys.
    private func life(
        _ lab: StoreLab, _ outcome: RunOutcome
    ) async throws -> (Ledger, Identifier) {
        let new = try lab.draft(DeleteTests.members, origin: StoreLab.origin)
        let id = new.download.id
        let body = JSON.object(new.download.json(blockers: nil)).text
        func key(_ number: UInt64) -> IdempotencyKey {
            IdempotencyKey(
                app: 1, hash: Identifier(high: number, low: 1),
                fingerprint: Identifier(high: 1, low: 1))
        }
        let answer = StoredAnswer(status: 201, headers: JSONObject(), body: body)
        _ = try await Intake(pool: lab.pool).submit(new, idempotency: KeyedAnswer(key(1), answer))
        let ledger = try await lab.register()
        let first = try #require(await lab.claim(ledger).first)
        _ = try await lab.downloads.idempotencyKeys.take(key(2))
        try await lab.downloads.idempotencyKeys.finish(key(2), with: answer, showing: id)
        var download = first.download
        (download.bytesReceived, download.sequence) = (1, download.sequence + 1)
        _ = try await ledger.report([
            RunProgress(
                download: download, fence: first.fence, at: first.claimedAt,
                resume: nil, emitsEvent: true)
        ])
        var retry = lab.end(first, .retryScheduled)
        retry.download.sequence += 1
        let failure = DownloadFailure(
            .network, code: .timedOut, detail: "canary7f3d", isRetryable: true)
        retry.detail.url = first.address
        retry.detail.error = failure
        retry.download.result.error = failure
        _ = try await ledger.finish([retry])
        let second = try #require(await lab.claim(ledger).first)
        var end = lab.end(second, outcome)
        end.detail = retry.detail
        end.download.result.currentURL = first.address
        end.download.result.content = .blank
        _ = try await ledger.finish([end])
        return (ledger, id)
    }

    @Test(arguments: [RunOutcome.succeeded, .failed, .canceled])
    func deleteErasesEveryTrace(outcome: RunOutcome) async throws {
        try await StoreLab.with { lab in
            let (ledger, id) = try await life(lab, outcome)
            let outbox = lab.outbox(ledger)
            // Some webhooks were delivered, one is on its way, the others wait.
            let some = try await outbox.claim(each: 3, total: 3).due
            try await outbox.record(some.dropLast().map { $0.ended(isDelivered: true) })
            let before = try await found(lab)
            for table in [
                "attempts", "deliveries", "download_requests", "events", "idempotency_keys",
            ] {
                #expect(before.contains { $0.contains(table) }, "\(table)")
            }
            guard case .done = try await lab.downloads.perform(.delete, on: id, app: 1) else {
                Issue.record("not deleted")
                return
            }
            // The word is only in rows of webhooks that are still to be sent.
            #expect(
                try await found(lab).sorted() == [
                    "public.deliveries.payload", "public.deliveries.url",
                ])
            try await outbox.record([some[2].ended(isDelivered: false, again: .epoch)])
            let stub = JSON.object(["id": .string(id.text(.download))])
            let rest = try await outbox.claim(each: 100, total: 100).due
            #expect(rest.count == 4)
            // The webhooks are sent whole; the one that was tried before keeps its bytes.
            for delivery in rest { #expect(try delivery.dataText.contains(DeleteTests.canary)) }
            #expect(rest.contains { $0.message.body == some[2].message.body })
            let query = JournalQuery(scope: .download(id))
            let events = try await lab.downloads.journal.read(query, after: nil, limit: 10).events
            #expect(events.count == 6)
            for event in events {
                let data = try JSON.parse(event.message.body)["data"]
                #expect(data == ["id": .string(id.text(.download)), "app": "default"])
            }
            let known = try await lab.pool.query("SELECT body FROM idempotency_keys")
            for row in known { #expect(try row.get(0, as: String.self) == stub.text) }
            #expect(known.count == 2)
            try await outbox.record(
                rest.enumerated().map { $1.ended(isDelivered: $0 % 2 == 0) })
            #expect(try await found(lab).isEmpty)
        }
    }

    @Test func batchAnswerKeepsOnlyIdsAfterDelete() async throws {
        try await StoreLab.with { lab in
            let batch = try (0..<3).map { _ in
                try lab.draft(
                    ["url": "https://origin.example/canary7f3d"], origin: StoreLab.origin)
            }
            let key = IdempotencyKey(
                app: 1, hash: Identifier(high: 1, low: 1),
                fingerprint: Identifier(high: 1, low: 1))
            let body = batch.map { JSON.object($0.download.json(blockers: nil)) }
            _ = try await Intake(pool: lab.pool).submit(
                batch: batch,
                idempotency: KeyedAnswer(
                    key,
                    StoredAnswer(
                        status: 201, headers: JSONObject(),
                        body: JSON.object(["data": .array(body)]).text)))
            for new in batch {
                _ = try await lab.downloads.perform(.cancel, on: new.download.id, app: 1)
                _ = try await lab.downloads.perform(.delete, on: new.download.id, app: 1)
            }
            #expect(try await found(lab).isEmpty)
            guard
                case .answered(let answer) = try await lab.downloads.idempotencyKeys.find(key)
            else {
                Issue.record("the key is forgotten")
                return
            }
            let ids = batch.map { JSON.object(["id": .string($0.download.id.text(.download))]) }
            #expect(try JSON.parse(Array(answer.body.utf8)) == ["data": .array(ids)])
        }
    }

    @Test func lateAnswerDoesNotRestoreADeletedDownload() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.submit(1, ["url": "https://origin.example/canary7f3d"])[0]
            let key = IdempotencyKey(
                app: 1, hash: Identifier(high: 1, low: 1),
                fingerprint: Identifier(high: 1, low: 1))
            _ = try await lab.downloads.idempotencyKeys.take(key)
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
            _ = try await lab.downloads.perform(.delete, on: id, app: 1)
            let late = StoredAnswer(
                status: 200, headers: JSONObject(), body: DeleteTests.canary)
            try await lab.downloads.idempotencyKeys.finish(key, with: late, showing: id)
            #expect(try await found(lab).isEmpty)
        }
    }
}

extension DueDelivery {
    /// The record that a webhook sender writes.
    func ended(isDelivered: Bool, again: Timestamp? = nil) -> DeliveryRecord {
        var record = DeliveryRecord(
            number: number, receiver: receiver, fence: fence, nextAt: again,
            isDelivered: isDelivered,
            status: isDelivered ? 204 : 500, error: isDelivered ? nil : "canary7f3d")
        record.milliseconds = 7
        if !isDelivered {
            record.kept = DeliveryTry(
                at: .epoch, milliseconds: 7, status: 500, error: "canary7f3d", body: "canary7f3d")
        }
        return record
    }
}
