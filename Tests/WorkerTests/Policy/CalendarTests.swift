// The demands that a calendar books hours for, read from a real queue.
import Base
import Downloads
import Platform
import Scheduling
import Store
import Support
import Testing
import Transfers

@testable import Worker

@Suite struct CalendarTests {
    /// The sums that are booked: known and unknown sizes, of waiting and of running downloads.
    @Test func lanesAreSummedUp() async throws {
        try await Replica.with({ _ in Answer.whole([]) }, isRunning: false) { replica, origin in
            let files: [(String, Int64?)] = [("/a", 1000), ("/b", 3000), ("/c", nil)]
            for (path, expected) in files {
                var members: JSONObject = ["is_discretionary": true]
                if let expected {
                    members["count_of_bytes_client_expects_to_receive"] = .integer(expected)
                }
                _ = try await replica.submit(origin.url(path), members)
            }
            _ = try await replica.submit(origin.url("/d"))
            let lanes = try await replica.downloads.queue.queuedLanes(rows: 100, lanes: 10)
            let found = try #require(lanes.first { $0.candidate.isDiscretionary })
            #expect(lanes.count == 2)
            #expect(found.count == 3 && found.unknown == 1 && found.bytes == 4000)
            #expect(found.candidate.need == 3000 && found.candidate.deadline.complete == nil)
            let name = found.candidate.originName ?? ""
            #expect(origin.url().hasPrefix(name) && !name.isEmpty)
            #expect(try await replica.downloads.queue.queuedLanes(rows: 2, lanes: 10).count == 1)
            #expect(try await replica.downloads.queue.queuedLanes(rows: 100, lanes: 1).count == 1)
        }
    }

    /// From the pushed schedule over the conductor to the claim: a download waits for the cheap
    /// hours, and begins when all hours have one price.
    @Test func aDownloadRunsInTheHoursThatItsRulePrefers() async throws {
        try await Replica.with({ _ in Answer.whole(content(1000)) }) { replica, origin in
            try await replica.enforce([
                "conditions": ["power_price": ["type": "number"]],
                "rules": [
                    [
                        "name": "cheap", "match": ["is_discretionary": true],
                        "prefer": "least power_price",
                    ]
                ],
            ])
            let clock = await replica.worker.clock
            let cheapFrom = PriceCurve.hour(of: clock.now) + .seconds(3 * 3600)
            let step = ConditionPush.Step(from: cheapFrom, value: .number(0.1))
            try await replica.push(
                "power_price",
                ConditionPush(value: .number(1), pushedAt: .epoch, schedule: [step]))
            let id = try await replica.submit(
                origin.url("/later"),
                [
                    "is_discretionary": true,
                    "count_of_bytes_client_expects_to_receive": 1000,
                ])
            // Downloads without a preference begin before it.
            for number in 0..<3 {
                let other = try await replica.submit(origin.url("/now\(number)"))
                _ = try await replica.reached(.succeeded, other)
            }
            let record = try await replica.find(id)
            #expect(record.download.state == .waiting)
            let candidate = try #require(record.candidate)
            let blockers = Admission.policyBlockers(
                candidate, in: await replica.worker.situation)
            #expect(blockers.map(\.code) == [.preferredTime])
            #expect(blockers.first?.until == cheapFrom)
            try await replica.push(
                "power_price", ConditionPush(value: .number(0.1), pushedAt: .epoch))
            _ = try await replica.reached(.succeeded, id)
        }
    }
}
