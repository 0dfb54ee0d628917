// Random lanes with deadlines that share bottlenecks.
import Base
import Scheduling
import Simulation

/// Lanes, and one or several bottlenecks of some capacity.
struct ContentionWorld {
    static let now = Timestamp(seconds: 1_800_000_000)
    var loads: [DeadlineLoad] = []
    var capacities: [Bottleneck: BottleneckCapacity] = [:]

    /// Instants are whole microseconds, which costs some bytes at each step.
    private static let slack = 10_000.0

    init(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let isCut = random.isOne(in: 2)
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
        let hours = "Mon-08:00,\(Int64(rate / 2))B Mon-20:00,off Thu-00:00,0 Thu-02:00,off"
        let table = isCut ? try Timetable(parsing: hours) : nil
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

// MARK: what always holds

extension ContentionWorld {
    /// Checks that the kept lanes, served one after the other by deadline, end before their
    /// deadlines.
    func checkKept(_ check: inout PropertyCheck) {
        for (bottleneck, capacity) in capacities {
            var sum = 0.0
            let kept = kept(bottleneck).sorted { $0.load.lastDue < $1.load.lastDue }
            for (load, bytes) in kept {
                sum += bytes
                let room = capacity.bytes(from: Self.now, to: load.lastDue)
                check.count()
                check.expect(sum <= room + Self.slack, "lane \(load.lane) does not fit")
            }
        }
    }

    /// Checks that no lane is taken out if all fit, and some lane is if they do not.
    func checkOverload(_ check: inout PropertyCheck) {
        let rulings = rulings()
        let isOverloaded = capacities.contains { bottleneck, capacity in
            let own = loads.filter { $0.bottlenecks.contains(bottleneck) }
            return own.contains { load in
                let due = own.filter { $0.lastDue <= load.lastDue }
                let room = capacity.bytes(from: Self.now, to: load.lastDue)
                return due.reduce(0) { $0 + $1.bytes } >= room + Self.slack
            }
        }
        check.count()
        check.expect(
            rulings.values.contains { $0.fits != nil } == isOverloaded,
            "overloaded: \(isOverloaded)")
    }

    /// Checks backwards that lanes that begin at their guards, one after the other, end before
    /// their buckets do.
    func checkGuards(_ check: inout PropertyCheck) {
        let rulings = rulings()
        for (bottleneck, capacity) in capacities {
            let kept = kept(bottleneck)
            for (load, bytes) in kept {
                let start = rulings[load.lane]?.guardAt ?? load.bucket
                let room = capacity.bytes(from: start, to: load.bucket)
                check.count()
                check.expect(room >= bytes - Self.slack, "lane \(load.lane) has no time")
                // Lanes that are due later are served after this one.
                let later = kept.filter {
                    $0.load.bucket > load.bucket || $0.load.lane == load.lane
                }
                let last = later.map(\.load.bucket).max() ?? load.bucket
                let all = later.reduce(0) { $0 + $1.bytes }
                check.expect(
                    capacity.bytes(from: start, to: last) >= all - Self.slack,
                    "no time after lane \(load.lane)")
            }
        }
    }

    /// Checks that a week later all instants are a week later, and that the order of the lanes does
    /// not matter.
    func checkWeekLater(_ check: inout PropertyCheck) {
        let week = Duration.seconds(7 * 86_400)
        var later = self
        for place in later.loads.indices {
            later.loads[place].bucket += week
            later.loads[place].lastDue += week
        }
        later.loads.reverse()
        let after = DeadlineContention(
            later.loads, margin: .zero, at: Self.now + week, capacity: { later.capacities[$0] }
        ).rulings
        let before = rulings()
        check.expect(before.count == after.count, "other lanes")
        for (lane, ruling) in before {
            check.count()
            check.expect(
                after[lane]?.guardAt == ruling.guardAt.map { $0 + week }, "lane \(lane)")
            let fits = (after[lane]?.fits ?? 0) - (ruling.fits ?? 0)
            check.expect(fits.magnitude < Self.slack, "the bytes of lane \(lane)")
        }
    }
}
