// A week of clients that are woken: the time that the limiter makes them wait.
import Base
import Downloads
import Testing

/// One client and its session, in virtual time.
private struct WakeWorld {
    /// A client's behaviour after a wake.
    enum Client {
        /// Creates one download at each wake: the next link of a chain.
        case chain
        /// Creates a number of downloads at each wake, all at once.
        case batches(Int)
        /// Creates nothing; new work comes from outside, at this many seconds on average.
        case idle(every: Int64)
    }

    var lab = WakeLab()
    var random: SeededRandom
    /// The end of each live download.
    var live: [(end: Timestamp, isBackground: Bool)] = []
    var delays: [Int64] = []
    var begun = 0
    var wakes = 0

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func create(isBackground: Bool) {
        let until = isBackground ? lab.session.delayedUntil : nil
        let begin = max(lab.now, until ?? lab.now)
        if isBackground {
            lab.session.hadBackground = true
            delays.append((begin - lab.now).components.seconds)
        }
        let seconds = Int64.random(in: 5...120, using: &random)
        live.append((begin + .seconds(seconds), isBackground))
        begun += 1
    }

    /// Runs a week and returns the number of downloads that were begun.
    mutating func run(_ client: Client) {
        let end = lab.now + .seconds(7 * 86_400)
        create(isBackground: false)
        var arrival: Timestamp?
        if case .idle(let every) = client { arrival = lab.now + .seconds(every) }
        while lab.now < end {
            let instants = live.map(\.end) + [lab.session.nextLookAt, arrival].compactMap(\.self)
            guard let next = instants.min() else { return }
            lab.now = max(lab.now, next)
            if let instant = arrival, instant <= lab.now, case .idle(let every) = client {
                create(isBackground: false)
                arrival =
                    instant + .seconds(Int64.random(in: every / 2...2 * every, using: &random))
            }
            let ended = live.filter { $0.end <= lab.now }
            live.removeAll { $0.end <= lab.now }
            let (isLive, isBackground) = (!live.isEmpty, live.contains(where: \.isBackground))
            let actions = lab.look {
                $0.news = ended.isEmpty ? [] : .completed
                $0.hasEnded = !ended.isEmpty
                $0.isLive = isLive
                $0.isBackgroundLive = isBackground
            }
            guard actions.contains(where: { if case .send = $0 { true } else { false } }) else {
                continue
            }
            wakes += 1
            // The client works while its wake is open, and then answers it.
            switch client {
            case .chain: create(isBackground: true)
            case .batches(let count): for _ in 0..<count { create(isBackground: true) }
            case .idle: break
            }
            _ = lab.session.wake?.complete()
        }
    }
}

@Suite struct WakeWeekTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func aChainOfSingleDownloadsIsDelayedMoreAndMore(seed: UInt64) {
        var world = WakeWorld(seed: seed)
        world.run(.chain)
        #expect(world.delays.prefix(8) == [60, 120, 240, 480, 960, 1920, 3600, 3600])
        #expect(world.delays.allSatisfy { $0 <= 3600 })
        // A week has 168 hours.
        #expect(world.begun < 180)
        #expect(world.begun > 150)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func batchesGetAsMuchMoreDoneAsTheyAreLarge(seed: UInt64) {
        var chain = WakeWorld(seed: seed)
        chain.run(.chain)
        var batches = WakeWorld(seed: seed)
        batches.run(.batches(50))
        #expect(batches.wakes <= chain.wakes)
        #expect(batches.begun > 40 * chain.begun)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func aClientThatCreatesNothingIsNeverDelayedForLong(seed: UInt64) {
        var world = WakeWorld(seed: seed)
        world.run(.idle(every: 1800))
        #expect(world.wakes > 150)
        // Half an hour passes between two pieces of work, and ends a delay that was doubled twice.
        #expect(world.lab.session.delay <= .seconds(1920))
        #expect(world.delays.isEmpty)
    }
}
