// Sessions by name, and the policy: each change makes a version.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct SessionsTests {
    @Test func firstPutCreatesTheSession() async throws {
        try await StoreLab.with { lab in
            let sessions = Sessions(pool: lab.pool)
            #expect(try await sessions.find(app: 1, identifier: "a") == nil)
            var configuration = SessionConfiguration()
            configuration.requestTimeout = 7
            guard
                case .made(let made) = try await sessions.put(
                    app: 1, identifier: "a", configuration: configuration)
            else { throw StoreError(.refused, "it is new") }
            #expect(made.version == 1)
            #expect(made.configuration == configuration)
            // An equal configuration changes nothing.
            guard
                case .kept(let same) = try await sessions.put(
                    app: 1, identifier: "a", configuration: configuration)
            else { throw StoreError(.refused, "it is not new") }
            #expect(same.key == made.key)
            #expect(same.version == 1)
            #expect(same.updatedAt == made.updatedAt)
            // Another configuration: a new version, and the old one stays readable.
            configuration.webhookURL = "https://hooks.example"
            let other = try #require(
                await sessions.put(app: 1, identifier: "a", configuration: configuration).record)
            #expect(other.key == made.key)
            #expect(other.version == 2)
            #expect(other.configuration == configuration)
            #expect(other.updatedAt > made.updatedAt)
            #expect(other.createdAt == made.createdAt)
            let versions = try await lab.number(
                "SELECT count(*) FROM session_versions WHERE session_no = $1", [made.key])
            #expect(versions == 2)
            let found = try #require(await sessions.find(app: 1, identifier: "a"))
            #expect(found.version == 2)
            #expect(try await sessions.list(app: 1).map(\.identifier) == ["a", "default"])
            #expect(try await sessions.list(app: 2).isEmpty)
        }
    }

    @Test func concurrentPutsCreateOneSession() async throws {
        try await StoreLab.with { lab in
            let sessions = Sessions(pool: lab.pool)
            let results = try await withThrowingTaskGroup(of: (Int64, Bool).self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        let outcome = try await sessions.put(
                            app: 1, identifier: "x", configuration: SessionConfiguration())
                        let isNew = if case .made = outcome { true } else { false }
                        return (outcome.record?.key ?? 0, isNew)
                    }
                }
                return try await group.reduce(into: [(Int64, Bool)]()) { $0.append($1) }
            }
            #expect(Set(results.map(\.0)).count == 1)
            #expect(results.count { $0.1 } == 1)
        }
    }
}

@Suite struct PoliciesTests {
    private func version(_ outcome: PolicyReplacement) -> Int64? {
        if case .stored(let policy) = outcome { policy.version } else { nil }
    }

    private func conflict(_ outcome: PolicyReplacement) -> Int64? {
        if case .refused(let current, _) = outcome { current } else { nil }
    }

    @Test func replaceNeedsTheCurrentVersion() async throws {
        try await StoreLab.with { lab in
            let policies = Policies(pool: lab.pool)
            #expect(try await policies.current() == nil)
            let one: JSONObject = ["time_zone": "UTC"]
            func replace(
                _ document: JSONObject, at version: Int64
            ) async throws -> PolicyReplacement {
                try await policies.replace(
                    document: document, where: { found, _ in found == version })
            }
            #expect(conflict(try await replace(one, at: 3)) == 0)
            #expect(version(try await replace(one, at: 0)) == 1)
            #expect(conflict(try await replace(one, at: 0)) == 1)
            #expect(version(try await replace([:], at: 1)) == 2)
            #expect(version(try await policies.replace(document: one)) == 3)
            let current = try #require(await policies.current())
            #expect(current.version == 3)
            #expect(current.document == one)
        }
    }

    @Test func oneOfManyConcurrentReplacesWins() async throws {
        try await StoreLab.with { lab in
            let policies = Policies(pool: lab.pool)
            let outcomes = try await withThrowingTaskGroup(of: PolicyReplacement.self) { group in
                for number in 0..<10 {
                    group.addTask {
                        try await policies.replace(
                            document: ["n": .integer(Int64(number))],
                            where: { version, _ in version == 0 })
                    }
                }
                return try await group.reduce(into: [PolicyReplacement]()) { $0.append($1) }
            }
            #expect(outcomes.compactMap { version($0) } == [1])
            #expect(outcomes.compactMap { conflict($0) } == Array(repeating: 1, count: 9))
        }
    }

    @Test func firstStoredSettingStays() async throws {
        try await StoreLab.with { lab in
            let settings = Settings(pool: lab.pool)
            let first = try await settings.value("secret", orElse: "a")
            let second = try await settings.value("secret", orElse: "b")
            #expect((first, second) == ("a", "a"))
        }
    }
}
