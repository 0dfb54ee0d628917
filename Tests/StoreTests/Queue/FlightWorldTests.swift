// Worlds of shared transfers keep every rule, and worlds with a fault in a statement do not.
import Foundation
import Postgres
import Testing

@testable import Store

@Suite struct FlightWorldTests {
    /// A fault that is put into the text of a function.
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let function: String
        let text: String
        let replacement: String

        var testDescription: String { name }
    }

    static let faults = [
        Fault(
            name: "ends are not noted", function: "lull_end_flights",
            text: "IF NOT EXISTS (", replacement: "IF true OR NOT EXISTS ("),
        Fault(
            name: "the others keep the old leader", function: "lull_pass_flight",
            text: "SET joined_to = next_id", replacement: "SET joined_to = p_leader"),
        Fault(
            name: "no lane is entered", function: "lull_part_flight",
            text: "PERFORM lull_enter_rows(p_ids);", replacement: ""),
        Fault(
            name: "an end is closed too soon", function: "lull_close_flight",
            text: "IF EXISTS (SELECT 1 FROM queue q WHERE q.joined_to = p_leader) THEN RETURN;",
            replacement: "IF false THEN RETURN;"),
        Fault(
            name: "rows stay behind a landing", function: "lull_land_flight",
            text: "WHERE q.id = h.id),\n    counted_ends",
            replacement: "WHERE q.id = h.id AND false),\n    counted_ends"),
        Fault(
            name: "dates do not count", function: "lull_join_flights",
            text: "ON h.flight = g.flight AND h.begins = g.begins",
            replacement: "ON h.flight = g.flight"),
        Fault(
            name: "an app counts too many", function: "lull_land_flight",
            text: "-count(*) FROM locked_rows", replacement: "0 * count(*) FROM locked_rows"),
        Fault(
            name: "only the first goes on", function: "lull_release_flight",
            text: "WHERE q.joined_to = p_leader\n",
            replacement: "WHERE q.joined_to = p_leader AND false\n"),
    ]

    private static let seeds =
        ProcessInfo.processInfo.environment["LULL_FLIGHTS"].flatMap { UInt64($0) } ?? 3

    @Test func everyRuleHoldsAfterEveryStep() async throws {
        for seed in 1...Self.seeds {
            try await StoreLab.with { lab in
                let broken = try await FlightWorld.run(seed: seed, in: lab)
                #expect(broken == nil, "seed \(seed)")
            }
        }
    }

    @Test(.serialized, arguments: faults)
    func everyFaultIsSeen(_ fault: Fault) async throws {
        var seen: String?
        for seed in 1...12 where seen == nil {
            try await StoreLab.with { lab in
                let text = try await lab.pool.query(
                    "SELECT pg_get_functiondef($1::regproc::oid)", [fault.function])[0]
                    .get(0, as: String.self)
                let changed = text.replacingOccurrences(of: fault.text, with: fault.replacement)
                try #require(changed != text, "the function has the text that is changed")
                _ = try await lab.pool.script(changed)
                do {
                    seen = try await FlightWorld.run(seed: UInt64(seed), in: lab)
                } catch {
                    seen = "\(error)"
                }
            }
        }
        #expect(seen != nil)
    }
}
