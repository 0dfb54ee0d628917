// A replica wakes sessions by itself, and stops the runs of a suspended one.
import Base
import Downloads
import Postgres
import Store
import Support
import Testing
import Trees

@testable import Worker

@Suite struct SessionTests {
    private func put(_ replica: Replica, _ members: JSONObject) async throws {
        _ = try await Sessions(pool: replica.pool).put(
            app: 1, identifier: "default",
            configuration: try SessionConfiguration.parse(.object(members)).get())
    }

    @Test func theEndOfADownloadWakesItsSession() async throws {
        try await Replica.with({ _ in Answer.whole(content(10)) }) { replica, origin in
            try await put(
                replica,
                ["webhook_url": "https://hooks.example/", "webhook_events": ["session.*"]])
            let id = try await replica.submit(origin.url())
            _ = try await replica.reached(.succeeded, id)
            func count(_ type: EventType) async throws -> Int64 {
                try await replica.number(
                    "SELECT count(*) FROM events WHERE type = \(type.rawValue)")
            }
            let isWoken = try await eventually {
                let (wakes, ends) = (
                    try await count(.sessionWake), try await count(.sessionEventsFinished)
                )
                return wakes == 1 && ends == 1
            }
            #expect(isWoken)
            #expect(try await count(.sessionDrained) == 1)
            // The wake is counted after the commit.
            let isCounted = try await eventually {
                replica.worker.wakes.counts.first { $0.name == "sent" }?.count == 1
            }
            #expect(isCounted)
        }
    }

    @Test func runsOfASuspendedSessionWaitWithTheirBytes() async throws {
        let gate = OriginGate()
        let bytes = content(2_000_000)
        try await Replica.with({ request in
            if let start = request.rangeStart { return Answer.part(bytes, from: start) }
            let steps = Answer.whole(bytes, cutAfter: 900_000)
            return Array(steps.dropLast()) + [.wait(gate), .close]
        }) { replica, origin in
            defer { gate.open() }
            try await put(replica, ["max_running": 5])
            let id = try await replica.submit(origin.url())
            let isHalf = try await eventually {
                try await replica.find(id).download.bytesReceived == 900_000
            }
            #expect(isHalf)
            let sessions = Sessions(pool: replica.pool)
            let change = try await sessions.suspend(app: 1, identifier: "default", true)
            guard case .done(_, let stopping) = change else {
                Issue.record("not suspended")
                return
            }
            #expect(stopping == [id])
            replica.worker.order(id, .yield)
            let waiting = try await replica.reached(.waiting, id)
            #expect(waiting.download.bytesReceived == 900_000)
            let again = try await replica.submit(origin.url())
            // Other downloads run meanwhile, so the replica has looked.
            #expect(try await replica.find(again).download.state == .waiting)
            _ = try await sessions.suspend(app: 1, identifier: "default", false)
            replica.worker.hint()
            // The second request waits for this gate, not for the end of its patience.
            gate.open()
            _ = try await replica.reached(.succeeded, again)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == bytes)
            #expect(record.download.result["resume"]?["outcome"] == "continued")
        }
    }
}
