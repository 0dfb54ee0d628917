// A link that carries much less than usual is told from an origin in trouble and from a full link.
import Base
import Scheduling
import Testing

@Suite struct SlowLinkDetectorTests {
    /// Monday 12:00 UTC.
    private static let now = Timestamp(seconds: 1_772_452_800)

    /// Four origins that give 1 to 4 MB/s, over a link of 20 MB/s.
    private static func learned() -> LearnedFacts {
        var facts = LearnedFacts()
        let quarter = LearnedKey.quarter(of: now)
        for _ in 0..<40 {
            for origin in 1...4 {
                facts.add(
                    Double(origin) * 1e6, .rate,
                    to: LearnedKey.rates(origin: Int64(origin), quarter: quarter), at: now)
            }
            facts.add(2e7, .link, to: LearnedKey.links(at: now), at: now)
        }
        return facts
    }

    private static func runs(_ rates: [(Int64, Double)]) -> [SlowLinkDetector.Run] {
        rates.map { SlowLinkDetector.Run(origin: $0.0, rate: $0.1) }
    }

    /// Whether the link is slow after a number of looks at one set of runs.
    private static func look(
        _ detector: inout SlowLinkDetector, _ rates: [(Int64, Double)], times: Int,
        from minute: Int = 0
    ) -> Bool {
        var last = now
        for number in 0..<times {
            last = now + .seconds(60 * (minute + number))
            detector.observe(runs(rates), learned(), at: last)
        }
        return detector.isSlow(at: last)
    }

    @Test func whatSlowsAllOriginsIsTheLink() {
        var detector = SlowLinkDetector()
        let slow: [(Int64, Double)] = [(1, 5e5), (2, 5e5), (3, 5e5), (4, 5e5)]
        #expect(!Self.look(&detector, slow, times: 4))
        #expect(Self.look(&detector, slow, times: 1, from: 4))
        // The link is no longer slow once it has carried the usual rate for five minutes.
        let usual: [(Int64, Double)] = [(1, 1e6), (2, 2e6), (3, 3e6), (4, 4e6)]
        #expect(Self.look(&detector, usual, times: 4, from: 5))
        #expect(!Self.look(&detector, usual, times: 1, from: 9))
    }

    @Test func anOriginInTroubleIsNoSlowLink() {
        var detector = SlowLinkDetector()
        #expect(!Self.look(&detector, [(4, 2e5), (4, 3e5), (4, 2e5)], times: 30))
        #expect(!Self.look(&detector, [(4, 2e5), (4, 3e5), (1, 1e6)], times: 30, from: 30))
        #expect(!Self.look(&detector, [(4, 2e5), (3, 3e6), (2, 2e6)], times: 30, from: 60))
    }

    /// Thirty-two transfers share it evenly.
    @Test func aFullLinkIsNotSlow() {
        var detector = SlowLinkDetector()
        let full = (0..<32).map { (Int64($0 % 4 + 1), 2e7 / 32) }
        #expect(!Self.look(&detector, full, times: 60))
    }

    @Test func withoutASignOrForDaysItIsOver() {
        var detector = SlowLinkDetector()
        let slow: [(Int64, Double)] = [(2, 2e5), (3, 2e5), (4, 2e5)]
        #expect(Self.look(&detector, slow, times: 10))
        #expect(detector.isSlow(at: Self.now + .seconds(11 * 3600)))
        #expect(!detector.isSlow(at: Self.now + .seconds(13 * 3600)))
        // After a silence slowness counts from its first sample on.
        #expect(!Self.look(&detector, slow, times: 4, from: 4 * 1440))
        #expect(Self.look(&detector, slow, times: 1, from: 4 * 1440 + 4))
        for hour in 1...71 {
            #expect(Self.look(&detector, slow, times: 1, from: 4 * 1440 + 60 * hour))
        }
        #expect(!Self.look(&detector, slow, times: 1, from: 7 * 1440 + 60))
    }

    /// Rates of any spread, of which some were measured over a slow link.
    @Test(arguments: 0..<50)
    func whatIsUsualIsWithoutSlowLinks(_ seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let chain = LearnedKey.rates(origin: 1, quarter: LearnedKey.quarter(of: Self.now))
        var facts = LearnedFacts()
        var clean = LearnedFacts()
        for _ in 0..<Int.random(in: 5...200, using: &random) {
            let rate = Double.random(in: 1e4...1e8, using: &random)
            facts.add(rate, .rate, to: chain, at: Self.now)
            clean.add(rate, .rate, to: chain, at: Self.now)
        }
        for _ in 0..<Int.random(in: 20...400, using: &random) {
            let rate = Double.random(in: 1e4...1e6, using: &random)
            facts.add(rate, .rate, to: chain, at: Self.now)
            facts.add(rate, .slowRate, to: chain, at: Self.now)
        }
        // The counts are halved together, weeks later.
        for later in [0, 8, 15] {
            let instant = Self.now + .seconds(86_400 * later)
            guard let expected = clean.usualRate(origin: 1, at: instant) else { continue }
            let usual = try #require(facts.usualRate(origin: 1, at: instant))
            for part in [0.1, 0.5, 0.9] {
                #expect(usual.quantile(part) == expected.quantile(part), "\(later) \(part)")
            }
            #expect(facts.rate(origin: 1, at: instant)?.weight ?? 0 > usual.weight)
        }
    }

    /// The slow rates of an origin count if it was seen over a slow link alone; others' rates do
    /// not stand for it.
    @Test func whatWasSlowCountsWhereNothingElseIsKnown() throws {
        var facts = LearnedFacts()
        let chain = LearnedKey.rates(origin: 1, quarter: LearnedKey.quarter(of: Self.now))
        for _ in 0..<10 {
            facts.add(1e5, .rate, to: chain, at: Self.now)
            facts.add(1e5, .slowRate, to: chain, at: Self.now)
        }
        let known = try #require(facts.usualRate(origin: 1, at: Self.now))
        #expect(known.quantile(0.5) < 1.1e5)
    }

    @Test func aSlowLinkLastsForAboutAsLongAgainInSomeFutures() throws {
        var facts = Self.learned()
        let links = facts.links(from: Self.now)
        #expect(try #require(links[0]).quantile(0.01) > 1.8e7)
        #expect(!facts.isLinkSlow(at: Self.now))
        // Slow since 06:00.
        for minute in -360...0 {
            let instant = Self.now + .seconds(60 * minute)
            facts.add(5e6, .slowLink, to: LearnedKey.links(at: instant), at: instant)
        }
        #expect(facts.isLinkSlow(at: Self.now))
        let slow = facts.links(from: Self.now)
        let halves = try [0, 6, 48].map { hour in
            let link = try #require(slow[hour])
            return try #require((1...99).first { link.quantile(Double($0) / 100) > 1e7 })
        }
        #expect((40...50).contains(halves[0]) && (20...27).contains(halves[1]))
        #expect((4...8).contains(halves[2]))
        // Ten minutes without a sign of it later.
        let later = Self.now + .seconds(660)
        #expect(!facts.isLinkSlow(at: later))
        #expect(try #require(facts.links(from: later)[0]).quantile(0.01) > 1.8e7)
    }

    @Test func whatIsTakenAwayIsTakenAsFarAsItIsThere() {
        var sketch = Sketch(.rate)
        for value in [1e4, 1e5, 1e5, 1e6] { sketch.add(value) }
        var other = Sketch(.rate)
        for value in [1e3, 1e5, 1e6, 1e6, 1e9] { other.add(value) }
        sketch.subtract(other)
        var left = Sketch(.rate)
        for value in [1e4, 1e5] { left.add(value) }
        #expect(sketch.weight == left.weight)
        for part in [0, 0.5, 1] { #expect(sketch.quantile(part) == left.quantile(part)) }
        sketch.subtract(Sketch(.rate))
        #expect(sketch.weight == 2)
    }
}
