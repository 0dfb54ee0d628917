// Ranges of forecasts hold as often as they say, whatever the simulated ones miss.
import Testing

@testable import Core

@Suite struct ForecastCalibrationTests {
    /// A world that is later or earlier than expected by factors of its own.
    private static func coverage(
        _ seed: Int, spread: Double, lead: ClosedRange<Double>, count: Int = 3000
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
        // Each miss is wider than all before.
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
