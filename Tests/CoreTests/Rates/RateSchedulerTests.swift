// Limits that hold, shares that are fair, and no time lost: the arithmetic on a simulated clock.
import Scheduling
import Testing

@Suite struct RateSchedulerTests {
    /// Whether a sum is a rate times a time, within a percentage.
    private static func isNear(_ bytes: Double, _ wanted: Double, percent: Double = 2) -> Bool {
        abs(bytes - wanted) <= wanted * percent / 100
    }

    @Test(arguments: [
        (1, 20_000_000), (50, 20_000_000), (50, 5_000_000), (1000, 20_000_000), (3, 100_000),
        (50, 1_000_000_000), (7, 333_333),
    ])
    func theSumIsTheLimit(_ count: Int, _ rate: Int64) {
        var world = RateWorld([.deployment: rate])
        for number in 1...count { world.add(number) }
        let step: Int64 = count > 100 ? 20 : 10
        world.run(seconds: 1, everyMilliseconds: step)
        let bytes = world.measure(seconds: 10, everyMilliseconds: step)
        // With a slow limit a window may cut a turn in two.
        let percent = max(2, 16_384 * 100 / Double(rate * 10))
        #expect(Self.isNear(bytes, Double(rate) * 10, percent: percent), "\(bytes)")
    }

    @Test(arguments: [1, 20, 33, 170, 400])
    func lateTickGrantsTheMissedBytes(_ step: Int64) {
        var world = RateWorld([.deployment: 20_000_000])
        for number in 1...50 { world.add(number) }
        world.run(seconds: 2, everyMilliseconds: step)
        let bytes = world.measure(seconds: 10, everyMilliseconds: step)
        #expect(Self.isNear(bytes, 200_000_000, percent: 2 + Double(step) / 100), "\(bytes)")
    }

    @Test func transfersShareALimitEqually() {
        var world = RateWorld([.deployment: 5_000_000])
        for number in 1...50 { world.add(number) }
        world.run(seconds: 20)
        for number in 1...50 {
            let bytes = Double(world.received(number))
            #expect(Self.isNear(bytes, 2_000_000, percent: 3), "\(number): \(bytes)")
        }
    }

    @Test func lateTransferGetsAnEqualShare() {
        var world = RateWorld([.deployment: 5_000_000])
        for number in 1...9 { world.add(number) }
        world.run(seconds: 5)
        world.add(10)
        world.run(seconds: 10)
        #expect(Self.isNear(Double(world.received(10)), 5_000_000, percent: 3))
    }

    @Test func unusedShareOfSlowTransfersGoesToOthers() {
        var world = RateWorld([.deployment: 10_000_000])
        for number in 1...10 { world.add(number, source: 100_000) }
        world.add(11)
        world.add(12)
        world.run(seconds: 20)
        for number in 1...10 {
            #expect(Self.isNear(Double(world.received(number)), 2_000_000, percent: 4))
        }
        for number in 11...12 {
            #expect(Self.isNear(Double(world.received(number)), 90_000_000, percent: 2))
        }
    }

    @Test func transferLimitsHoldIndividually() {
        var world = RateWorld()
        for number in 1...1000 { world.add(number, scopes: [], own: 65_536) }
        world.run(seconds: 1, everyMilliseconds: 20)
        let bytes = world.measure(seconds: 10, everyMilliseconds: 20)
        #expect(Self.isNear(bytes, 655_360_000), "\(bytes)")
        for number in 1...1000 {
            #expect(Self.isNear(Double(world.received(number)), 720_896, percent: 5))
        }
    }

    @Test func narrowAndWideLimitsHoldTogether() {
        var world = RateWorld([
            .deployment: 10_000_000, .session(1): 1_000_000, .origin(9): 3_000_000,
        ])
        for number in 1...5 { world.add(number, scopes: [.session(1), .origin(9), .deployment]) }
        for number in 6...10 { world.add(number, scopes: [.session(2), .origin(9), .deployment]) }
        for number in 11...14 { world.add(number, scopes: [.session(2), .origin(8), .deployment]) }
        world.add(15, scopes: [.session(2), .origin(8), .deployment], own: 200_000)
        world.run(seconds: 1)
        let before = (1...15).map { Double(world.received($0)) }
        world.run(seconds: 20)
        let rates = (1...15).map { (Double(world.received($0)) - before[$0 - 1]) / 20 }
        #expect(Self.isNear(rates[0..<5].reduce(0, +), 1_000_000), "\(rates)")
        #expect(Self.isNear(rates[5..<10].reduce(0, +), 2_000_000), "\(rates)")
        #expect(Self.isNear(rates[14], 200_000, percent: 5), "\(rates)")
        #expect(Self.isNear(rates[10..<14].reduce(0, +), 6_800_000), "\(rates)")
    }

    @Test func limitChangeAppliesAtOnce() {
        var world = RateWorld([.deployment: 20_000_000])
        for number in 1...50 { world.add(number) }
        world.run(seconds: 5)
        for rate in [5_000_000, 40_000_000, 1_000_000, 20_000_000] as [Int64] {
            world.limit([.deployment: rate])
            let bytes = world.measure(seconds: 10)
            #expect(Self.isNear(bytes, Double(rate) * 10), "\(rate): \(bytes)")
        }
    }

    @Test func rateZeroStopsAndAnotherRateContinues() {
        var world = RateWorld([.deployment: 1_000_000])
        for number in 1...5 { world.add(number) }
        world.run(seconds: 2)
        world.limit([.deployment: 0])
        // Bytes that were lent already may still come.
        world.run(seconds: 0.1)
        #expect(world.measure(seconds: 60) == 0)
        #expect(world.scheduler.nextWake == .max)
        #expect(world.scheduler.waitingCount == 5)
        world.limit([.deployment: 1_000_000])
        #expect(Self.isNear(world.measure(seconds: 10), 10_000_000))
        world.limit([:])
        #expect(world.scheduler.limitedCount == 0)
        #expect(world.transfers.values.allSatisfy { $0.isFree })
    }

    @Test func idleBucketBurstIsATenthOfASecond() {
        var world = RateWorld([.deployment: 10_000_000])
        world.add(1, source: 1000)
        world.run(seconds: 30)
        world.add(2)
        let bytes = world.measure(seconds: 0.01)
        #expect(bytes <= 1_000_000 + 10_000 * 10 + 2 * 16_384, "\(bytes)")
    }

    /// Ranks that wait share by 8 : 4 : 2 : 1, however many transfers each has.
    @Test(
        arguments: [[0, 1], [0, 2], [1, 3], [0, 1, 2], [0, 1, 2, 3]], [1_000_000, 5_000_000])
    func ranksShareByWeights(_ ranks: [Int], _ rate: Int64) {
        var world = RateWorld([.deployment: rate])
        let weights = [8.0, 4, 2, 1]
        var numbers: [Int: [Int]] = [:]
        for rank in ranks {
            for place in 1...(1 + (rank * 7) % 5) {
                numbers[rank, default: []].append(rank * 10 + place)
                world.add(rank * 10 + place, rank: rank)
            }
        }
        world.run(seconds: 5)
        func received(_ rank: Int) -> Double {
            Double((numbers[rank] ?? []).reduce(0) { $0 + world.received($1) })
        }
        let before = ranks.map(received)
        world.run(seconds: 20)
        let got = zip(ranks, before).map { received($0) - $1 }
        let whole = got.reduce(0, +)
        let sum = ranks.reduce(0) { $0 + weights[$1] }
        for (rank, bytes) in zip(ranks, got) {
            let part = weights[rank] / sum
            #expect(abs(bytes / whole - part) < 0.1 * part + 0.01, "\(rank): \(bytes / whole)")
            for number in numbers[rank] ?? [] { #expect(world.received(number) > 0) }
        }
        // A rank that is alone gets all of it.
        for rank in ranks.dropLast() { for number in numbers[rank] ?? [] { world.remove(number) } }
        let last = received(ranks[ranks.count - 1])
        world.run(seconds: 5)
        #expect(received(ranks[ranks.count - 1]) - last > 4.5 * Double(rate))
    }

    @Test func unusedGrantIsRefunded() {
        var world = RateWorld([.deployment: 1_000_000])
        world.run(seconds: 5)
        var small: Int64 = 0
        var number = 0
        // Each takes a turn of a chunk and ends after a hundred bytes.
        for _ in 0..<1000 {
            number += 1
            world.add(number, source: 0)
            let bytes = world.scheduler.ask(number, now: world.now)
            if let bytes {
                small += 100
                world.scheduler.leave(number, unused: bytes - 100)
            } else {
                world.scheduler.leave(number, unused: 0)
            }
            world.transfers[number] = nil
            world.run(seconds: 0.001, everyMilliseconds: 1)
        }
        #expect(small > 90_000, "\(small)")
        #expect(world.scheduler.limitedCount == 0)
    }

    @Test func unlimitedTransferIsNotRegistered() {
        var world = RateWorld([.session(1): 1000])
        world.add(1, scopes: [.session(2), .deployment])
        #expect(!world.scheduler.isLimited(1))
        #expect(world.scheduler.nextWake == .max)
        world.add(2, scopes: [.session(1), .deployment])
        #expect(world.scheduler.isLimited(2))
    }

    @Test func transferLimitCanChange() {
        var world = RateWorld()
        world.add(1, scopes: [], own: 1_000_000)
        world.run(seconds: 2)
        world.take(world.scheduler.changeOwnLimit(3_000_000, of: 1, now: world.now))
        #expect(Self.isNear(world.measure(seconds: 10), 30_000_000))
        world.take(world.scheduler.changeOwnLimit(nil, of: 1, now: world.now))
        #expect(world.transfers[1]?.isFree == true)
    }

    /// Random arrivals, ends and switches: no limit is broken, and no transfer is forgotten.
    @Test(arguments: 0..<12 as Range<UInt64>)
    func randomOperationsKeepTheInvariants(_ seed: UInt64) {
        var dice = SeededRandom(seed: seed)
        let rates: [Int64] = [0, 50_000, 1_000_000, 8_000_000]
        var world = RateWorld([.deployment: 8_000_000, .session(1): 1_000_000])
        var next = 0
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 0...5, using: &dice) {
                next += 1
                world.add(
                    next, scopes: [.session(Int64.random(in: 1...3, using: &dice)), .deployment],
                    own: dice.isOne(in: 3) ? 200_000 : nil,
                    rank: Int.random(in: 0...2, using: &dice),
                    source: dice.isOne(in: 3) ? 30_000 : nil)
            }
            let numbers = world.transfers.keys.sorted()
            if let leaving = numbers.randomElement(using: &dice), dice.isOne(in: 2) {
                world.remove(leaving)
            }
            var limits: [RateScope: Int64] = [:]
            for scope in [RateScope.deployment, .session(1), .session(2)] where dice.isOne(in: 2) {
                limits[scope] = rates.randomElement(using: &dice)
            }
            if dice.isOne(in: 4) { world.limit(limits) }
            let held = Double(world.transfers.values.reduce(0) { $0 + max(0, $1.credit) })
            let before = world.total
            world.run(seconds: 1, everyMilliseconds: Int64.random(in: 1...60, using: &dice))
            guard let rate = world.scheduler.currentLimits[.deployment] else { continue }
            let most = Double(rate) * 2.1 + held + 1_000_000
            #expect(Double(world.total - before) <= most, "seed \(seed)")
        }
        // If there is room for all, every transfer moves.
        world.limit([.deployment: 50_000_000])
        let before = world.transfers.mapValues(\.received)
        world.run(seconds: 5)
        for (number, transfer) in world.transfers {
            #expect(transfer.received > before[number] ?? 0, "seed \(seed), transfer \(number)")
        }
        for number in world.transfers.keys.sorted() { world.remove(number) }
        #expect(world.scheduler.limitedCount == 0 && world.scheduler.waitingCount == 0)
    }
}
