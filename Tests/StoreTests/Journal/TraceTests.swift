// Every event has the caller's trace.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct TraceTests {
    @Test func deliveryCarriesTheTraceParent() async throws {
        try await StoreLab.with { lab in
            let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
            var new = try lab.draft([
                "webhook_url": "https://hooks.example/", "webhook_events": ["download.*"],
            ])
            new.download.spec.traceparent = trace
            new.download.spec.requestID = "req_1"
            _ = try await Intake(pool: lab.pool).submit(new)
            _ = try await lab.downloads.perform(.cancel, on: new.download.id, app: 1)
            let ledger = try await lab.register()
            let due = try await lab.outbox(ledger).claim(each: 9, total: 9).due
            #expect(due.map(\.type) == [.created, .canceled])
            #expect(due.map(\.requestID) == ["req_1", "req_1"])
            let claimed = try #require(await lab.find(new.download.id)).download.spec
            #expect(claimed.traceparent == trace && claimed.requestID == "req_1")
            for delivery in due {
                let headers = delivery.message.headers(attemptedAt: 1, signature: "s")
                #expect(headers.contains { $0.name == "traceparent" && $0.value == trace })
            }
        }
    }
}
