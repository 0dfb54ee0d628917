// Sizes, rates and arrivals of a forecast: medians, or drawn from what was learned.
internal import Base

extension ForecastFuture {
    mutating func size(
        _ batch: ForecastModel.Batch, _ lane: ForecastModel.Lane
    ) -> Double {
        let unsized = lane.sizes.map {
            isMedian ? $0.sketch.mean ?? 0 : $0.quantile(random.unit())
        }
        let known = batch.bytes + Double(batch.unsized) * (unsized ?? FairShares.unknownBytes)
        return known / Double(batch.count)
    }

    mutating func rate(_ lane: ForecastModel.Lane) -> Double {
        let since = now - firstQuarter.left
        let quarter = since < 0 ? 0 : 1 + Int(since / ForecastFuture.quarter)
        let number = (firstQuarter.number + quarter) % 4
        guard let rates = model.paces[lane.pace].rates[number] else {
            return Double(TransferNeed.assumedRate)
        }
        guard !isMedian else { return max(1, rates.quantile(0.5)) }
        let isCommon = random.unit() < ForecastFuture.commonLuck
        return max(1, rates.quantile(isCommon ? lucks[lane.pace] : random.unit()))
    }

    /// The share of transfers that have the luck of their origin in common, because a slow origin
    /// is slow for hours.
    private static let commonLuck = 0.75

    /// The arrivals of the next hours, by lane.
    static func comers(
        _ model: ForecastModel, isMedian: Bool, _ random: inout ForecastRandom
    ) -> [[ForecastModel.Batch]] {
        model.comers.map { comer in
            var sum = 0.0
            return model.arrivals[comer.kind].enumerated().compactMap { hour, count in
                let mean = count * comer.share
                sum += isMedian ? mean : Double(ForecastFuture.draw(mean, &random))
                let whole = min(1_000_000, Int(sum))
                guard whole > 0 else { return nil }
                sum -= Double(whole)
                return ForecastModel.Batch(
                    runAt: model.situation.now + .seconds(3600 * hour + 1800), count: whole,
                    bytes: 0, unsized: whole, chunk: max(1, whole / (4 * model.slots)))
            }
        }
    }

    /// Draws the number of arrivals for a mean (a Poisson distribution).
    static func draw(_ mean: Double, _ random: inout ForecastRandom) -> Int {
        guard mean > 0 else { return 0 }
        guard mean < 32 else {
            // A normal variate as a sum of twelve uniform ones.
            let normal = (0..<12).reduce(-6) { sum, _ in sum + random.unit() }
            return max(0, Int(mean + normal * mean.squareRoot()))
        }
        let tries = max(8, Int(mean * 8))
        return (0..<tries).count { _ in random.unit() < mean / Double(tries) }
    }
}
