// The measurements of a replica between two writes, and the stored form of their keys.
import Base
import Scheduling
import Testing

@Suite struct LearnedBufferTests {
    @Test func storedKeysComeBack() {
        let keys: [LearnedKey] = [
            .all, .origin(7), .session(-3), .pair(session: .max, origin: .min),
        ]
        let hours = [0, 167, 191].map { LearnedKey.hour(kind: -1, $0) }
        for key in keys + hours + (0...3).map({ .quarter(origin: 9, $0) }) {
            let (first, second) = key.numbers
            #expect(LearnedKey(level: key.level, first: first, second: second) == key)
        }
        #expect(LearnedKey(level: 6, first: 1, second: 1) == nil)
        #expect(LearnedKey(level: 5, first: 1, second: 192) == nil)
        #expect(LearnedKey(level: 2, first: 1, second: 4) == nil)
    }

    @Test(arguments: [(0, 0), (21_599, 0), (21_600, 1), (86_399, 3), (86_400, 0), (-1, 3)])
    func quartersOfTheDayAreOfSixHoursInUTC(_ second: Int64, _ quarter: Int) {
        #expect(LearnedKey.quarter(of: Timestamp(seconds: second)) == quarter)
        #expect(
            LearnedKey.quarter(of: Timestamp(seconds: second + 86_400 * 20_000)) == quarter)
    }

    @Test func everyKeyOfAChainGetsTheValueOnce() {
        var buffer = LearnedBuffer()
        for _ in 0..<3 {
            buffer.add(LearnedSample(.size, 1e6, LearnedKey.sizes(session: 1, origin: 2)))
        }
        buffer.add(LearnedSample(.progress, 1, LearnedKey.progress(origin: 2)))
        let changes = buffer.take()
        #expect(changes.count == 5)
        for change in changes {
            #expect(change.sketch.weight == (change.measure == .size ? 3 : 1))
        }
        #expect(buffer.isEmpty && buffer.take().isEmpty)
    }

    @Test func keysAreBoundedUntilTheyAreWritten() {
        var buffer = LearnedBuffer()
        for origin in 0..<Int64(LearnedBuffer.keysAtMost) + 9 {
            buffer.add(LearnedSample(.resume, 1, [.origin(origin)]))
        }
        // A key that is known keeps its samples.
        buffer.add(LearnedSample(.resume, 1, [.origin(3)]))
        let changes = buffer.take()
        #expect(changes.count == LearnedBuffer.keysAtMost)
        #expect(changes.first { $0.key == .origin(3) }?.sketch.weight == 2)
    }
}
