// The bytes for which due downloads wait on a volume with too little room.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct LeastNeedTests {
    /// The lane of downloads that expect so many bytes each; 0 says nothing.
    private func lane(_ origin: String, _ lengths: [Int64], _ lab: StoreLab) async throws -> Int64 {
        var ids: [Identifier] = []
        for length in lengths {
            let members: JSONObject =
                length > 0 ? ["count_of_bytes_client_expects_to_receive": .integer(length)] : [:]
            ids += try await lab.submit(1, members, origin: "https://\(origin).example")
        }
        return try await lab.pool.query("SELECT lane_no FROM queue WHERE id = $1", [ids[0]])[0]
            .get(0)
    }

    @Test func itIsOfTheLanesOfWhichNothingFits() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let fits = try await lane("fits", [70, 900], lab)
            let large = try await lane("large", [500, 300, 5000], lab)
            let huge = try await lane("huge", [5000], lab)
            let unknown = try await lane("unknown", [0, 800], lab)
            for (lanes, room, expected) in [
                ([large], 100, 300), ([large], 299, 300), ([large], 300, nil),
                // One that fits, or whose length is not known, waits for something else.
                ([fits], 100, nil), ([unknown], 100, nil), ([fits, large, unknown], 100, 300),
                // More than the volume can hold never has room.
                ([huge], 100, nil), ([huge, large], 100, 300), ([], 100, nil),
                ([fits], 69, 70),
            ] as [([Int64], Int64, Int64?)] {
                let least = try await ledger.leastNeed(of: lanes, above: room, atMost: 1000)
                #expect(least == expected, "\(lanes) with \(room)")
            }
        }
    }

    @Test func whatIsNotDueOrRunsNeedsNone() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let lane = try await lane("a", [300], lab)
            #expect(try await ledger.leastNeed(of: [lane], above: 100, atMost: 1000) == 300)
            _ = try await lab.pool.query("UPDATE queue SET run_at = run_at + interval '1 hour'")
            #expect(try await ledger.leastNeed(of: [lane], above: 100, atMost: 1000) == nil)
            _ = try await lab.pool.query("UPDATE queue SET run_at = run_at - interval '1 hour'")
            #expect(try await lab.claim(ledger).count == 1)
            #expect(try await ledger.leastNeed(of: [lane], above: 100, atMost: 1000) == nil)
        }
    }
}
