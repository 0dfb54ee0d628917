// The speed of transfers beside the usual one: smoothed, in steps, and 1 unless they are slow.
import Base
import Scheduling
import Testing

@Suite struct TransferPaceTests {
    private static let start = Timestamp(seconds: 1_800_000_000)

    /// The factor after a number of measurements, one a minute.
    private static func factor(
        _ measures: [(minutes: Int, parts: [Double])]
    ) -> Double {
        var pace = TransferPace()
        var minute: Int64 = 0
        for (minutes, parts) in measures {
            for _ in 0..<minutes {
                pace.measure(parts, at: start + .seconds(60 * minute))
                minute += 1
            }
        }
        return pace.factor
    }

    @Test func itFollowsTheMedianInAboutAnHour() {
        let slow = [0.2, 0.25, 0.3, 9.0]
        #expect(Self.factor([(10, slow)]) == 1)
        #expect(abs(Self.factor([(60, slow)]) - 0.55) < 0.06)
        #expect(abs(Self.factor([(600, slow)]) - 0.3) < 0.01)
    }

    /// A few slow attempts do not lower the factor, and fast ones do not raise it.
    @Test(arguments: [[0.8, 0.8, 0.8], [0.2, 1, 1], [5, 5, 5], [0.1, 0.1]])
    func itIsOneUnlessMostAreSlow(_ parts: [Double]) {
        #expect(Self.factor([(600, parts)]) == 1)
    }

    @Test func itIsForgottenWhileLittleRuns() {
        let slow = [0.2, 0.2, 0.2]
        #expect(Self.factor([(600, slow), (30, [])]) < 0.5)
        #expect(Self.factor([(600, slow), (600, [])]) == 1)
        #expect(Self.factor([(600, slow), (240, [1, 1, 1])]) == 1)
    }

    /// A clock that goes back, and speeds of zero, do no harm.
    @Test func itStaysInBounds() {
        var pace = TransferPace()
        for minute in 0..<2000 {
            let at = Self.start + .seconds(60 * Int64(minute % 1500))
            pace.measure([0, 0, 0], at: at)
        }
        #expect(pace.factor == 0.05)
    }
}
