// What every replica knows of the world, as one value.

/// Rates, sizes, progress and resumes as they were learned.
///
/// It is read from the store and never written by a decision: what decides looks at one value.
package struct LearnedFacts: Equatable, Sendable {
    private var measures: [LearnedMeasure: Learned]
    /// The part of usual rates that transfers have here at present; see `TransferPace`.
    package var pace = 1.0

    /// Nothing learned.
    package init() {
        measures = Dictionary(
            uniqueKeysWithValues: LearnedMeasure.allCases.map { ($0, Learned($0.scale)) })
    }

    /// One measure.
    package subscript(_ measure: LearnedMeasure) -> Learned {
        _read {
            guard let learned = measures[measure] else {
                preconditionFailure("every measure has its place")
            }
            yield learned
        }
    }

    /// How many keys are known.
    package var count: Int { measures.values.reduce(0) { $0 + $1.count } }

    /// Takes what the store holds, in place of what was known of the same keys.
    package mutating func take(_ entries: [LearnedEntry], at now: Timestamp) {
        for entry in entries { measures[entry.measure]?.replace(with: entry, at: now) }
    }

    /// Forgets keys without a value for long.
    package mutating func forget(at now: Timestamp) {
        for measure in LearnedMeasure.allCases { measures[measure]?.forget(at: now) }
    }

    /// Takes a value as if the store had been asked at once: for what has no store.
    package mutating func add(
        _ value: Double, _ measure: LearnedMeasure, to chain: LearnedChain, at now: Timestamp
    ) {
        measures[measure]?.add(value, to: chain, at: now)
    }

    /// What is known of the rate of an origin at an instant.
    package func rate(origin: Int64, at instant: Timestamp) -> LearnedEstimate? {
        self[.rate].known(
            of: LearnedKey.rates(origin: origin, quarter: LearnedKey.quarter(of: instant)),
            at: instant)
    }

    /// What is known of the bytes a second of all transfers of a replica at an instant.
    package func link(at instant: Timestamp) -> LearnedEstimate? {
        self[.link].known(of: LearnedKey.links(at: instant), at: instant)
    }

    /// How many downloads of a class come in the hour of an instant at one replica; 0 where that
    /// is not known.
    package func arrivals(of kind: SchedulingClass, at instant: Timestamp, now: Timestamp) -> Double
    {
        let learned = self[.arrival]
        let counts = LearnedKey.hours(of: kind, at: instant)
        let watched = LearnedKey.hours(of: nil, at: instant)
        for (count, hours) in zip(counts, watched) {
            let weight = learned.weight(of: hours, at: now)
            guard weight >= LearnedFacts.fewestHours else { continue }
            return learned.weight(of: count, at: now) / weight
        }
        return 0
    }

    /// How many downloads of a class have come, old ones counted for less.
    package func arrivals(of kind: SchedulingClass, now: Timestamp) -> Double {
        let keys = (0..<24).map { hour in
            LearnedKey.hours(of: kind, at: now + .seconds(3600 * hour))[1]
        }
        return keys.reduce(0) { $0 + self[.arrival].weight(of: $1, at: now) }
    }

    /// The part of all downloads that are a session's from an origin.
    package func share(session: Int64, origin: Int64, at now: Timestamp) -> Double {
        let learned = self[.arrival]
        let all = learned.weight(of: .all, at: now)
        guard all >= Sketch.fewest else { return 0 }
        return min(1, learned.weight(of: .pair(session: session, origin: origin), at: now) / all)
    }

    /// An hour that was watched less often says nothing.
    private static let fewestHours = 2.0

    /// What is known of the sizes of a session's files from an origin.
    package func size(
        session: Int64, origin: Int64, at instant: Timestamp
    ) -> LearnedEstimate? {
        self[.size].known(of: LearnedKey.sizes(session: session, origin: origin), at: instant)
    }

    /// What is known of how many seconds a session's downloads from an origin have from creation to
    /// deadline.
    package func life(session: Int64, origin: Int64, at instant: Timestamp) -> LearnedEstimate? {
        self[.life].known(of: LearnedKey.sizes(session: session, origin: origin), at: instant)
    }

    /// How far an attempt gets on average, as a share of what was left; 1 where that is not known.
    package func progress(origin: Int64, at instant: Timestamp) -> Double {
        self[.progress].mean(of: LearnedKey.progress(origin: origin), at: instant) ?? 1
    }

    /// Seconds until the first byte, on average; half a second where that is not known.
    package func setup(origin: Int64, at instant: Timestamp) -> Double {
        self[.setup].mean(of: LearnedKey.setups(origin: origin), at: instant) ?? 0.5
    }

    /// The share of requests for the rest of a file that an origin honoured; nil if not known.
    package func resumes(origin: Int64, at instant: Timestamp) -> Double? {
        self[.resume].mean(of: LearnedKey.resumes(origin: origin), at: instant)
    }

    /// Whether what an origin sends can be gone on with after a stop: by the rests that it sent
    /// when asked, else by what its answers named; then by those of all origins.
    ///
    /// - Returns: nil where too little was seen.
    package func isResumable(origin: Int64, at instant: Timestamp) -> Bool? {
        for key in LearnedKey.resumes(origin: origin) {
            let share =
                self[.resume].mean(of: LearnedChain(key), at: instant)
                ?? self[.ranges].mean(of: LearnedChain(key), at: instant)
            if let share { return share >= LearnedFacts.resumableFrom }
        }
        return nil
    }

    /// The share of rests that were sent from which on an origin counts as resumable.
    private static let resumableFrom = 0.9
}
