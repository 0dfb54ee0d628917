// Conditions over a real queue: pushed at another replica, measured here, and the runs that go on
// when a condition closes.
import Base
import Downloads
import Platform
import Scheduling
import Store
import Support
import Testing
import Transfers
import Trees

@testable import Worker

@Suite struct ConditionTests {
    private static func script(_ bytes: [UInt8]) -> OriginServer.Script {
        { request in
            request.rangeStart.map { Answer.part(bytes, from: $0) } ?? Answer.whole(bytes)
        }
    }

    private static let hold: JSONObject = [
        "conditions": ["hold": ["type": "boolean", "default": false]],
        "rules": [["name": "hold", "require": ["hold = false"], "at_close": "stop"]],
        "bandwidth": "3MiB",
    ]

    private static func push(_ value: Bool) -> ConditionPush {
        ConditionPush(value: .flag(value), pushedAt: .epoch)
    }

    @Test func aConditionStopsRunsAndLetsThemGoOn() async throws {
        let bytes = content(8_000_000)
        try await Replica.with(Self.script(bytes)) { replica, origin in
            let (facts, clock) = await (replica.worker.facts, replica.worker.clock)
            let policy = try Policy.parse(
                .object(Self.hold),
                defaults: PolicyLimits(running: 64, perOrigin: 6, perSession: 16)
            ) { _ in true }.get()
            #expect(facts.replace(policy, .utc, version: 1, at: clock.now))
            replica.worker.replacePolicy(policy, .utc)
            let id = try await replica.submit(origin.url())
            let isMoving = try await eventually {
                try await replica.find(id).download.bytesReceived > 500_000
            }
            #expect(isMoving)
            try await replica.push("hold", Self.push(true))
            let waiting = try await replica.reached(.waiting, id)
            #expect(waiting.download.bytesReceived > 0)
            let late = try await replica.submit(origin.url("/late"))
            try await Task.sleep(for: .milliseconds(100))
            #expect(try await replica.find(late).download.state == .waiting)
            let held = try await replica.find(id).download
            #expect(held.state == .waiting, "\(held.state) \(held.result.tree.text)")
            try await replica.push("hold", nil)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == bytes)
            #expect(record.download.result["resume"]?["outcome"] == "continued")
            _ = try await replica.reached(.succeeded, late)
        }
    }

    /// No download waits for a soft rule when its deadline is near.
    @Test func aRunWithANearDeadlineGoesOnWhenASoftRuleCloses() async throws {
        let bytes = content(6_000_000)
        try await Replica.with(Self.script(bytes)) { replica, origin in
            try await replica.enforce([
                "conditions": ["hold": ["type": "boolean", "default": false]],
                "rules": [
                    [
                        "name": "hold", "require": ["hold = false"], "soft": true,
                        "at_close": "stop",
                    ]
                ],
                "bandwidth": "3MiB",
            ])
            let soon = await replica.worker.clock.now + .seconds(60)
            let near = try await replica.submit(
                origin.url("/near"), ["complete_by": .string(soon.rfc3339)])
            let far = try await replica.submit(origin.url("/far"))
            let areMoving = try await eventually {
                for id in [near, far] {
                    guard try await replica.find(id).download.bytesReceived > 500_000
                    else { return false }
                }
                return true
            }
            #expect(areMoving)
            try await replica.push("hold", Self.push(true))
            _ = try await replica.reached(.waiting, far)
            let record = try await replica.reached(.succeeded, near)
            #expect(record.download.attempt == 1)
            #expect(try await replica.find(far).download.state == .waiting)
        }
    }

    /// Policy and condition are only stored, as another replica's API stores them.
    @Test func whatAnotherReplicaStoredIsLearned() async throws {
        try await Replica.with(Self.script(content(1000))) { replica, _ in
            try await replica.besides(change: { $0.slots = 1 }) { other in
                let conditions = Conditions(pool: replica.pool)
                _ = try await Policies(pool: replica.pool).replace(document: Self.hold)
                _ = try await conditions.put("hold", Self.push(true))
                let known = { (replica: Replica) in
                    let (facts, clock) = await (replica.worker.facts, replica.worker.clock)
                    return facts.conditions.track("hold")?.known(at: clock.now)
                }
                #expect(try await eventually { await known(other) == .flag(true) })
                #expect(try await eventually { await known(replica) == .flag(true) })
                _ = try await conditions.remove("hold")
                #expect(try await eventually { await known(other) == nil })
                #expect(try await eventually { await known(replica) == nil })
            }
        }
    }

    @Test func measuredConditionsAreRead() async throws {
        try await Replica.with(Self.script(content(1000))) { replica, origin in
            let policy = try Policy.parse(
                ["rules": [["name": "busy", "require": ["load_per_core < 0"]]]],
                defaults: PolicyLimits(running: 64, perOrigin: 6, perSession: 16)
            ) { _ in true }.get()
            let facts = await replica.worker.facts
            let clock = await replica.worker.clock
            #expect(facts.replace(policy, .utc, version: 1, at: clock.now))
            replica.worker.replacePolicy(policy, .utc)
            let isRead = try await eventually {
                facts.conditions.track("load_per_core")?.value(at: clock.now) != nil
            }
            #expect(isRead)
            let id = try await replica.submit(origin.url())
            try await Task.sleep(for: .milliseconds(200))
            #expect(try await replica.find(id).download.state == .waiting)
        }
    }

    /// A client's choice of networks holds without a policy.
    @Test func aDownloadLeavesAnExpensiveNetwork() async throws {
        let bytes = content(8_000_000)
        try await Replica.with(Self.script(bytes)) { replica, origin in
            try await replica.enforce(["bandwidth": "3MiB"])
            let id = try await replica.submit(
                origin.url(), ["allows_expensive_network_access": false])
            let isMoving = try await eventually {
                try await replica.find(id).download.bytesReceived > 500_000
            }
            #expect(isMoving)
            try await replica.push(
                "network_cost", ConditionPush(value: .word("expensive"), pushedAt: .epoch))
            let waiting = try await replica.reached(.waiting, id)
            let candidate = try #require(waiting.candidate)
            let blockers = Admission.policyBlockers(candidate, in: await replica.worker.situation)
            #expect(blockers.map(\.rule) == ["allows_expensive_network_access"])
            // A download that may use the network passes.
            let other = try await replica.submit(origin.url("/other"))
            let isOtherMoving = try await eventually {
                try await replica.find(other).download.bytesReceived > 0
            }
            #expect(isOtherMoving)
            #expect(try await replica.find(id).download.state == .waiting)
            try await replica.push("network_cost", nil)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == bytes)
        }
    }
}
