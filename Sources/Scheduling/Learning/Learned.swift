// Learned rates, sizes and progress, by the key that they belong to.
package import Base

/// Sketches of one scale by key; a key with too few values is replaced by the next one of its
/// chain.
package struct Learned: Equatable, Sendable {
    /// The most keys that are kept.
    package static let keysAtMost = 100_000
    /// A key without a value for this time is forgotten.
    package static let memory = Duration.seconds(30 * 86_400)
    /// After this time a value counts half.
    package static let halfLife = Duration.seconds(7 * 86_400)

    /// One key's sketch.
    private struct Entry: Equatable {
        var sketch: Sketch
        /// The time at which the weights of its values were reduced last.
        var fadedAt: Timestamp
        var lastAt: Timestamp
    }

    private let scale: Sketch.Scale
    private var entries: [LearnedKey: Entry] = [:]
    /// The next search for keys to forget; it reads every key, so it runs at most once a day.
    private var looksAt = Timestamp.epoch

    /// Creates an empty store of sketches.
    package init(_ scale: Sketch.Scale) { self.scale = scale }

    /// The number of keys.
    package var count: Int { entries.count }

    /// Adds a value for every key of a chain; if the table is full, for known keys only.
    package mutating func add(_ value: Double, to chain: LearnedChain, at now: Timestamp) {
        for key in chain.reversed() {
            if entries[key] == nil {
                if entries.count >= Learned.keysAtMost, now >= looksAt { forget(at: now) }
                guard entries.count < Learned.keysAtMost else { continue }
                entries[key] = Entry(sketch: Sketch(scale), fadedAt: now, lastAt: now)
            }
            let halvings = entries[key].map { Learned.halvings(since: $0.fadedAt, now) } ?? 0
            if halvings > 0 {
                entries[key]?.sketch.decay(to: Learned.part(halvings))
                entries[key]?.fadedAt += Learned.halfLife * halvings
            }
            entries[key]?.sketch.add(value)
            let last = entries[key]?.lastAt ?? now
            entries[key]?.lastAt = max(last, now)
        }
    }

    /// A quantile from the first key of a chain with enough values.
    ///
    /// - Parameters:
    ///   - part: from 0 to 1.
    ///   - chain: the most exact key first.
    ///   - now: values from before fade.
    /// - Returns: nil where none has.
    package func quantile(_ part: Double, of chain: LearnedChain, at now: Timestamp) -> Double? {
        known(of: chain, at: now)?.sketch.quantile(part)
    }

    /// The mean from the first key of a chain with enough values.
    package func mean(of chain: LearnedChain, at now: Timestamp) -> Double? {
        known(of: chain, at: now)?.sketch.mean
    }

    /// The estimate of the first key of a chain with enough values; nil where none has.
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

    /// The weight of a key's values; old ones count for less.
    package func weight(of key: LearnedKey, at now: Timestamp) -> Double {
        guard let entry = entries[key], now - entry.lastAt < Learned.memory else { return 0 }
        let part = Learned.part(Learned.halvings(since: entry.fadedAt, now))
        return entry.sketch.weight * Double(part)
    }

    /// The time at which a key got its last value; nil for none.
    package func lastAt(of key: LearnedKey) -> Timestamp? { entries[key]?.lastAt }

    /// Replaces the values of a key by those of the store.
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

    /// Forgets keys that got no value for a long time.
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
