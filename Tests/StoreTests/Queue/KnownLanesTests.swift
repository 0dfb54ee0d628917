// What replicas that keep lanes in mind depend on: how far a page has read, lanes by number, and
// entries that come late.
import Core
import Postgres
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

    /// A sweep covers its session to its end; the next one begins there.
    @Test func aSweepBehindItsMarksReadsNothingTwice() async throws {
        try await StoreLab.with { lab in
            try await enter(lab, from: 1, age: 300, 700)
            let ledger = try await lab.register()
            var marks: [LaneCursor.Group: LaneCursor.Mark] = [:]
            var found: [Int64] = []
            var cursor: LaneCursor? = .start
            while let from = cursor {
                let page = try await ledger.lanes(from: from, limits: StoreLab.limits).page
                found += page.heads.map(\.lane)
                marks.merge(page.covered) { $1 }
                cursor = page.next
            }
            #expect(Set(found).count == 700)
            #expect(marks.count == 1 && marks.first?.value.number == .max)
            try await enter(lab, from: 5000, age: 0, 3)
            var behind = LaneCursor.start
            behind.groups = marks.mapValues { _ in
                LaneCursor.Mark(at: Timestamp(microseconds: .max / 2), number: 0)
            }
            #expect(try await ledger.lanes(from: behind, limits: StoreLab.limits).page.heads == [])
            behind.groups = marks
            behind.again = [found[5], found[6], -1]
            let page = try await ledger.lanes(from: behind, limits: StoreLab.limits).page
            #expect(page.heads.count == 5)
            #expect(Set(page.heads.map(\.lane)).isSuperset(of: [found[5], found[6]]))
            #expect(page.next == nil)
            // One that is not due any more is not read by its number.
            _ = try await lab.pool.query(
                "UPDATE lanes SET next_at = 'infinity' WHERE lane_no = $1", [found[5]])
            #expect(
                try await ledger.lanes(from: behind, limits: StoreLab.limits).page.heads.count == 4)
        }
    }

    /// An entry, its age in seconds, and whether it counts as late.
    @Test(arguments: [(0, false), (20, false), (-60, false), (40, true), (86_400, true)])
    func lateEntriesAreCounted(_ age: Int64, _ isLate: Bool) async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            func late() async throws -> Int64 {
                try await ledger.lanes(limits: StoreLab.limits).page.lateEntries
            }
            #expect(try await late() == 0)
            try await enter(lab, from: 1, age: age, 2)
            let first = try await late()
            #expect((first > 0) == isLate)
            // A lane with a backlog gets no write, and nothing is behind its bound.
            try await enter(lab, from: 1, age: age - 10, 2)
            #expect(try await late() == first)
        }
    }
}
