// The end of an attempt: everything in one transaction, or nothing if the fence moved on.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct FinishTests {
    @Test(arguments: [
        (RunOutcome.succeeded, DownloadState.succeeded, EventType.succeeded),
        (.failed, .failed, .failed), (.retryScheduled, .waiting, .retryScheduled),
        (.canceled, .canceled, .canceled), (.suspended, .suspended, .suspended),
        (.attentionRequired, .attentionRequired, .attentionRequired),
        (.yielded, .waiting, .waiting), (.unreachable, .waiting, .waiting),
        (.unchanged, .waiting, .waiting),
    ])
    func records(
        outcome: RunOutcome, state: DownloadState, event: EventType
    ) async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running([
                "webhook_url": "https://hooks.example/a", "webhook_events": ["download.*"],
            ])
            let id = claim.download.id
            if outcome == .suspended {
                _ = try await lab.downloads.perform(.suspend, on: id, app: 1)
            }
            var run = lab.end(claim, outcome)
            run.download.bytesReceived = 41
            run.download.bytesTotal = 82
            run.attemptsWithoutProgress = 3
            run.download.result.error = DownloadFailure(
                .network, code: .timedOut, detail: "x", isRetryable: true)
            run.detail.httpStatus = 200
            #expect(try await ledger.finish([run]) == [id])

            let download = try #require(await lab.find(id)).download
            #expect(download.state == state)
            #expect(download.bytesReceived == 41)
            #expect(download.attempt == 1)
            #expect(download.sequence == 3)
            #expect(download.startedAt == claim.claimedAt)
            #expect(download.completedAt == (state.isTerminal ? run.at : nil))
            #expect(download.result == run.download.result)
            #expect(try await lab.events(of: id) == [.created, .started, event])
            let isLive = !state.isTerminal
            #expect(try await lab.number("SELECT count(*) FROM queue") == (isLive ? 1 : 0))
            #expect(try await lab.wrongGates() == 0)
            #expect(try await lab.number("SELECT sum(running) FROM gates") == 0)
            let attempt = try await lab.pool.query(
                "SELECT fence, attempt, outcome, detail->>'http_status' FROM attempts")
            #expect(attempt.count == 1)
            #expect(try attempt[0].get(0, as: Int64.self) == claim.fence)
            #expect(try attempt[0].get(2, as: Int16.self) == outcome.rawValue)
            #expect(try attempt[0].get(3, as: String.self) == "200")
            let sent = try #require(
                try await lab.outbox(ledger).claim(each: 9, total: 9).due
                    .first { $0.type == event })
            #expect(try sent.dataText == run.download.eventData())
            #expect(try await ledger.hasRecorded(id, fence: claim.fence))
            #expect(try await !ledger.hasRecorded(id, fence: claim.fence + 1))
        }
    }

    @Test func nextAttemptResumesWhereTheLastStopped() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            var facts = ResponseFacts(status: 200, url: "x")
            facts.etag = "\"v1\""
            let point = ResumePoint(
                offset: 41, fence: claim.fence, instance: "here", facts: facts, total: 82,
                restarts: 2, now: claim.claimedAt)
            var run = lab.end(claim, .retryScheduled)
            run.resume = point
            run.attemptsWithoutProgress = 4
            run.download.bytesReceived = 41
            _ = try await ledger.finish([run])
            let again = try #require(await lab.claim(ledger).first)
            #expect(again.resume == point)
            #expect(again.attemptsWithoutProgress == 4)
            #expect(again.fence > claim.fence)
            #expect(again.download.attempt == 2)
            #expect(again.download.bytesReceived == 41)
            #expect(again.download.startedAt == claim.claimedAt)
        }
    }

    @Test func staleFenceChangesNothing() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            let id = claim.download.id
            try await ledger.unregister()
            let successor = try await lab.register()
            let current = try #require(await lab.claim(successor).first)
            #expect(current.download.id == id)
            let before = try await lab.everything()
            for outcome in [RunOutcome.succeeded, .failed, .retryScheduled, .canceled, .suspended] {
                #expect(try await ledger.finish([lab.end(claim, outcome)]).isEmpty)
                // The end is refused even with the present fence, because that belongs to another
                // replica.
                var stolen = lab.end(current, outcome)
                stolen.fence = current.fence
                #expect(try await ledger.finish([stolen]).isEmpty)
                // The former fence under the successor's name is refused, too.
                #expect(try await successor.finish([lab.end(claim, outcome)]).isEmpty)
            }
            let progress = RunProgress(
                download: claim.download, fence: claim.fence,
                at: claim.claimedAt + .milliseconds(1), resume: nil, emitsEvent: true)
            #expect(try await ledger.report([progress]).isEmpty)
            #expect(try await lab.everything() == before)
            #expect(try await successor.finish([lab.end(current, .succeeded)]) == [id])
        }
    }

    @Test func repeatedFinishCountsOnce() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            #expect(try await ledger.finish([lab.end(claim, .retryScheduled)]).count == 1)
            let before = try await lab.everything()
            #expect(try await ledger.finish([lab.end(claim, .retryScheduled)]).isEmpty)
            #expect(try await lab.everything() == before)
        }
    }

    @Test func progressIsRecorded() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running([
                "webhook_url": "https://hooks.example/a", "webhook_events": ["download.progress"],
            ])
            let id = claim.download.id
            var download = claim.download
            download.bytesReceived = 5
            download.bytesTotal = 9
            download.sequence += 1
            let told = RunProgress(
                download: download, fence: claim.fence, at: claim.claimedAt + .milliseconds(1),
                resume: nil, emitsEvent: true)
            #expect(try await ledger.report([told]) == [id])
            let found = try #require(await lab.find(id)).download
            #expect(found.bytesReceived == 5)
            #expect(found.bytesTotal == 9)
            #expect(found.sequence == download.sequence)
            #expect(try await lab.events(of: id) == [.created, .started, .progress])
            let body = try await lab.pool.query(
                "SELECT events.payload FROM \(StoreLab.deliveredEvents)")[
                    0
                ]
                .get(0, as: String.self)
            #expect(body == download.eventData())
        }
    }
}

extension StoreLab {
    /// All rows that a replica without a lease could spoil, as one text.
    func everything() async throws -> String {
        try await pool.query(
            """
            SELECT concat(
                (SELECT json_agg(q ORDER BY q.id) FROM queue q),
                (SELECT json_agg(d ORDER BY d.id) FROM downloads d),
                (SELECT json_agg(g ORDER BY g.kind, g.key) FROM gates g),
                (SELECT json_agg(e ORDER BY e.journal_no) FROM events e),
                (SELECT json_agg(a) FROM attempts a),
                (SELECT json_agg(w ORDER BY w.delivery_no) FROM deliveries w))
            """)[0].get(0, as: String.self)
    }
}
