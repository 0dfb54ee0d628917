// The facts that replicas have learned about origins and links, as one value.
package import Base
package import Downloads

/// The learned rates, sizes, progress and resumes.
///
/// It is read from the store and never written by a decision, so a decision sees one consistent
/// value.
package struct LearnedFacts: Equatable, Sendable {
    private var measures: [LearnedMeasure: Learned]
    /// The share of their usual rates that transfers have here at present; see `TransferPace`.
    package var pace = 1.0

    /// Creates facts without values.
    package init() {
        measures = Dictionary(
            uniqueKeysWithValues: LearnedMeasure.allCases.map { ($0, Learned($0.scale)) })
    }

    /// The values of one measure.
    package subscript(_ measure: LearnedMeasure) -> Learned {
        _read {
            guard let learned = measures[measure] else {
                preconditionFailure("every measure has its place")
            }
            yield learned
        }
    }

    /// The number of keys of all measures.
    package var count: Int { measures.values.reduce(0) { $0 + $1.count } }

    /// Takes entries of the store, which replace earlier ones of their keys.
    package mutating func take(_ entries: [LearnedEntry], at now: Timestamp) {
        for entry in entries { measures[entry.measure]?.replace(with: entry, at: now) }
    }

    /// Forgets keys that got no value for a long time.
    package mutating func forget(at now: Timestamp) {
        for measure in LearnedMeasure.allCases { measures[measure]?.forget(at: now) }
    }

    /// Adds a value without a store, as simulations do.
    package mutating func add(
        _ value: Double, _ measure: LearnedMeasure, to chain: LearnedChain, at now: Timestamp
    ) {
        measures[measure]?.add(value, to: chain, at: now)
    }

    /// The estimate of the rate of an origin at an instant.
    package func rate(origin: Int64, at instant: Timestamp) -> LearnedEstimate? {
        self[.rate].known(
            of: LearnedKey.rates(origin: origin, quarter: LearnedKey.quarter(of: instant)),
            at: instant)
    }

    /// The estimate of the bytes a second of all transfers of a replica at an instant.
    package func link(at instant: Timestamp) -> LearnedEstimate? {
        self[.link].known(of: LearnedKey.links(at: instant), at: instant)
    }

    /// The number of downloads of a class that arrive at one replica in the hour of an instant; 0
    /// if unknown.
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

    /// The number of downloads of a class that have arrived; old ones count for less.
    package func arrivals(of kind: SchedulingClass, now: Timestamp) -> Double {
        let keys = (0..<24).map { hour in
            LearnedKey.hours(of: kind, at: now + .seconds(3600 * hour))[1]
        }
        return keys.reduce(0) { $0 + self[.arrival].weight(of: $1, at: now) }
    }

    /// The share of a session's downloads from an origin among all downloads.
    package func share(session: Int64, origin: Int64, at now: Timestamp) -> Double {
        let learned = self[.arrival]
        let all = learned.weight(of: .all, at: now)
        guard all >= Sketch.fewest else { return 0 }
        return min(1, learned.weight(of: .pair(session: session, origin: origin), at: now) / all)
    }

    /// The least weight of an hour that counts: it was observed this often.
    private static let fewestHours = 2.0

    /// The estimate of the sizes of a session's files from an origin.
    package func size(
        session: Int64, origin: Int64, at instant: Timestamp
    ) -> LearnedEstimate? {
        self[.size].known(of: LearnedKey.sizes(session: session, origin: origin), at: instant)
    }

    /// The estimate of the seconds from creation to deadline of a session's downloads from an
    /// origin.
    package func life(session: Int64, origin: Int64, at instant: Timestamp) -> LearnedEstimate? {
        self[.life].known(of: LearnedKey.sizes(session: session, origin: origin), at: instant)
    }

    /// The average share of the missing bytes that an attempt transfers; 1 if unknown.
    package func progress(origin: Int64, at instant: Timestamp) -> Double {
        self[.progress].mean(of: LearnedKey.progress(origin: origin), at: instant) ?? 1
    }

    /// The average number of seconds until the first byte; half a second if unknown.
    package func setup(origin: Int64, at instant: Timestamp) -> Double {
        self[.setup].mean(of: LearnedKey.setups(origin: origin), at: instant) ?? 0.5
    }

    /// The share of requests for the rest of a file that an origin honoured; nil if unknown.
    package func resumes(origin: Int64, at instant: Timestamp) -> Double? {
        self[.resume].mean(of: LearnedKey.resumes(origin: origin), at: instant)
    }

    /// Whether a transfer from an origin can be resumed after a stop: judged by its answers to such
    /// requests, without these by the byte ranges that its answers offered, and at last by all
    /// origins.
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

    /// The least share of honoured requests of an origin that counts as resumable.
    private static let resumableFrom = 0.9
}
