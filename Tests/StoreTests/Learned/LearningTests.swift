// Learned values in the database: added up over replicas, halved each week, bounded, forgotten.
import Base
import Postgres
import Scheduling
import Store
import Testing

@Suite struct LearningTests {
    private static func changes(_ samples: [LearnedSample]) -> [LearnedBuffer.Change] {
        var buffer = LearnedBuffer()
        for sample in samples { buffer.add(sample) }
        return buffer.take()
    }

    private static func sizes(_ values: [Double], session: Int64 = 1) -> [LearnedBuffer.Change] {
        changes(
            values.map {
                LearnedSample(.size, $0, LearnedKey.sizes(session: session, origin: 2))
            })
    }

    private static func all(_ learning: Learning) async throws -> [LearnedEntry] {
        var cursor = Learning.Cursor()
        var found: [LearnedEntry] = []
        var isLast = false
        while !isLast {
            let page = try await learning.changes(since: &cursor)
            found += page.entries
            isLast = page.isLast
        }
        return found
    }

    @Test func replicasAddUpToWhatOneWouldHaveMeasured() async throws {
        try await StoreLab.with { lab in
            let learning = Learning(pool: lab.pool)
            var random = SeededGenerator(seed: 5)
            var whole = Sketch(.size)
            for _ in 0..<20 {
                let values = (0..<Int.random(in: 1...30, using: &random)).map { _ in
                    Double.random(in: 1...1e6, using: &random)
                        * Double.random(in: 1...1e6, using: &random)
                }
                for value in values { whole.add(value) }
                try await learning.add(Self.sizes(values), grows: true)
            }
            let entries = try await Self.all(learning)
            #expect(entries.count == 3)
            for entry in entries {
                #expect(entry.measure == .size && entry.sketch == whole, "\(entry.key)")
            }
            let keys = Set(entries.map(\.key))
            #expect(keys == [.pair(session: 1, origin: 2), .session(1), .all])
        }
    }

    @Test func concurrentReplicasLoseNothing() async throws {
        try await StoreLab.with { lab in
            let learning = Learning(pool: lab.pool)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for replica in 0..<12 {
                    group.addTask {
                        let sizes = (0..<40).map { Self.sizes([1e3], session: Int64($0 % 9)) }
                        let mixed = Self.sizes([Double(replica + 1) * 1e4])
                        try await learning.add(mixed, grows: true)
                        for size in sizes.prefix(9) { try await learning.add(size, grows: true) }
                    }
                }
                try await group.waitForAll()
            }
            let all = try #require(try await Self.all(learning).first { $0.key == .all })
            #expect(all.sketch.weight == 120)
        }
    }

    @Test func weightsCountHalfAfterEachWeek() async throws {
        try await StoreLab.with { lab in
            let learning = Learning(pool: lab.pool)
            try await learning.add(Self.sizes(Array(repeating: 1e6, count: 64)), grows: true)
            for (days, expected) in [(6, 65.0), (15, 9.125), (10_000, 1)] {
                _ = try await lab.pool.query(
                    "UPDATE learned SET faded_at = faded_at - $1 * interval '1 day'",
                    [Int32(days)])
                try await learning.add(Self.sizes([1e9]), grows: true)
                let entry = try #require(try await Self.all(learning).first)
                #expect(abs(entry.sketch.weight - expected) < 0.01, "\(days)")
                let age = try await lab.now() - entry.fadedAt
                #expect(age < .seconds(7 * 86_400))
            }
        }
    }

    @Test func aReaderGetsWhatChangedSince() async throws {
        try await StoreLab.with { lab in
            let learning = Learning(pool: lab.pool)
            // The samples fill more than a page, and many have one instant.
            let samples = (0..<Int64(Learning.pageRows + 700)).map {
                LearnedSample(.resume, 1, [.origin($0)])
            }
            try await learning.add(Self.changes(samples), grows: true)
            var cursor = Learning.Cursor()
            let first = try await learning.changes(since: &cursor)
            #expect(first.entries.count == Learning.pageRows && !first.isLast)
            let second = try await learning.changes(since: &cursor)
            #expect(second.entries.count == 700 && second.isLast)
            #expect(Set((first.entries + second.entries).map(\.key)).count == samples.count)
            _ = try await lab.pool.query(
                "UPDATE learned SET changed_at = changed_at - interval '1 hour'")
            try await learning.add(Self.sizes([1]), grows: true)
            let third = try await learning.changes(since: &cursor)
            #expect(third.entries.count == 3)
        }
    }

    @Test func keysAreBoundedAndForgotten() async throws {
        try await StoreLab.with { lab in
            let learning = Learning(pool: lab.pool)
            try await learning.add(Self.sizes([1, 2]), grows: true)
            // If the table must not grow, known keys are updated, and new ones are left out.
            try await learning.add(Self.sizes([3], session: 1), grows: false)
            try await learning.add(Self.sizes([3], session: 8), grows: false)
            let entries = try await Self.all(learning)
            #expect(entries.count == 3)
            #expect(entries.first { $0.key == .all }?.sketch.weight == 4)
            #expect(try await learning.forget() == 0)
            _ = try await lab.pool.query(
                """
                UPDATE learned SET changed_at = changed_at - interval '31 days' WHERE level <> 0
                """)
            #expect(try await learning.forget() == 2)
            #expect(try await Self.all(learning).map(\.key) == [.all])
        }
    }

    @Test func rowsThatAreNoSketchesAreLeftOut() async throws {
        try await StoreLab.with { lab in
            let learning = Learning(pool: lab.pool)
            try await learning.add(Self.sizes([1]), grows: true)
            let unknown = 1 + (LearnedMeasure.allCases.map(\.rawValue).max() ?? 0)
            for row in [
                "\(unknown), 0, 0, 0, 0, '{1}'", "2, 7, 0, 0, 0, '{1}'", "2, 1, 5, 0, 346, '{1,1}'",
            ] {
                _ = try await lab.pool.query(
                    "INSERT INTO learned VALUES (\(row), now(), now())")
            }
            #expect(try await Self.all(learning).count == 3)
        }
    }
}
