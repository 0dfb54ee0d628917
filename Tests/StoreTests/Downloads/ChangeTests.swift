// Changed values, and the place in the queue that follows from them.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct ChangeTests {
    private func change(
        _ lab: StoreLab, _ id: Identifier, origin: String? = nil,
        _ body: (inout Download) -> Void
    ) async throws -> ChangeOutcome {
        let old = try #require(await lab.find(id)).download
        var new = old
        body(&new)
        return try await lab.downloads.change(old, to: new, origins: origin.map { [$0] }, app: 1)
    }

    @Test func changeMovesTheRowToItsLane() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.submit(1, ["suspended": true])[0]
            let ledger = try await lab.register()
            _ = try await lab.downloads.perform(.resume, on: id, app: 1)
            _ = try await change(lab, id, origin: "http://other.example:80") {
                $0.url = "http://other.example/x"
                $0.priority = 1
                $0.spec.isDiscretionary = true
                $0.spec.metadata = ["a": "b"]
            }
            let found = try #require(await lab.find(id)).download
            #expect(found.url == "http://other.example/x" && found.priority == 1)
            #expect(found.spec.isDiscretionary && found.spec.metadata == ["a": "b"])
            #expect(found.spec.resourceTimeout == 604_800)
            let claim = try #require(await lab.claim(ledger).first)
            #expect(claim.download.url == "http://other.example/x")
            #expect(try await lab.wrongGates() == 0)
            _ = try await ledger.finish([lab.end(claim, .succeeded)])
            #expect(try await lab.wrongGates() == 0)
            // The event of its creation still says that it was suspended.
            #expect(
                try await lab.number("SELECT count(*) FROM downloads WHERE spec ? 'suspended'") == 1
            )
        }
    }

    @Test func earliestBeginCanMoveBothWays() async throws {
        try await StoreLab.with { lab in
            let late = Timestamp(seconds: 4_000_000_000)
            let id = try await lab.submit()[0]
            let ledger = try await lab.register()
            _ = try await change(lab, id) { $0.earliestBeginDate = late }
            #expect(try await lab.claim(ledger).isEmpty)
            _ = try await change(lab, id) { $0.earliestBeginDate = nil }
            #expect(try await lab.claim(ledger).count == 1)
        }
    }

    @Test func earlierEventsKeepTheirDataAfterAChange() async throws {
        try await StoreLab.with { lab in
            let (ledger, first) = try await lab.running([
                "webhook_url": "https://hook.example/", "webhook_events": ["download.*"],
                "metadata": ["k": "old"],
            ])
            let id = first.download.id
            var run = lab.end(first, .retryScheduled)
            run.download.bytesReceived = 41
            run.download.bytesTotal = 99
            _ = try await ledger.finish([run])
            _ = try #require(await lab.claim(ledger).first)
            try await ledger.unregister()
            let query = JournalQuery(scope: .download(id))
            let events = try await lab.downloads.journal.read(query, after: nil, limit: 10).events
            let types: [EventType] = [
                .created, .started, .retryScheduled, .started, .retryScheduled,
            ]
            #expect(events.map(\.message.type) == types)
            _ = try await lab.pool.query("UPDATE deliveries SET state = 1 WHERE sequence = 1")
            _ = try await change(lab, id, origin: "http://other.example:80") {
                $0.url = "http://other.example/x"
                $0.priority = 1
                $0.spec.metadata = ["k": "new"]
            }
            let found = try #require(await lab.find(id)).download
            #expect(found.spec.metadata == ["k": "new"] && found.priority == 1)
            _ = try await lab.pool.query("UPDATE deliveries SET state = 0")
            _ = try await lab.pool.query("UPDATE receivers SET next_at = '-infinity'")
            let due = try await lab.outbox(try await lab.register()).claim(each: 9, total: 9).due
            let told = due.sorted { $0.number < $1.number }.map(\.message)
            #expect(told.map(\.id) == events.map(\.message.id))
            #expect(told.map(\.body) == events.map(\.message.body))
            let same = try await lab.downloads.journal.read(query, after: nil, limit: 10).events
            #expect(same.map(\.message) == events.map(\.message))
            #expect(same.map(\.position) == events.map(\.position))
        }
    }

    @Test func concurrentChangeIsStale() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.submit()[0]
            let old = try #require(await lab.find(id)).download
            _ = try await lab.downloads.perform(.suspend, on: id, app: 1)
            guard case .stale = try await lab.downloads.change(old, to: old, origins: nil, app: 1)
            else {
                Issue.record("it was changed")
                return
            }
            guard
                case .notFound = try await lab.downloads.change(old, to: old, origins: nil, app: 2)
            else {
                Issue.record("it was found")
                return
            }
        }
    }
}
