// Changes of lanes and lanes by their numbers, on which replicas with a book depend.
import Postgres
import Scheduling
import Store
import Testing

@Suite struct KnownLanesTests {
    private static let enter = """
        SELECT lull_enter_lanes(array_agg(ROW(1, 1, n, 2, n % 4, 3, 0, 'infinity',
            now() - $2 * interval '1 second', 'infinity', 0)::lane_entry ORDER BY n))
        FROM generate_series($1::bigint, $1 + $3 - 1) n
        """

    private func enter(
        _ lab: StoreLab, from first: Int64, age: Int64, _ count: Int64
    ) async throws {
        _ = try await lab.pool.query(
            """
            INSERT INTO origins (origin_key, origin) OVERRIDING SYSTEM VALUE
            SELECT n, 'o' || n FROM generate_series($1::bigint, $1 + $2 - 1) n
            ON CONFLICT DO NOTHING
            """, [first, count])
        _ = try await lab.pool.query(Self.enter, [first, Double(age), count])
    }

    /// All lanes that a sweep from the start gives, and the place from which changes are read.
    private func sweep(
        _ ledger: Ledger
    ) async throws -> (lanes: Set<Int64>, changePosition: LaneChangePosition?) {
        var found: Set<Int64> = []
        var changePosition: LaneChangePosition?
        var cursor: LaneCursor? = .start
        while let from = cursor {
            let page = try await ledger.lanes(from: from, wanted: 64, ahead: .seconds(900)).page
            found.formUnion(page.heads.map(\.lane))
            changePosition = changePosition ?? page.changePosition
            cursor = page.next
        }
        return (found, changePosition)
    }

    /// The lanes that looks bring as changes, in as many looks as they need.
    private func changes(
        _ ledger: Ledger, _ changePosition: inout LaneChangePosition?
    ) async throws -> [Int64] {
        var found: [Int64] = []
        repeat {
            var cursor = LaneCursor.start
            (cursor.readsChangesOnly, cursor.changePosition) = (true, changePosition)
            let page = try await ledger.lanes(from: cursor, ahead: .seconds(900)).page
            #expect(page.heads.count <= LaneChangePosition.changesAtOnce)
            found += page.heads.map(\.lane)
            changePosition = page.changePosition
        } while changePosition?.after != nil
        return found
    }

    /// A look brings each lane that came or became due earlier since the look before, once, and no
    /// other lane.
    @Test func aLookBringsWhatHasChanged() async throws {
        try await StoreLab.with { lab in
            try await enter(lab, from: 1, age: 300, 700)
            let ledger = try await lab.register()
            var (found, changePosition) = try await sweep(ledger)
            #expect(found.count == 700)
            #expect(try await changes(ledger, &changePosition) == [])
            for (first, count, age) in [(5000, 3, 0), (6000, 1400, 86_400), (8000, 2, -600)] {
                try await enter(lab, from: Int64(first), age: Int64(age), Int64(count))
                let changed = try await changes(ledger, &changePosition)
                #expect(changed.count == count && found.isDisjoint(with: changed))
                found.formUnion(changed)
                #expect(try await changes(ledger, &changePosition) == [])
            }
            // A lane with a backlog does not change; one that becomes due earlier does.
            try await enter(lab, from: 1, age: 100, 2)
            #expect(try await changes(ledger, &changePosition) == [])
            try await enter(lab, from: 1, age: 400, 2)
            #expect(try await changes(ledger, &changePosition).count == 2)
            // A lane that is due much later is read by a sweep when its time is near.
            try await enter(lab, from: 9000, age: -86_400, 2)
            #expect(try await changes(ledger, &changePosition) == [])
        }
    }

    /// Transactions that began before a look and commit after it, in any order.
    @Test func aChangeThatIsCommittedLateIsBrought() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            var changePosition = try await sweep(ledger).changePosition
            try await enter(lab, from: 10, age: 0, 1)
            let early = PostgresConnection(url: lab.url)
            try await early.open()
            _ = try await lab.pool.query(
                "INSERT INTO origins (origin_key, origin) OVERRIDING SYSTEM VALUE VALUES (100, 'o')"
            )
            try await early.script("BEGIN")
            _ = try await early.query(
                Self.enter.replacing("$1", with: "100").replacing("$2", with: "0.0")
                    .replacing("$3", with: "1"))
            try await enter(lab, from: 20, age: 0, 1)
            #expect(try await changes(ledger, &changePosition).count == 2)
            #expect(try await changes(ledger, &changePosition) == [])
            try await early.script("COMMIT")
            #expect(try await changes(ledger, &changePosition).count == 1)
            #expect(try await changes(ledger, &changePosition) == [])
        }
    }

    /// Lanes are read by their numbers with the time until which they are known.
    @Test func aLaneIsReadByItsNumber() async throws {
        try await StoreLab.with { lab in
            try await enter(lab, from: 1, age: 300, 3)
            let ledger = try await lab.register()
            let found = try await sweep(ledger).lanes.sorted()
            var cursor = LaneCursor.start
            (cursor.readsChangesOnly, cursor.again) = (true, [found[0], found[2], -1])
            #expect(
                try await ledger.lanes(from: cursor).page.heads.map(\.lane).sorted()
                    == [found[0], found[2]])
            _ = try await lab.pool.query(
                "UPDATE lanes SET next_at = 'infinity' WHERE lane_no = $1", [found[0]])
            #expect(
                try await ledger.lanes(from: cursor).page.heads.map(\.lane) == [found[2]])
        }
    }
}
