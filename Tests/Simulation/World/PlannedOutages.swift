// The times at which origins are unreachable, from all replicas or from one.
import Base

/// The outages of a world, from its seed; a third of the worlds has some.
struct PlannedOutages {
    private struct Span {
        let from: Timestamp
        let to: Timestamp

        func contains(_ instant: Timestamp) -> Bool { instant >= from && instant < to }
    }

    private var origins: [Int64: Span] = [:]
    private var networks: [Int: Span] = [:]

    /// A separate random generator: a world without outages does not depend on its numbers.
    init(seed: UInt64, origins count: Int64, replicas: Int, from start: Timestamp) {
        var random = SeededRandom(seed: seed ^ 0x6f75_7461_6765)
        guard random.isOne(1.0 / 3) else { return }
        for origin in 1...count where random.isOne(0.5) {
            let from = start + random.span(0...200_000_000)
            origins[origin] = Span(from: from, to: from + random.span(5_000_000...300_000_000))
        }
        for place in 0..<replicas where random.isOne(0.3) {
            let from = start + random.span(0...300_000_000)
            networks[place] = Span(from: from, to: from + random.span(5_000_000...120_000_000))
        }
    }

    /// Whether a replica has a network.
    func hasNetwork(_ place: Int, at now: Timestamp) -> Bool {
        networks[place].map { !$0.contains(now) } ?? true
    }

    /// Whether a replica reaches an origin.
    func isReached(_ origin: Int64, from place: Int, at now: Timestamp) -> Bool {
        hasNetwork(place, at: now) && origins[origin].map { !$0.contains(now) } ?? true
    }
}
