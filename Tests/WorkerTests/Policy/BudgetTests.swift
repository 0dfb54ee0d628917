// Budgets and yielding over a real queue: the reasons that stop runs, and those that let them
// continue.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Support
import Testing
import Trees

@testable import Worker

@Suite struct BudgetTests {
    private static func script(_ bytes: [UInt8]) -> OriginServer.Script {
        { request in
            request.rangeStart.map { Answer.part(bytes, from: $0) } ?? Answer.whole(bytes)
        }
    }

    private static func set(
        _ document: JSONObject, version: Int64, _ replica: Replica
    ) async throws {
        let (facts, clock) = await (replica.worker.facts, replica.worker.clock)
        let policy = try Policy.parse(
            .object(document), defaults: PolicyLimits(running: 64, perOrigin: 6, perSession: 16)
        ) { _ in true }.get()
        #expect(facts.replace(policy, .utc, version: version, at: clock.now))
        replica.worker.replacePolicy(policy, .utc)
    }

    @Test func aHardBudgetStopsARunWhereItCanBeContinued() async throws {
        let bytes = content(6_000_000)
        try await Replica.with(Self.script(bytes)) { replica, origin in
            let budget: JSON = [
                "name": "month", "bytes": 2_500_000, "per": "month", "scope": "deployment",
                "hard": true,
            ]
            try await Self.set(
                ["budgets": [budget], "bandwidth": "1MiB"], version: 1, replica)
            let id = try await replica.submit(origin.url())
            let isMoving = try await eventually {
                try await replica.find(id).download.bytesReceived > 200_000
            }
            #expect(isMoving)
            let held = try await replica.reached(.waiting, id).download
            #expect(held.bytesReceived > 0 && held.bytesReceived < 4_000_000)
            #expect(held.result.error == nil)
            let counters = try await replica.pool.query(
                "SELECT spent, reserved FROM budget_counters")
            #expect(counters.count == 1)
            #expect(try counters[0].get(1, as: Int64.self) == 0)
            let spent = try counters[0].get(0, as: Int64.self)
            #expect(spent >= held.bytesReceived && spent < 4_500_000)
            // No download begins while the budget is spent; all begin once there is no budget.
            replica.worker.hint()
            try await Task.sleep(for: .milliseconds(100))
            #expect(try await replica.find(id).download.state == .waiting)
            try await Self.set(["bandwidth": "off"], version: 2, replica)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == bytes)
            #expect(record.download.result["resume"]?["outcome"] == "continued")
        }
    }

    @Test func whatADownloadBroughtIsSpentAndTheRestIsGivenBack() async throws {
        let bytes = content(300_000)
        try await Replica.with(Self.script(bytes)) { replica, origin in
            let budget: JSON = [
                "name": "day", "bytes": "1GB", "per": "day", "scope": "session",
            ]
            try await Self.set(["budgets": [budget]], version: 1, replica)
            for number in 0..<3 {
                let id = try await replica.submit(origin.url("/\(number)"))
                _ = try await replica.reached(.succeeded, id)
            }
            let rows = try await replica.pool.query(
                "SELECT value, spent, reserved FROM budget_counters")
            #expect(rows.count == 1)
            #expect(try rows[0].get(0, as: String.self) == "default/default")
            #expect(try rows[0].get(1, as: Int64.self) == 900_000)
            #expect(try rows[0].get(2, as: Int64.self) == 0)
        }
    }

    @Test func aDiscretionaryRunYieldsItsSlotAndGoesOnAfterwards() async throws {
        let bytes = content(4_000_000)
        let one: (inout WorkerSettings) -> Void = {
            $0.slots = 1
            $0.yieldsAfter = .zero
        }
        try await Replica.with(change: one, Self.script(bytes)) { replica, origin in
            try await Self.set(
                ["bandwidth": "1MiB", "shares": ["discretionary_floor": 0]], version: 1, replica)
            let slow = try await replica.submit(origin.url("/slow"), ["is_discretionary": true])
            let isMoving = try await eventually {
                try await replica.find(slow).download.bytesReceived > 300_000
            }
            #expect(isMoving)
            let urgent = try await replica.submit(origin.url("/urgent"))
            #expect(try await replica.reached(.waiting, slow).download.result.error == nil)
            _ = try await replica.reached(.running, urgent)
            try await Self.set(["bandwidth": "off"], version: 2, replica)
            _ = try await replica.reached(.succeeded, urgent)
            let record = try await replica.reached(.succeeded, slow)
            #expect(try replica.file(record) == bytes)
            let outcomes = try await replica.pool.query(
                "SELECT outcome FROM attempts WHERE id = $1 ORDER BY attempt",
                [UUIDValue(slow)]
            ).map { try $0.get(0, as: Int16.self) }
            #expect(
                outcomes == [RunOutcome.yielded.rawValue, RunOutcome.succeeded.rawValue])
        }
    }

    /// A download with a near complete deadline has less time than one with a later time limit.
    @Test func theRunWithTheLastDeadlineYields() async throws {
        let bytes = content(4_000_000)
        let two: (inout WorkerSettings) -> Void = {
            $0.slots = 2
            $0.yieldsAfter = .zero
        }
        try await Replica.with(change: two, Self.script(bytes)) { replica, origin in
            try await Self.set(
                ["bandwidth": "1MiB", "shares": ["discretionary_floor": 0]], version: 1, replica)
            let now = await replica.worker.clock.now
            let dated = try await replica.submit(
                origin.url("/dated"),
                [
                    "is_discretionary": true,
                    "complete_by": .string((now + .seconds(4 * 86_400)).rfc3339),
                ])
            let undated = try await replica.submit(
                origin.url("/undated"),
                [
                    "is_discretionary": true,
                    "timeout_interval_for_resource": 432_000,
                ])
            let areMoving = try await eventually {
                let first = try await replica.find(dated).download.bytesReceived
                let second = try await replica.find(undated).download.bytesReceived
                return first > 100_000 && second > 100_000
            }
            #expect(areMoving)
            _ = try await replica.submit(origin.url("/urgent"))
            _ = try await replica.reached(.waiting, undated)
            #expect(try await replica.find(dated).download.state == .running)
        }
    }
}
