// The numbers of states, kinds, outcomes and event types: SQL and Swift give each number one
// meaning.
import Downloads
import Postgres
import Scheduling
import Testing

@testable import Store

@Suite struct CodesTests {
    /// The names that a function of functions/codes.sql knows, with Swift's numbers.
    private static let codes: [String: [String: Int16]] = [
        "lull_event_type": .init(
            uniqueKeysWithValues: EventType.allCases.map {
                let isOfDownload = $0.name.hasPrefix("download.")
                let name = isOfDownload ? $0.name.dropFirst("download.".count) : $0.name[...]
                return (name.map { $0 == "." ? "_" : "\($0)" }.joined(), $0.rawValue)
            }),
        "lull_outcome": named(RunOutcome.allCases),
        "lull_reach": named(OriginReach.allCases),
        "lull_live_state": named(LiveState.allCases),
        "lull_flight_end": named(FlightEndKind.allCases),
        "lull_end_state": named(EndState.allCases),
        "lull_order": [
            "none": 0, "cancel": RunOrder.cancel.rawValue, "suspend": RunOrder.suspend.rawValue,
            "yield": RunOrder.yield.rawValue,
        ],
        "lull_gate": named(GateKind.allCases),
        "lull_delivery_state": named(DeliveryState.allCases),
        "lull_session_state": named(SessionState.allCases),
        "lull_session_news": named(SessionNews.allCases),
        "lull_wake_state": named(Wake.State.allCases),
        "lull_standing": named(ReceiverStanding.allCases),
        "lull_content_phase": named(ContentPhase.allCases),
        "lull_lane_flag": .init(
            uniqueKeysWithValues: LaneFlags.named.map { ($0.key, $0.value.rawValue) }),
        "lull_budget_counts": .init(
            uniqueKeysWithValues: zip(Budget.Direction.allCases.map(\.rawValue), 1...)),
    ]

    /// The cases by their names as SQL spells them.
    private static func named<Code: RawRepresentable>(_ cases: [Code]) -> [String: Int16]
    where Code.RawValue == Int16 {
        .init(
            uniqueKeysWithValues: cases.map { code in
                let name = "\(code)".map { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }
                return (name.joined(), code.rawValue)
            })
    }

    @Test func eachNameHasOneNumber() async throws {
        try await StoreLab.with { lab in
            for (function, numbers) in CodesTests.codes {
                for (name, number) in numbers {
                    let found = try await lab.pool.query("SELECT \(function)($1)", [name])[0]
                        .get(0, as: Int16?.self)
                    #expect(found == number, "\(function)('\(name)')")
                }
                // SQL uses no number that Swift does not know, such as outcome 9.
                let text = try await lab.pool.query(
                    "SELECT prosrc FROM pg_proc WHERE proname = $1", [function])[0]
                    .get(0, as: String.self)
                let names = text.matches(of: #/'([a-z_]+)'/#).map { String($0.output.1) }
                #expect(Set(names) == Set(numbers.keys), "\(function)")
            }
        }
    }

    @Test func functionsUseKnownNamesOnly() async throws {
        try await StoreLab.with { lab in
            let texts = try await lab.pool.query(
                "SELECT proname, prosrc FROM pg_proc WHERE proname LIKE 'lull\\_%'")
            var count = 0
            for row in texts {
                let function = try row.get(0, as: String.self)
                let text = try row.get(1, as: String.self)
                for use in text.matches(of: #/\b(lull_[a-z_]+)\('([a-z_]*)'\)/#) {
                    guard let names = CodesTests.codes[String(use.output.1)] else { continue }
                    count += 1
                    let isKnown = names[String(use.output.2)] != nil
                    #expect(isKnown, "\(function): \(use.output.0)")
                }
            }
            #expect(count > 50)
        }
    }

    /// Indexes and defaults of the tables have numbers, because functions are replaced.
    @Test func partialIndexesServeTheNames() async throws {
        try await StoreLab.with { lab in
            for (index, condition) in [
                ("queue_running", "state = lull_live_state('running') AND replica_no = 1"),
                ("queue_ready", "state = lull_live_state('waiting') AND lane_no = 1"),
            ] {
                let plan = try await lab.pool.transaction { transaction throws(PostgresError) in
                    try await transaction.script("SET LOCAL enable_seqscan = off")
                    return try await transaction.query(
                        "EXPLAIN SELECT 1 FROM queue WHERE \(condition)")
                }
                let lines = try plan.map { try $0.get(0, as: String.self) }
                #expect(lines.contains { $0.contains(index) }, "\(lines)")
            }
        }
    }
}
