// A policy and conditions, stored and applied as a replica's API does it.
import Base
import Scheduling
import Store
import Testing

@testable import Worker

extension Replica {
    /// Puts a policy in force.
    func enforce(_ document: JSONObject) async throws {
        let policy = try Policy.parse(
            .object(document), defaults: PolicyLimits(running: 64, perOrigin: 6, perSession: 16)
        ) { _ in true }.get()
        guard case .stored(let stored) = try await Policies(pool: pool).replace(document: document)
        else {
            Issue.record("the policy is not stored")
            return
        }
        let (facts, clock) = await (worker.facts, worker.clock)
        // The watch may have been faster.
        _ = facts.replace(policy, .utc, version: stored.version, at: clock.now)
        worker.replacePolicy(policy, .utc)
    }

    /// Pushes a condition, or removes its push.
    func push(_ name: String, _ push: ConditionPush?) async throws {
        let conditions = Conditions(pool: pool)
        let (facts, clock) = await (worker.facts, worker.clock)
        if let push {
            let (record, version) = try #require(try await conditions.put(name, push))
            facts.take(record.push, of: name, version: version, at: clock.now)
        } else {
            let version = try #require(try await conditions.remove(name))
            facts.take(nil, of: name, version: version, at: clock.now)
        }
        worker.conditionsChanged()
    }
}
