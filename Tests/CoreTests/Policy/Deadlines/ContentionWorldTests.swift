// Random worlds of lanes with deadlines that share bottlenecks.
import Testing

@testable import Core

/// Lanes, and one bottleneck or several of some capacity.
private struct ContentionWorld {
    static let now = Timestamp(seconds: 1_800_000_000)
    var loads: [DeadlineLoad] = []
    var capacities: [Bottleneck: BottleneckCapacity] = [:]

    init(_ random: inout SeededRandom, isCut: Bool = false) {
        for place in 0..<Int.random(in: 1...12, using: &random) {
            let bucket = Self.now + .seconds(3600 * Int64.random(in: 1...40, using: &random))
            loads.append(
                DeadlineLoad(
                    lane: Int64(place), bucket: bucket,
                    lastDue: bucket + .seconds(Int64.random(in: 0..<3600, using: &random)),
                    count: Int64.random(in: 1...50, using: &random),
                    bytes: Double(Int.random(in: 1...60, using: &random)) * 1e9,
                    bottlenecks: random.isOne(in: 3) ? [.deployment, .origin(1)] : [.deployment]))
        }
        let rate = Double(Int.random(in: 1...20, using: &random)) * 1e6
        let table =
            isCut
            ? Timetable(
                changes: [
                    .init(minute: 8 * 60, rate: ByteRate(Int64(rate / 2))),
                    .init(minute: 20 * 60, rate: .unlimited),
                    .init(minute: 3 * 1440, rate: .stopped),
                    .init(minute: 3 * 1440 + 120, rate: .unlimited),
                ]) : nil
        capacities[.deployment] = BottleneckCapacity(rate: rate, timetable: table)
        capacities[.origin(1)] = BottleneckCapacity(rate: rate / 2, timetable: table)
    }

    func rulings() -> [Int64: DeadlineContention.Ruling] {
        DeadlineContention(
            loads, margin: .zero, at: Self.now, capacity: { capacities[$0] }
        ).rulings
    }

    /// The lanes of a bottleneck with the bytes that a ruling keeps.
    func kept(_ bottleneck: Bottleneck) -> [(load: DeadlineLoad, bytes: Double)] {
        let rulings = rulings()
        return loads.filter { $0.bottlenecks.contains(bottleneck) }.map {
            ($0, rulings[$0.lane]?.fits ?? $0.bytes)
        }
    }
}

@Suite struct ContentionWorldTests {
    /// Instants are whole microseconds: some bytes at each step.
    private static let slack = 10_000.0

    private func each(
        _ seed: UInt64, cut: Bool = false, _ body: (ContentionWorld) throws -> Void
    ) rethrows {
        var random = SeededRandom(seed: seed)
        for _ in 0..<1000 { try body(ContentionWorld(&random, isCut: cut)) }
    }

    /// Served one after the other by deadline, what is kept is whole before its deadline.
    @Test(arguments: [false, true])
    func whatIsKeptFits(_ isCut: Bool) {
        each(81, cut: isCut) { world in
            for (bottleneck, capacity) in world.capacities {
                var sum = 0.0
                let kept = world.kept(bottleneck).sorted { $0.load.lastDue < $1.load.lastDue }
                for (load, bytes) in kept {
                    sum += bytes
                    let room = capacity.bytes(from: ContentionWorld.now, to: load.lastDue)
                    #expect(sum <= room + Self.slack)
                }
            }
        }
    }

    /// Nothing is taken out of a world in which all fits, and something where it does not.
    @Test func onlyAnOverloadTakesOut() {
        each(82) { world in
            let rulings = world.rulings()
            let isOverloaded = world.capacities.contains { bottleneck, capacity in
                let own = world.loads.filter { $0.bottlenecks.contains(bottleneck) }
                return own.contains { load in
                    let due = own.filter { $0.lastDue <= load.lastDue }
                    let room = capacity.bytes(from: ContentionWorld.now, to: load.lastDue)
                    return due.reduce(0) { $0 + $1.bytes } >= room + Self.slack
                }
            }
            #expect(rulings.values.contains { $0.fits != nil } == isOverloaded)
        }
    }

    /// Of two that could be taken out the one with the larger downloads is.
    @Test func theLargestIsTakenOut() {
        let now = ContentionWorld.now
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

    /// Backwards: what begins at its guard, one after the other, ends before its bucket does.
    @Test(arguments: [false, true])
    func guardsLeaveTimeForAllThatIsDueLater(_ isCut: Bool) {
        each(83, cut: isCut) { world in
            let rulings = world.rulings()
            for (bottleneck, capacity) in world.capacities {
                for (load, bytes) in world.kept(bottleneck) {
                    let start = rulings[load.lane]?.guardAt ?? load.bucket
                    let room = capacity.bytes(from: start, to: load.bucket)
                    #expect(room >= bytes - Self.slack)
                    // Those due later have their time behind that of this one.
                    let later = world.kept(bottleneck).filter {
                        $0.load.bucket > load.bucket || $0.load.lane == load.lane
                    }
                    let last = later.map(\.load.bucket).max() ?? load.bucket
                    let all = later.reduce(0) { $0 + $1.bytes }
                    #expect(capacity.bytes(from: start, to: last) >= all - Self.slack)
                }
            }
        }
    }

    /// A week later, all is a week later; the order of the lanes means nothing.
    @Test func rulingsMoveWithTheClock() {
        each(84, cut: true) { world in
            let week = Duration.seconds(7 * 86_400)
            var later = world
            for place in later.loads.indices {
                later.loads[place].bucket += week
                later.loads[place].lastDue += week
            }
            later.loads.reverse()
            let after = DeadlineContention(
                later.loads, margin: .zero, at: ContentionWorld.now + week,
                capacity: { later.capacities[$0] }
            ).rulings
            let before = world.rulings()
            #expect(before.count == after.count)
            for (lane, ruling) in before {
                #expect(after[lane]?.guardAt == ruling.guardAt.map { $0 + week })
                let fits = (after[lane]?.fits ?? 0) - (ruling.fits ?? 0)
                #expect(fits.magnitude < Self.slack)
            }
        }
    }
}
