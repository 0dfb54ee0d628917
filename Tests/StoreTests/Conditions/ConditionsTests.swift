// Pushed conditions in the database: the last writer wins, history, removal, bounds.
import Base
import Postgres
import Scheduling
import Store
import Testing

@Suite struct ConditionsTests {
    private static let schedule = [
        ConditionPush.Step(
            from: Timestamp(microseconds: 1_800_000_000_000_001), value: .number(0.25)),
        ConditionPush.Step(from: Timestamp(seconds: 1_800_003_600), value: .number(-1)),
    ]

    @Test func whatIsPushedIsReadByEveryReplica() async throws {
        try await StoreLab.with { lab in
            let conditions = Conditions(pool: lab.pool)
            #expect(try await conditions.all().records == [])
            let before = try await conditions.version()
            let push = ConditionPush(
                value: .number(0.1), pushedAt: .epoch, ttl: .seconds(90), source: "epex",
                schedule: Self.schedule)
            let (stored, version) = try #require(try await conditions.put("price", push))
            #expect(stored.push.pushedAt > Timestamp(seconds: 1_700_000_000))
            #expect(stored.push.value == .number(0.1) && stored.push.ttl == .seconds(90))
            #expect(stored.push.schedule == Self.schedule && stored.push.source == "epex")
            let all = try await conditions.all()
            #expect(all.records == [stored] && all.version == version)
            #expect(try await conditions.version() == version && version > before)
            for value in [ConditionValue.flag(true), .word("eco"), .number(1e300)] {
                let next = ConditionPush(value: value, pushedAt: .epoch)
                #expect(try await conditions.put("price", next)?.record.push.value == value)
            }
            let changes = try await conditions.changes(of: "price")
            #expect(
                changes.map(\.value) == [
                    .number(1e300), .word("eco"), .flag(true), .number(0.1),
                ])
            #expect(changes.map(\.source) == [nil, nil, nil, "epex"])
            let gone = try #require(try await conditions.remove("price"))
            #expect(try await conditions.version() == gone)
            #expect(try await conditions.remove("price") == nil)
            #expect(try await conditions.all().records == [])
            #expect(try await conditions.changes(of: "price").first?.value == nil)
            #expect(try await conditions.changes(of: "price", limit: 2).count == 2)
        }
    }

    @Test func concurrentWritersEachRaiseTheVersion() async throws {
        try await StoreLab.with { lab in
            let conditions = Conditions(pool: lab.pool)
            let before = try await conditions.version()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        _ = try await conditions.put(
                            "p\(number % 3)",
                            ConditionPush(value: .number(Double(number)), pushedAt: .epoch))
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await conditions.version() == before + 20)
            for record in try await conditions.all().records {
                let last = try await conditions.changes(of: record.name).first
                #expect(last?.value == record.push.value)
                #expect(last?.changedAt == record.push.pushedAt)
            }
        }
    }

    @Test func namesAreBounded() async throws {
        try await StoreLab.with { lab in
            _ = try await lab.pool.query(
                """
                INSERT INTO conditions (name, value, pushed_at)
                SELECT 'n' || n, '1', clock_timestamp() FROM generate_series(1, $1) n
                """, [Int64(Conditions.namesAtMost)])
            let conditions = Conditions(pool: lab.pool)
            let push = ConditionPush(value: .number(2), pushedAt: .epoch)
            #expect(try await conditions.put("other", push) == nil)
            #expect(try await conditions.put("n7", push)?.record.push.value == .number(2))
        }
    }

    @Test func oldHistoryAndUndeclaredNamesGo() async throws {
        try await StoreLab.with { lab in
            let conditions = Conditions(pool: lab.pool)
            for name in ["kept", "gone", "fresh"] {
                _ = try await conditions.put(
                    name, ConditionPush(value: .number(1), pushedAt: .epoch))
            }
            _ = try await lab.pool.query(
                """
                UPDATE conditions SET pushed_at = pushed_at - interval '2 days'
                WHERE name <> 'fresh'
                """
            )
            _ = try await lab.pool.query(
                """
                UPDATE condition_changes SET changed_at = changed_at - interval '9 days'
                WHERE name = 'kept'
                """)
            #expect(try await conditions.forget(keeping: ["kept"]) == 1)
            #expect(try await conditions.all().records.map(\.name) == ["fresh", "kept"])
            #expect(try await conditions.changes(of: "kept").isEmpty)
            #expect(try await conditions.changes(of: "gone").count == 1)
        }
    }

    @Test func versionsOfThePolicyGoOnAfterADeletion() async throws {
        try await StoreLab.with { lab in
            let policies = Policies(pool: lab.pool)
            let conditions = Conditions(pool: lab.pool)
            let before = try await conditions.version()
            _ = try await policies.replace(document: ["time_zone": "UTC"])
            _ = try await policies.replace(document: nil)
            let gone = try #require(try await policies.current())
            #expect(gone.version == 2 && !gone.isStored && gone.document.isEmpty)
            _ = try await policies.replace(document: ["limits": ["running": 3]])
            let versions = try await policies.versions(limit: 10)
            #expect(versions.map(\.version) == [3, 2, 1])
            #expect(versions.map(\.isStored) == [true, false, true])
            #expect(try await conditions.version() == before + 3)
            for _ in 0..<120 { _ = try await policies.replace(document: [:]) }
            let kept = try await policies.versions(limit: 1000)
            #expect(kept.count == 100 && kept.first?.version == 123)
        }
    }
}
