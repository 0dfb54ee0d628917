// Quantiles of measured values, against the values themselves.
import Scheduling
import Testing

@Suite struct SketchTests {
    private static let scales: [(Sketch.Scale, ClosedRange<Double>)] = [
        (.rate, 1e3...9e9), (.size, 1...9e14), (.share, 1e-3...1), (.time, 1e-3...86_400),
    ]

    @Test(arguments: 0..<30)
    func quantilesAreWithinFivePercent(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        for (scale, range) in Self.scales {
            var sketch = Sketch(scale)
            var values: [Double] = []
            for _ in 0..<Int.random(in: 1...2000, using: &random) {
                // Many orders of magnitude, small ones as often as large ones.
                var value = range.lowerBound
                while Bool.random(using: &random) || Bool.random(using: &random) {
                    value *= Double.random(in: 1...4, using: &random)
                }
                values.append(min(value, range.upperBound))
                sketch.add(values[values.count - 1])
            }
            values.sort()
            for part in [0.0, 0.01, 0.2, 0.5, 0.8, 0.99, 1] {
                let rank = max(1, Int((part * Double(values.count)).rounded(.up)))
                let exact = values[rank - 1]
                let shown = sketch.quantile(part) ?? 0
                #expect(abs(shown - exact) <= 0.0501 * exact, "\(scale) \(part): \(shown)")
            }
        }
    }

    @Test func theMeanIsWithinFivePercent() throws {
        var sketch = Sketch(.rate)
        for value in 1...1000 { sketch.add(Double(value) * 1e4) }
        let mean = try #require(sketch.mean)
        #expect(abs(mean - 5.005e6) <= 0.05 * 5.005e6)
    }

    @Test func mergingEqualsMeasuringTogether() {
        var random = SeededRandom(seed: 3)
        var parts = [Sketch(.size), Sketch(.size)]
        var whole = Sketch(.size)
        for _ in 0..<500 {
            let value = Double.random(in: 1...1e12, using: &random)
            parts[Int.random(in: 0...1, using: &random)].add(value)
            whole.add(value)
        }
        parts[0].merge(parts[1])
        #expect(parts[0] == whole)
    }

    @Test func fadedValuesCountLess() throws {
        var sketch = Sketch(.rate)
        for _ in 0..<90 { sketch.add(1e6) }
        sketch.decay(to: 0.5)
        #expect(sketch.weight == 45)
        for _ in 0..<60 { sketch.add(1e8) }
        let median = try #require(sketch.quantile(0.5))
        #expect(median > 9e7)
        // Without fading the older value would be the median.
        sketch.decay(to: 0)
        #expect(sketch.quantile(0.5) == nil && !sketch.isKnown)
    }

    @Test(arguments: [0, -1, .nan, .infinity, 1e300, .leastNonzeroMagnitude] as [Double])
    func valuesBeyondTheScaleCountAsItsEnds(_ value: Double) throws {
        for (scale, range) in Self.scales {
            var sketch = Sketch(scale)
            sketch.add(value)
            let shown = try #require(sketch.quantile(0.5))
            let isLarge = value > range.upperBound
            #expect(isLarge ? shown > range.upperBound * 0.9 : shown < range.lowerBound * 1.2)
        }
    }

    @Test func speaksFromFiveValuesOn() {
        var sketch = Sketch(.rate)
        for count in 1...6 {
            sketch.add(1e6)
            #expect(sketch.isKnown == (count >= 5))
        }
    }

    @Test func storedCountsComeBack() {
        var sketch = Sketch(.share)
        sketch.add(0.4)
        sketch.add(0.002)
        let (first, counts) = (sketch.first, sketch.counts)
        #expect(Sketch(.share, first: first, counts: counts) == sketch)
        #expect(Sketch(.share, first: first + 71 - counts.count, counts: counts) == nil)
        #expect(Sketch(.share, first: -1, counts: counts) == nil)
        #expect(Sketch(.share, first: .max, counts: counts) == nil)
        for bad in [-1, .nan, .infinity] as [Float] {
            var counts = counts
            counts[7] = bad
            #expect(Sketch(.share, first: first, counts: counts) == nil)
        }
    }

    @Test func holdsOnlyTheBucketsBetweenItsValues() {
        var sketch = Sketch(.size)
        #expect(sketch.counts.isEmpty && sketch.quantile(0.5) == nil)
        sketch.add(1e6)
        #expect(sketch.counts.count == 1)
        sketch.add(2e6)
        sketch.add(0.5e6)
        #expect(sketch.counts.count < 20 && sketch.weight == 3)
        sketch.merge(Sketch(.size))
        #expect(sketch.weight == 3)
    }
}
