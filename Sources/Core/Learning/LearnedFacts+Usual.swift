// What is usual: without what was measured while a replica's link was slow.

extension LearnedFacts {
    /// What is known of the rate of an origin at an instant while no link is slow.
    package func usualRate(origin: Int64, at instant: Timestamp) -> LearnedEstimate? {
        usual(
            .rate, without: .slowRate,
            of: LearnedKey.rates(origin: origin, quarter: LearnedKey.quarter(of: instant)),
            at: instant)
    }

    /// What is known of the bytes a second of all transfers of a replica while its link is not
    /// slow.
    package func usualLink(of chain: LearnedChain, at instant: Timestamp) -> LearnedEstimate? {
        usual(.link, without: .slowLink, of: chain, at: instant)
    }

    /// Whether a replica's link is slow, by the last minutes.
    package func isLinkSlow(at now: Timestamp) -> Bool {
        guard let last = self[.slowLink].lastAt(of: .all) else { return false }
        return now - last < LearnedFacts.slowFor
    }

    /// What the link of a replica carries in each hour of a week from now on, to be drawn with one
    /// luck for all hours.
    ///
    /// One that is slow may be as usual at any time: in some futures it is at once, in the others
    /// it is slow for about as long again as it has been.
    package func links(from now: Timestamp) -> [LearnedEstimate?] {
        let spell = isLinkSlow(at: now) ? slowLink(at: now) : nil
        return (0..<168).map { hour in
            let instant = now + .seconds(3600 * hour)
            let usual = usualLink(of: LearnedKey.links(at: instant), at: instant)
            guard let spell, let usual else { return usual }
            let part = LearnedFacts.lasts * spell.hours / (spell.hours + Double(hour))
            // Hours come again after a week: one that is always slow would be slow for ever.
            guard part > LearnedFacts.leastPart else { return usual }
            var sketch = usual.sketch
            sketch.fade(to: Float(1 - part))
            sketch.add(spell.rate, weight: Float(part * usual.sketch.weight))
            return LearnedEstimate(key: usual.key, sketch: sketch, weight: usual.weight)
        }
    }

    /// For how many hours a link has been slow, and what it has carried at most.
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

    /// A minute in which a link was slow says so for so long.
    private static let slowFor = Duration.seconds(600)
    /// The part of the futures in which a slow link is not as usual at once.
    private static let lasts = 0.45
    /// Less likely slowness is left out.
    private static let leastPart = 0.05
    /// How many hours are looked back at most.
    private static let hoursOfSpell = 72
    /// So many hours without a sign end a spell.
    private static let gap = 6

    /// What the first key says that has seen enough of what is usual; where none has, what all of
    /// it says.
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
    /// Its values, old ones counted for less.
    fileprivate var counted: Sketch {
        var counted = sketch
        let whole = sketch.weight
        if whole > 0, weight < whole { counted.fade(to: Float(weight / whole)) }
        return counted
    }
}
