// The downloads that lose their guard if not all deadlines can be kept.
import Base
import Scheduling
import Testing

@Suite struct OverloadTests {
    /// Of two lanes that could be taken out, the one with the larger downloads is taken out.
    @Test func theLargestIsTakenOut() {
        let now = Timestamp(seconds: 1_800_000_000)
        func load(_ lane: Int64, hours: Int64, count: Int64, bytes: Double) -> DeadlineLoad {
            DeadlineLoad(
                lane: lane, bucket: now + .seconds(3600 * hours),
                lastDue: now + .seconds(3600 * hours), count: count, bytes: bytes,
                bottlenecks: [.deployment])
        }
        // 3.6 GB an hour: six hours carry 21.6 GB.
        let loads = [
            load(1, hours: 2, count: 1, bytes: 7e9), load(2, hours: 4, count: 100, bytes: 7e9),
            load(3, hours: 6, count: 10, bytes: 10e9),
        ]
        let rulings = DeadlineContention(
            loads, margin: .seconds(600), at: now,
            capacity: { _ in BottleneckCapacity(rate: 1e6) }
        ).rulings
        #expect(rulings[1]?.fits.map { ($0 - 4.6e9).magnitude < 10 } == true)
        #expect(rulings[2]?.fits == nil && rulings[3]?.fits == nil)
        // 10 GB are 10,000 s; the lane before them ends when they begin, at 11,600 s.
        #expect(rulings[3]?.guardAt == now + .seconds(21_600 - 10_000 - 600))
        #expect(rulings[2]?.guardAt == now + .seconds(11_600 - 7000 - 600))
    }
}
