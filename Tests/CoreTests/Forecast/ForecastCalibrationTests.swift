// Ranges of forecasts hold as often as they say, whatever errors the simulated futures have.
import Testing

@testable import Scheduling

@Suite struct ForecastCalibrationTests {
    /// A world that is later or earlier than expected by factors of its own.
    private static func coverage(
        _ seed: Int, spread: Double, lead: ClosedRange<Double>, count: Int = 10_000
    ) -> Double {
        var random = SeededRandom(seed: UInt64(seed))
        var calibration = ForecastCalibration()
        var held = 0
        for number in 0..<count {
            let p50 = Double.random(in: lead, using: &random)
            let raw = ForecastRange(p10: p50 * 0.98, p50: p50, p90: p50 * 1.02)
            var factor = 1.0
            for _ in 0..<4 { factor *= Double.random(in: 1...spread, using: &random) }
            let came = Bool.random(using: &random) ? p50 * factor : p50 / factor
            let shown = calibration.widened(raw)
            if number >= count / 2, shown.p10 <= came, came <= shown.p90 { held += 1 }
            calibration.score(raw, came: came)
        }
        return Double(held) / Double(count / 2)
    }

    @Test(arguments: [1.05, 1.3, 2.0], [0, 1, 2])
    func rangesHoldInFourOfFiveCases(_ spread: Double, _ seed: Int) {
        for lead in [600.0...3000, 4000...20_000, 60_000...400_000] {
            let coverage = Self.coverage(seed, spread: spread, lead: lead)
            #expect((0.75...0.86).contains(coverage), "\(lead): \(coverage)")
        }
    }

    /// Simulated futures that are all too early: only the end of the range that is missed moves.
    @Test(arguments: [1.2, 1.6, 3.0])
    func rangesOfLateWorldsMoveTheirLateEnd(_ lateness: Double) {
        var random = SeededRandom(seed: 7)
        var calibration = ForecastCalibration()
        var held = 0
        for number in 0..<2000 {
            let p50 = Double.random(in: 8000...20_000, using: &random)
            let raw = ForecastRange(p10: p50 * 0.9, p50: p50, p90: p50 * 1.1)
            let came = p50 * Double.random(in: 1...lateness, using: &random)
            let shown = calibration.widened(raw)
            if number >= 1000, shown.p10 <= came, came <= shown.p90 { held += 1 }
            calibration.score(raw, came: came)
        }
        let shown = calibration.widened(ForecastRange(p10: 9000, p50: 10_000, p90: 11_000))
        #expect(shown.p10 == 9000 && shown.p90 <= 11_000 * lateness)
        #expect(held > 750, "\(held)")
    }

    /// Whatever was simulated and missed, a range is in order and does not start before the
    /// download may begin.
    @Test(arguments: 0..<50)
    func rangesAreInOrderAndNotBeforeTheDate(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var calibration = ForecastCalibration()
        for _ in 0..<100 {
            let values = (0..<3).map { _ in Double.random(in: 0...200_000, using: &random) }
                .sorted()
            let raw = ForecastRange(p10: values[0], p50: values[1], p90: values[2])
            let earliest = Double.random(in: -100_000...300_000, using: &random)
            let shown = calibration.widened(raw, from: earliest)
            #expect(shown.p10 >= max(0, earliest))
            #expect(shown.p10 <= shown.p50 && shown.p50 <= shown.p90)
            calibration.score(raw, came: Double.random(in: 0...400_000, using: &random))
        }
    }

    @Test func leadsAreCorrectedApart() {
        var calibration = ForecastCalibration()
        for _ in 0..<200 {
            calibration.score(ForecastRange([1000]), came: 1000)
            calibration.score(ForecastRange([30_000]), came: 90_000)
        }
        let near = calibration.widened(ForecastRange([1000]))
        let far = calibration.widened(ForecastRange([30_000]))
        #expect(near.p90 < 1200 && far.p90 > 80_000)
        #expect(near.p10 <= near.p50 && near.p50 <= near.p90)
    }

    @Test func aRangeThatIsWideEnoughStays() {
        var calibration = ForecastCalibration()
        let raw = ForecastRange(p10: 100, p50: 5000, p90: 80_000)
        for _ in 0..<100 { calibration.score(raw, came: 5000) }
        let shown = calibration.widened(raw)
        #expect(shown.p10 == 100 && shown.p90 == 80_000)
    }

    @Test func confidenceIsMeasured() {
        var calibration = ForecastCalibration()
        let raw = ForecastRange([1000])
        #expect(calibration.confidence(of: raw) == "unknown" && calibration.coverage == nil)
        for _ in 0..<50 { calibration.score(raw, came: 1000) }
        #expect(calibration.confidence(of: raw) == "high")
        #expect(calibration.confidence(of: ForecastRange([90_000])) == "unknown")
        var wrong = ForecastCalibration()
        // Each miss is wider than all misses before it.
        var came = 4000.0
        for _ in 0..<20 {
            wrong.score(raw, came: came)
            came *= 3
        }
        #expect(wrong.confidence(of: raw) == "low")
    }

    @Test func pinballPunishesTheSideThatIsMissed() {
        let range = ForecastRange(p10: 10, p50: 20, p90: 30)
        let inside = ForecastCalibration.pinball(range, 20)
        #expect(abs(inside - 2) < 1e-9)
        #expect(ForecastCalibration.pinball(range, 100) > ForecastCalibration.pinball(range, 40))
        let point = ForecastRange(p10: 20, p50: 20, p90: 20)
        #expect(ForecastCalibration.pinball(point, 20) == 0)
    }
}
