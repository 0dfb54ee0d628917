// Downloads whose origin is not reached: their wait counts no attempts, and they continue together.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Support
import Synchronization
import Testing
import Trees

@testable import Worker

@Suite struct ConnectivityTests {
    @Test func downloadsWaitForTheirOriginAndGoOnTogether() async throws {
        try await Replica.with(
            change: {
                // A single attempt that counts would end the download.
                $0.retries = RetrySchedule(
                    base: .milliseconds(20), cap: .milliseconds(50), maximumAttempts: 1)
            },
            { _ in Answer.whole(content(10)) }
        ) { replica, origin in
            replica.lab.names.isReachable.withLock { $0 = false }
            let url = "http://moving.test:\(origin.port)/file"
            var ids: [Identifier] = []
            for _ in 0..<5 { ids.append(try await replica.submit(url)) }
            let isMarked = try await eventually {
                try await replica.number(
                    "SELECT count(*) FROM gates WHERE unreachable_since IS NOT NULL") == 1
            }
            #expect(isMarked)
            // A download that does not wait fails at once.
            let impatient = try await replica.submit(url, ["waits_for_connectivity": false])
            let failed = try await replica.reached(.failed, impatient)
            #expect(failed.download.result["error"]?["code"] == "dns_lookup_failed")
            let late = try await replica.submit(url)
            let candidate = try #require(try await replica.find(late).candidate)
            #expect(candidate.outage != nil)
            #expect(try await replica.find(late).download.attempt == 0, "it was not asked for")
            replica.lab.names.isReachable.withLock { $0 = true }
            for id in ids + [late] { _ = try await replica.reached(.succeeded, id) }
            let outcomes = try await replica.attempts(ids[0]).map(\.outcome)
            #expect(outcomes.first == "unreachable" && outcomes.last == "succeeded")
            #expect(
                try await replica.number(
                    "SELECT count(*) FROM gates WHERE unreachable_since IS NOT NULL") == 0)
            let probes = replica.worker.tally.probesByOutcome
            #expect(probes.first { $0.outcome == "reached" }?.count == 1)
            let waited = try await replica.attempts(late).compactMap(\.detail.timeBlocked)
            #expect(waited.contains { $0["origin_unreachable"] != nil }, "\(waited)")
        }
    }

    /// The origin of a long transfer counts as reached when its answer begins, not when it ends.
    @Test func othersGoOnWhenTheAnswerBegins() async throws {
        let gate = OriginGate()
        let bytes = content(5000)
        try await Replica.with({ request in
            guard request.target == "/long" else { return Answer.whole(content(10)) }
            let steps = Answer.whole(bytes, cutAfter: 4000)
            return Array(steps.dropLast()) + [.wait(gate), .close]
        }) { replica, origin in
            defer { gate.open() }
            replica.lab.names.isReachable.withLock { $0 = false }
            let root = "http://moving.test:\(origin.port)"
            let long = try await replica.submit(root + "/long")
            let isMarked = try await eventually {
                try await replica.number(
                    "SELECT count(*) FROM gates WHERE unreachable_since IS NOT NULL") == 1
            }
            #expect(isMarked)
            let short = try await replica.submit(root + "/short")
            replica.lab.names.isReachable.withLock { $0 = true }
            _ = try await replica.reached(.succeeded, short)
            #expect(try await replica.find(long).download.state == .running)
        }
    }
}
