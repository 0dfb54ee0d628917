// The bytes of a transfer that say how fast its origin is.
import Scheduling
import Testing

@Suite struct SpanMeterTests {
    private static let second: Int64 = 1_000_000_000

    /// A transfer with a piece of bytes each tenth of a second.
    private static func meter(
        pieces: Int, bytes: Int = 100_000, pauseBefore: Set<Int> = [], stallBefore: Int? = nil
    ) -> SpanMeter {
        var meter = SpanMeter()
        var now: Int64 = 77
        for piece in 0..<pieces {
            now += second / 10
            if piece == stallBefore { now += 10 * second }
            if pauseBefore.contains(piece) {
                meter.pause()
                now += 100 * second
            }
            meter.count(bytes, at: now)
        }
        return meter
    }

    @Test func theRateIsThatOfTheBytesBehindTheFirst() throws {
        let rate = try #require(Self.meter(pieces: 51).rate)
        #expect(abs(rate - 1e6) < 1)
    }

    @Test func spansWithAPauseDoNotCount() throws {
        for places in [[1], [30], [3, 17, 33], [50]] as [Set<Int>] {
            let rate = try #require(Self.meter(pieces: 61, pauseBefore: places).rate)
            #expect(abs(rate - 1e6) < 1, "\(places): \(rate)")
        }
        // A transfer that was paused before every piece says nothing.
        #expect(Self.meter(pieces: 61, pauseBefore: Set(0...60)).rate == nil)
    }

    /// Time in which the origin sends nothing lowers its rate.
    @Test func aStallOfTheOriginCounts() throws {
        let rate = try #require(Self.meter(pieces: 101, stallBefore: 50).rate)
        #expect(abs(rate - 0.5e6) < 1)
    }

    @Test(arguments: [0, 1, 2])
    func tooLittleSaysNothing(_ pieces: Int) {
        // One piece has no time, and two pieces of 30,000 bytes have too few bytes.
        #expect(Self.meter(pieces: pieces, bytes: 30_000).rate == nil)
    }
}
