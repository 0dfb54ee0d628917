// The usual rates: without the values that were measured while a replica's link was slow.
package import Base

extension LearnedFacts {
    /// The estimate of the rate of an origin at an instant while no link is slow.
    package func usualRate(origin: Int64, at instant: Timestamp) -> LearnedEstimate? {
        usual(
            .rate, without: .slowRate,
            of: LearnedKey.rates(origin: origin, quarter: LearnedKey.quarter(of: instant)),
            at: instant)
    }

    /// The estimate of the bytes a second of all transfers of a replica while its link is not slow.
    package func usualLink(of chain: LearnedChain, at instant: Timestamp) -> LearnedEstimate? {
        usual(.link, without: .slowLink, of: chain, at: instant)
    }

    /// Whether a replica's link is slow, by the signs of the last ten minutes.
    package func isLinkSlow(at now: Timestamp) -> Bool {
        guard let last = self[.slowLink].lastAt(of: .all) else { return false }
        return now - last < LearnedFacts.slowFor
    }

    /// The estimates of the capacity of a replica's link in each hour of a week from now on; a
    /// future draws all hours at one quantile.
    ///
    /// A slow link may recover at any time: in some futures it does so at once, in the others it
    /// stays slow for about as long as it has been slow already.
    package func links(from now: Timestamp) -> [LearnedEstimate?] {
        let spell = isLinkSlow(at: now) ? slowLink(at: now) : nil
        return (0..<168).map { hour in
            let instant = now + .seconds(3600 * hour)
            let usual = usualLink(of: LearnedKey.links(at: instant), at: instant)
            guard let spell, let usual else { return usual }
            let part = LearnedFacts.lasts * spell.hours / (spell.hours + Double(hour))
            // The hours repeat after a week: a link that is slow in all of them would stay slow for
            // ever.
            guard part > LearnedFacts.leastPart else { return usual }
            var sketch = usual.sketch
            sketch.decay(to: Float(1 - part))
            sketch.add(spell.rate, weight: Float(part * usual.sketch.weight))
            return LearnedEstimate(key: usual.key, sketch: sketch, weight: usual.weight)
        }
    }

    /// For how many hours a link has been slow, and the most that it has carried meanwhile.
    private func slowLink(at now: Timestamp) -> (hours: Double, rate: Double)? {
        var hours = 0
        var rate: Double?
        for back in 0..<LearnedFacts.hoursOfSpell {
            guard back - hours < LearnedFacts.gap else { break }
            let instant = now - .seconds(3600 * back)
            let key = LearnedKey.links(at: instant)[0]
            let ended = instant.microseconds / 3_600_000_000
            guard let last = self[.slowLink].lastAt(of: key),
                last.microseconds / 3_600_000_000 == ended
            else { continue }
            hours = back + 1
            let carried = self[.slowLink].quantile(0.9, of: [key], at: now)
            if let carried, back < LearnedFacts.gap { rate = max(rate ?? 0, carried) }
        }
        let known = rate ?? self[.slowLink].quantile(0.9, of: [.all], at: now)
        return known.map { (Double(max(1, hours)), $0) }
    }

    /// The time for which a link counts as slow after a minute in which it was slow.
    private static let slowFor = Duration.seconds(600)
    /// The share of futures in which a slow link does not recover at once.
    private static let lasts = 0.45
    /// A slow hour less likely than this is left out.
    private static let leastPart = 0.05
    /// The most hours that are searched for the begin of a slow spell.
    private static let hoursOfSpell = 72
    /// A spell has ended before this number of hours without a sign of slowness.
    private static let gap = 6

    /// The estimate of the first key with enough usual values; where none has, the estimate from
    /// all values.
    private func usual(
        _ measure: LearnedMeasure, without other: LearnedMeasure, of chain: LearnedChain,
        at instant: Timestamp
    ) -> LearnedEstimate? {
        for key in chain {
            guard let known = self[measure].known(of: LearnedChain(key), at: instant) else {
                continue
            }
            guard let slow = self[other].known(of: LearnedChain(key), at: instant) else {
                return known
            }
            var sketch = known.counted
            sketch.subtract(slow.counted)
            guard sketch.isKnown else { continue }
            return LearnedEstimate(key: key, sketch: sketch, weight: sketch.weight)
        }
        return self[measure].known(of: chain, at: instant)
    }
}

extension LearnedEstimate {
    /// The values with their reduced weights.
    fileprivate var counted: Sketch {
        var counted = sketch
        let whole = sketch.weight
        if whole > 0, weight < whole { counted.decay(to: Float(weight / whole)) }
        return counted
    }
}
