// What the world did: rates, sizes and progress, by what they are about.

/// Sketches of one scale by key; a key that has seen too little leaves the word to the next of its
/// chain.
package struct Learned: Equatable, Sendable {
    /// How many keys are kept at most.
    package static let keysAtMost = 100_000
    /// After that much time without a value a key is forgotten.
    package static let memory = Duration.seconds(30 * 86_400)
    /// In that time a value comes to count half.
    package static let halfLife = Duration.seconds(7 * 86_400)

    /// One key's sketch.
    private struct Entry: Equatable {
        var sketch: Sketch
        /// When its values were made to count less the last time.
        var fadedAt: Timestamp
        var lastAt: Timestamp
    }

    private let scale: Sketch.Scale
    private var entries: [LearnedKey: Entry] = [:]
    /// Looking for what may be forgotten reads every key, so it is done once a day at most.
    private var looksAt = Timestamp.epoch

    /// Nothing learned.
    package init(_ scale: Sketch.Scale) { self.scale = scale }

    /// How many keys are known.
    package var count: Int { entries.count }

    /// Takes a value for every key of a chain; where there is no place for more keys, for those
    /// that are known.
    package mutating func add(_ value: Double, to chain: LearnedChain, at now: Timestamp) {
        for key in chain.reversed() {
            if entries[key] == nil {
                if entries.count >= Learned.keysAtMost, now >= looksAt { forget(at: now) }
                guard entries.count < Learned.keysAtMost else { continue }
                entries[key] = Entry(sketch: Sketch(scale), fadedAt: now, lastAt: now)
            }
            let halvings = entries[key].map { Learned.halvings(since: $0.fadedAt, now) } ?? 0
            if halvings > 0 {
                entries[key]?.sketch.fade(to: Learned.part(halvings))
                entries[key]?.fadedAt += Learned.halfLife * halvings
            }
            entries[key]?.sketch.add(value)
            let last = entries[key]?.lastAt ?? now
            entries[key]?.lastAt = max(last, now)
        }
    }

    /// A quantile by the first key of a chain that has seen enough.
    ///
    /// - Parameters:
    ///   - part: from 0 to 1.
    ///   - chain: the most exact key first.
    ///   - now: values from before fade.
    /// - Returns: nil where none has.
    package func quantile(_ part: Double, of chain: LearnedChain, at now: Timestamp) -> Double? {
        known(of: chain, at: now)?.sketch.quantile(part)
    }

    /// A mean by the first key of a chain that has seen enough.
    package func mean(of chain: LearnedChain, at now: Timestamp) -> Double? {
        known(of: chain, at: now)?.sketch.mean
    }

    /// What the first key of a chain says that has seen enough; nil where none has.
    package func known(of chain: LearnedChain, at now: Timestamp) -> LearnedEstimate? {
        for key in chain {
            guard let entry = entries[key], now - entry.lastAt < Learned.memory else { continue }
            let part = Learned.part(Learned.halvings(since: entry.fadedAt, now))
            let weight = entry.sketch.weight * Double(part)
            guard weight >= Sketch.fewest else { continue }
            return LearnedEstimate(key: key, sketch: entry.sketch, weight: weight)
        }
        return nil
    }

    /// How many values a key has seen, old ones counted for less.
    package func weight(of key: LearnedKey, at now: Timestamp) -> Double {
        guard let entry = entries[key], now - entry.lastAt < Learned.memory else { return 0 }
        let part = Learned.part(Learned.halvings(since: entry.fadedAt, now))
        return entry.sketch.weight * Double(part)
    }

    /// When a key has seen its last value; nil for none.
    package func lastAt(of key: LearnedKey) -> Timestamp? { entries[key]?.lastAt }

    /// Takes all that the store holds of a key, in place of what was known of it.
    ///
    /// - Parameters:
    ///   - entry: what is stored.
    ///   - now: where there is no place for more keys, old ones are forgotten.
    package mutating func replace(with entry: LearnedEntry, at now: Timestamp) {
        guard entry.sketch.scale == scale else { return }
        if entries[entry.key] == nil {
            if entries.count >= Learned.keysAtMost, now >= looksAt { forget(at: now) }
            guard entries.count < Learned.keysAtMost else { return }
        }
        entries[entry.key] = Entry(
            sketch: entry.sketch, fadedAt: entry.fadedAt, lastAt: entry.changedAt)
    }

    /// Forgets keys without a value for long.
    package mutating func forget(at now: Timestamp) {
        entries = entries.filter { now - $0.value.lastAt < Learned.memory }
        looksAt = now + .seconds(86_400)
    }

    private static func halvings(since before: Timestamp, _ now: Timestamp) -> Int {
        guard now > before else { return 0 }
        return Int((now - before).wholeMicroseconds / halfLife.wholeMicroseconds)
    }

    private static func part(_ halvings: Int) -> Float {
        halvings > 60 ? 0 : 1 / Float(UInt64(1) << UInt64(halvings))
    }
}
