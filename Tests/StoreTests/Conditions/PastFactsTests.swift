// The facts in force before a process began are read from the stored changes.
import Base
import Postgres
import Scheduling
import Store
import Testing

@Suite struct PastFactsTests {
    /// A process reads at its start each change once, and the values that were in force before.
    @Test func changesAreReadInTheirOrderBehindWhatWasInForce() async throws {
        try await StoreLab.with { lab in
            let (policies, conditions) = (Policies(pool: lab.pool), Conditions(pool: lab.pool))
            for zone in ["UTC", "Europe/Berlin"] {
                _ = try await policies.replace(document: ["time_zone": .string(zone)])
            }
            _ = try await lab.pool.query(
                "UPDATE policy_versions SET created_at = created_at - interval '9 days'")
            let start = try await lab.now() - FactsHistory.memory
            _ = try await policies.replace(of: 1, document: ["limits": ["per_app": 3]])
            _ = try await policies.replace(document: nil)
            let changes = try await policies.changes(since: start)
            #expect(changes.map(\.app) == [nil, "default", nil])
            #expect(changes.map { $0.document?["time_zone"] } == ["Europe/Berlin", nil, nil])
            #expect(changes[2].document == nil && changes[0].at < start)
            for number in 1...3 {
                _ = try await conditions.put(
                    "p\(number % 2)",
                    ConditionPush(value: .number(Double(number)), pushedAt: .epoch))
            }
            _ = try await conditions.remove("p1")
            // A value that is older than the stored changes.
            _ = try await lab.pool.query("DELETE FROM condition_changes WHERE name = 'p0'")
            let pushed = try await conditions.allChanges()
            #expect(pushed.map(\.name) == ["p0", "p1", "p1", "p1"])
            #expect(pushed.map(\.change.value) == [.number(2), .number(1), .number(3), nil])
            #expect(try await conditions.allChanges(limit: 1).map(\.name) == ["p0", "p1"])
        }
    }
}
