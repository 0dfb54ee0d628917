// The worker says when a deadline cannot be met, and moves waiting downloads after another policy.
import Base
import Downloads
import Scheduling
import Store
import Support
import Testing

@testable import Worker

@Suite struct DeadlineTests {
    /// Files of 1 GB are held, and late ones wait for a window that opens in six hours.
    private static func shut(at now: Timestamp) -> JSON {
        let hour = (now.seconds / 3600 + 6) % 24
        let window = [":00-", ":30"].map { (hour < 10 ? "0" : "") + "\(hour)" + $0 }.joined()
        return [
            "conditions": ["hold": ["type": "boolean", "default": true]],
            "windows": ["later": [.string(window)]],
            "rules": [
                [
                    "name": "isos", "match": ["expected_bytes": ["min": "1GB"]],
                    "require": ["hold = false"],
                ],
                [
                    "name": "late", "match": ["metadata": ["kind": "late"]],
                    "require": ["window later"],
                ],
            ],
        ]
    }

    private static func force(_ replica: Replica) async throws {
        let (facts, clock) = await (replica.worker.facts, replica.worker.clock)
        let policy = try Policy.parse(
            shut(at: clock.now), defaults: PolicyLimits(running: 64, perOrigin: 6, perSession: 16)
        ) { _ in true }.get()
        #expect(facts.replace(policy, .utc, version: 1, at: clock.now))
        replica.worker.replacePolicy(policy, .utc)
    }

    @Test func aDownloadWhoseTimeIsOverSaysWhichWindowNeverOpened() async throws {
        try await Replica.with({ _ in Answer.whole(content(10)) }) { replica, origin in
            try await Self.force(replica)
            let id = try await replica.submit(
                origin.url(),
                ["metadata": ["kind": "late"], "timeout_interval_for_resource": 1])
            let failure = try await replica.reached(.failed, id).download.result.error
            #expect(failure?.code == .timedOut)
            let detail = try #require(failure?.detail)
            #expect(detail.contains("it waited for window of the rule \"late\" since "))
            #expect(detail.contains("later"), "the window's name")
            #expect(origin.requests.isEmpty)
        }
    }

    @Test func aDeadlineThatARuleExcludesIsSaidAtOnce() async throws {
        try await Replica.with({ _ in Answer.whole(content(10)) }) { replica, origin in
            try await Self.force(replica)
            let now = await replica.worker.clock.now
            let id = try await replica.submit(
                origin.url(),
                [
                    "metadata": ["kind": "late"],
                    "complete_by": .string((now + .seconds(1800)).rfc3339),
                ])
            replica.worker.deadlineSet()
            let isSaid = try await eventually {
                try await replica.find(id).download.atRiskSince != nil
            }
            #expect(isSaid)
        }
    }

    /// Downloads that waited under no policy are sorted by the policy that came.
    @Test func rowsThatWaitGetTheFacetsOfANewPolicy() async throws {
        try await Replica.with({ _ in Answer.whole(content(10)) }) { replica, origin in
            let now = await replica.worker.clock.now
            let soon = JSON.string((now + .seconds(2)).rfc3339)
            let small = try await replica.submit(origin.url("/s"), ["earliest_begin_date": soon])
            let large = try await replica.submit(
                origin.url("/l"),
                [
                    "earliest_begin_date": soon,
                    "count_of_bytes_client_expects_to_receive": 2_000_000_000,
                ])
            try await Self.force(replica)
            _ = try await replica.reached(.succeeded, small)
            #expect(try await replica.find(large).download.state == .waiting)
        }
    }
}
