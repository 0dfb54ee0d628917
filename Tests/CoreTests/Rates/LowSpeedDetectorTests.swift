// Windows of bytes: an answer that drips is found; time in which Lull holds the transfer itself
// does not count.
import Downloads
import Testing

/// A class, because each call of `isBroken` changes the detector.
private final class Stream {
    var detector: LowSpeedDetector

    init(_ bytesPerSecond: Int64, over window: Duration) {
        detector = LowSpeedDetector(LowSpeed(bytesPerSecond: bytesPerSecond, window: window))
    }

    func isBroken(now: Int64, isHeld: Bool) -> Bool { detector.isBroken(now: now, isHeld: isHeld) }
}

@Suite struct LowSpeedDetectorTests {
    private static let second: Int64 = 1_000_000_000

    /// A hundred bytes a second over ten seconds, after the head of the answer.
    private func answered() -> Stream {
        let stream = Stream(100, over: .seconds(10))
        stream.detector.begin(now: 0)
        stream.detector.countHead()
        #expect(!stream.isBroken(now: 10 * Self.second, isHeld: false), "the head's own window")
        return stream
    }

    @Test func slowSpeedFailsAfterAFullWindow() {
        let stream = answered()
        #expect(stream.detector.until == 20 * Self.second)
        stream.detector.count(999)
        #expect(!stream.isBroken(now: 20 * Self.second - 1, isHeld: false), "it is not over")
        #expect(stream.isBroken(now: 20 * Self.second, isHeld: false))
    }

    @Test func exactMinimumSpeedPasses() {
        let stream = answered()
        for window in 2...5 {
            for _ in 0..<10 { stream.detector.count(100) }
            #expect(!stream.isBroken(now: Int64(window) * 10 * Self.second, isHeld: false))
        }
        // Bytes of an earlier window do not count for a later one.
        #expect(stream.isBroken(now: 60 * Self.second, isHeld: false))
    }

    @Test func lateCheckJudgesOnce() {
        let stream = answered()
        stream.detector.count(1000)
        #expect(!stream.isBroken(now: 90 * Self.second, isHeld: false))
        #expect(stream.detector.until == 100 * Self.second)
    }

    @Test func pausedTimeIsNotJudged() {
        let stream = answered()
        stream.detector.excludeWindow()
        #expect(!stream.isBroken(now: 20 * Self.second, isHeld: false), "held for a while")
        #expect(!stream.isBroken(now: 30 * Self.second, isHeld: true), "held all the time")
        #expect(stream.isBroken(now: 40 * Self.second, isHeld: false))
    }

    @Test func speedIsNotJudgedBeforeTheFirstByte() {
        let stream = Stream(1, over: .seconds(1))
        #expect(stream.detector.until == .max)
        stream.detector.begin(now: 0)
        for second in 1...100 {
            #expect(!stream.isBroken(now: Int64(second) * Self.second, isHeld: false))
        }
        stream.detector.countHead()
        #expect(!stream.isBroken(now: 101 * Self.second, isHeld: false))
        // Lines of a head that never ends are no bytes of a body, and no further excuse.
        stream.detector.countHead()
        #expect(stream.isBroken(now: 102 * Self.second, isHeld: false))
    }

    @Test func newHopResetsTheWindow() {
        let stream = answered()
        stream.detector.end()
        #expect(stream.detector.until == .max)
        #expect(!stream.isBroken(now: 1 << 60, isHeld: false))
        stream.detector.begin(now: 100 * Self.second)
        #expect(!stream.isBroken(now: 110 * Self.second, isHeld: false))
        #expect(stream.detector.until == 120 * Self.second)
    }

    @Test func silenceWithinTheWindowIsAllowed() {
        let rule = LowSpeed.standard
        #expect(rule.over(atLeast: .seconds(60)) == rule)
        #expect(rule.over(atLeast: .seconds(3600)).window == .seconds(3600))
    }

    @Test func hugeNumbersDoNotOverflow() {
        let stream = Stream(.max, over: .seconds(100 * 365 * 86_400))
        stream.detector.begin(now: 1 << 50)
        #expect(stream.detector.until > 1 << 50)
        #expect(!stream.isBroken(now: stream.detector.until, isHeld: true))
    }
}
