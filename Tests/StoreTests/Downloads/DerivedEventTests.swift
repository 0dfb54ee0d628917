// Events whose data follows from their download's row: every read gives one text.
import Base
import Downloads
import Postgres
import Testing

@testable import Store

/// Everything that can happen to some downloads, in an order that a seed decides.
private final class History {
    private static let outcomes: [RunOutcome] = [
        .succeeded, .succeeded, .succeeded, .failed, .retryScheduled, .canceled, .suspended,
        .attentionRequired,
    ]
    let lab: StoreLab
    private var random: SeededGenerator
    private var ledger: Ledger
    private var ids: [Identifier] = []
    private var deleted: Set<String> = []
    private var held: [Identifier: (claim: ClaimedDownload, sequence: Int64)] = [:]
    /// Each event's text when it was first read or sent.
    private var first: [String: WebhookMessage] = [:]
    private(set) var derivedEnds = 0
    private(set) var sent = 0

    init(lab: StoreLab, seed: UInt64) async throws {
        self.lab = lab
        random = SeededGenerator(seed: seed)
        ledger = try await lab.register()
    }

    private func roll(_ sides: UInt64) -> Int { Int(random.next() % sides) }

    private func one() -> Identifier? { ids.isEmpty ? nil : ids[roll(UInt64(ids.count))] }

    private func running() -> Identifier? {
        let those = ids.filter { held[$0] != nil }
        return those.isEmpty ? nil : those[roll(UInt64(those.count))]
    }

    /// Makes one step, then looks at everything that can be read.
    func step() async throws {
        switch roll(16) {
        case 0, 1: try await create()
        case 2, 3: try await claim()
        case 4: try await report()
        case 5, 6, 7: try await finish()
        case 8: try await restart()
        case 9: try await act()
        case 10: try await patch()
        case 11: try await endContent()
        case 12: try await extend()
        case 13: try await expire()
        default: try await deliver()
        }
        try await look()
    }

    private func create() async throws {
        var members: JSONObject = ["metadata": ["a": .string("\(roll(9))")]]
        if roll(2) == 0 {
            members["webhook_url"] = "https://hooks.example/a"
            members["webhook_events"] = ["download.*"]
        }
        if roll(4) == 0 { members["suspended"] = true }
        if roll(4) == 0 {
            members["urls"] = ["https://mirror.example/x"]
            members["expected_digest"] = .string(
                "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        }
        ids += try await lab.submit(1, members)
    }

    private func claim() async throws {
        for claim in try await lab.claim(ledger, total: 2) {
            held[claim.download.id] = (claim, claim.download.sequence)
        }
    }

    private func report() async throws {
        guard let id = running(), let run = held[id] else { return }
        var download = run.claim.download
        download.bytesReceived += Int64(roll(50))
        download.bytesTotal = roll(2) == 0 ? 99 : nil
        let hasEvent = roll(2) == 0
        if hasEvent { download.sequence = run.sequence + 1 }
        _ = try await ledger.report([
            RunProgress(
                download: download, fence: run.claim.fence,
                at: run.claim.claimedAt + .milliseconds(1), resume: nil, emitsEvent: hasEvent)
        ])
        held[id]?.sequence = try await lab.number(
            "SELECT coalesce((SELECT sequence FROM queue WHERE id = $1), 0)", [UUIDValue(id)])
    }

    private func finish() async throws {
        guard let id = running(), let run = held[id] else { return }
        held[id] = nil
        let outcome = History.outcomes[roll(8)]
        var end = lab.end(run.claim, outcome, at: run.claim.claimedAt + .milliseconds(7))
        end.download.sequence = run.sequence + 1
        end.download.bytesReceived = Int64(roll(99))
        end.download.bytesTotal = roll(2) == 0 ? 99 : nil
        switch outcome {
        case .succeeded:
            end.download.bytesReceived = 99
            end.download.bytesTotal = 99
            end.content = KeptContent(
                instance: Identifier(high: 7, low: 9), length: 99, at: end.at,
                retention: 604_800)
            var response = OriginResponse(statusCode: 200, url: "https://x.example/ü\n\u{1}")
            response.etag = "\"v\""
            end.download.result.response = response
            end.download.result.content = DownloadContent(
                length: 99, sha256: "00", isLengthVerified: true, expected: 99,
                expiresAt: end.at + .seconds(604_800))
            end.download.keepAddress()
        case .failed, .retryScheduled, .attentionRequired:
            end.download.result.error = DownloadFailure(.timedOut, detail: "silence")
        case .canceled, .suspended, .yielded, .unreachable, .givenBack, .received, .unchanged: break
        }
        let isMine = try await ledger.finish([end]).contains(id)
        if isMine, [.succeeded, .failed, .canceled].contains(outcome) {
            derivedEnds += Int(
                try await lab.number(
                    """
                    SELECT count(*) FROM events
                    WHERE download_id = $1 AND payload IS NULL AND type BETWEEN 9 AND 11
                    """, [UUIDValue(id)]))
        }
    }

    private func restart() async throws {
        held = [:]
        try await ledger.unregister()
        ledger = try await lab.register()
    }

    private func act() async throws {
        guard let id = one() else { return }
        let actions: [DownloadAction] = [
            .suspend, .resume, .resume, .cancel, .retry, .retry, .retry, .delete,
        ]
        let action = actions[roll(8)]
        if action == .delete, roll(3) > 0 { return }
        let outcome = try await lab.downloads.perform(action, on: id, app: 1)
        if action == .delete, case .done = outcome {
            ids.removeAll { $0 == id }
            deleted.insert(id.text(.download))
        }
    }

    private func patch() async throws {
        guard let id = one(), let old = try await lab.find(id)?.download else { return }
        var new = old
        new.spec.metadata = ["a": .string("\(roll(1000))")]
        if roll(2) == 0 { new.spec.taskDescription = "described \(roll(9))" }
        var origins: [String]?
        if !old.state.isTerminal {
            new.priority = Double(roll(10)) / 10
            if roll(2) == 0 { new.earliestBeginDate = Timestamp(seconds: Int64(roll(1000))) }
            if old.state == .waiting, old.spec.urls.isEmpty, roll(2) == 0 {
                new.url = "https://origin.example/other\(roll(9))"
                origins = [StoreLab.origin]
            }
        }
        _ = try await lab.downloads.change(old, to: new, origins: origins, app: 1)
    }

    private func endContent() async throws {
        guard let id = one() else { return }
        let contents = lab.downloads.contents
        switch roll(3) {
        case 0: _ = try await contents.release(id, app: 1)
        case 1: _ = try await contents.markLost(id, instance: Identifier(high: 7, low: 9))
        default:
            _ = try await lab.pool.query(
                """
                UPDATE contents SET due_at = due_at - interval '6 days 23 hours',
                    expires_at = expires_at - interval '6 days 23 hours' WHERE id = $1
                """, [UUIDValue(id)])
            _ = try await contents.proceed(limit: 10)
        }
    }

    private func extend() async throws {
        guard let id = one() else { return }
        try await lab.downloads.contents.extend(
            id, by: .seconds(700_000 + Int64(roll(9))), at: try await lab.now())
    }

    private func expire() async throws {
        guard let id = one() else { return }
        _ = try await lab.pool.query(
            "UPDATE queue SET deadline = clock_timestamp() WHERE id = $1 AND state <> 1",
            [UUIDValue(id)])
        _ = try await lab.downloads.expire(limit: 10)
    }

    private func deliver() async throws {
        let outbox = lab.outbox(ledger)
        let claim = try await outbox.claim(each: 6, total: 6)
        #expect(claim.unreadable.isEmpty)
        var records: [DeliveryRecord] = []
        for due in claim.due {
            sent += 1
            check(due.message)
            let isDelivered = roll(2) == 0
            records.append(
                DeliveryRecord(
                    number: due.number, receiver: due.receiver, fence: due.fence,
                    nextAt: isDelivered ? nil : try await lab.now(), isDelivered: isDelivered,
                    status: isDelivered ? 204 : 503, error: nil))
        }
        if roll(3) > 0 { try await outbox.record(records) }
    }

    private func look() async throws {
        for id in ids {
            let page = try await lab.downloads.journal.read(
                JournalQuery(scope: .download(id)), after: nil, limit: 1000)
            #expect(!page.events.isEmpty)
            for event in page.events { check(event.message) }
        }
    }

    private func check(_ message: WebhookMessage) {
        guard !deleted.contains(message.subject) else { return }
        let before = first[message.id]
        #expect(
            before == nil || before?.body == message.body,
            "\(String(decoding: before?.body ?? [], as: UTF8.self)) became \(message)")
        first[message.id] = message
    }
}

@Suite struct DerivedEventTests {
    @Test(arguments: 1...12)
    func eachReadingOfAnEventHasTheSameBytes(seed: UInt64) async throws {
        try await StoreLab.with { lab in
            try await ShownColumns.guardEvents(lab)
            let history = try await History(lab: lab, seed: seed)
            for _ in 0..<160 { try await history.step() }
            #expect(history.derivedEnds > 0)
            #expect(history.sent > 0)
        }
    }

    /// A member that only one of the two readers knows would differ here.
    @Test(arguments: [RunOutcome.succeeded, .failed, .canceled])
    func anEndIsNotStoredAndShowsTheDownload(outcome: RunOutcome) async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running([
                "webhook_url": "https://hooks.example/a", "metadata": ["k": "v"],
            ])
            let id = claim.download.id
            var end = lab.end(claim, outcome)
            end.download.bytesReceived = 41
            if outcome == .succeeded {
                end.download.bytesTotal = 41
                end.download.result.content = DownloadContent(
                    length: 41, sha256: "00", isLengthVerified: false,
                    expiresAt: Timestamp(seconds: 1_900_000_000))
            }
            _ = try await ledger.finish([end])
            let stored = try await lab.number(
                """
                SELECT count(payload) FROM events WHERE type BETWEEN 9 AND 11
                """)
            #expect(stored == 0)
            let due = try #require(await lab.outbox(ledger).claim(each: 1, total: 1).due.first)
            let shown = try #require(await lab.find(id)).download
            #expect(try due.dataText == shown.eventData())
        }
    }

    @Test func theGuardKnowsEveryColumn() async throws {
        try await StoreLab.with { lab in
            let columns = try await lab.pool.query(
                """
                SELECT attname::text FROM pg_attribute
                WHERE attrelid = 'downloads'::regclass AND attnum > 0 AND NOT attisdropped
                """
            ).map { try $0.get(0, as: String.self) }
            let known = ShownColumns.ofAll + ShownColumns.ofNone + ShownColumns.withRules
            #expect(Set(columns) == Set(known))
            let read = ShownColumn.list(ofEvent: "e")
                .matches(of: #/\bd\.([a-z_]+)/#).map { String($0.output.1) }
            #expect(Set(read) == Set(ShownColumns.ofAll + ShownColumns.withRules))
        }
    }

    /// The guard works: a change that does not store the events' data fails.
    @Test(arguments: [
        "UPDATE download_requests SET priority = 0.25", "UPDATE download_requests SET url = 'x'",
        "UPDATE download_requests SET spec = '{}'", "UPDATE download_results SET result = NULL",
        "UPDATE download_results SET result = jsonb_set(result, '{content,expires_at}', '\"x\"')",
        "UPDATE download_results SET started_at = started_at - interval '1 s'",
    ])
    func theGuardFindsAChange(statement: String) async throws {
        try await StoreLab.with { lab in
            try await ShownColumns.guardEvents(lab)
            let (ledger, claim) = try await lab.running()
            var end = lab.end(claim, .succeeded)
            end.download.result.content = DownloadContent(
                length: 4, sha256: "00", isLengthVerified: false,
                expiresAt: Timestamp(seconds: 1_900_000_000))
            _ = try await ledger.finish([end])
            await #expect(throws: PostgresError.self) {
                _ = try await lab.pool.query(statement)
            }
        }
    }
}
