// When origins asked for no requests, as replicas saw it.

/// The pauses of the last days by origin; bounded.
struct PushbackHistory: Equatable, Sendable {
    private static let originsAtMost = 1024
    private static let pausesAtMost = 256

    private var pauses: [Int64: [Range<Timestamp>]] = [:]

    /// Whether no pause is known.
    var isEmpty: Bool { pauses.isEmpty }

    /// A pause is seen; one that goes on is made longer.
    mutating func note(_ origin: Int64, until end: Timestamp, at now: Timestamp) {
        guard end > now else { return }
        var list = pauses[origin] ?? []
        if let last = list.last, last.upperBound >= now {
            guard last.upperBound != end else { return }
            list[list.count - 1] = min(last.lowerBound, now)..<end
        } else {
            if pauses[origin] == nil, pauses.count >= PushbackHistory.originsAtMost {
                forget(at: now)
                guard pauses.count < PushbackHistory.originsAtMost else { return }
            }
            if list.count >= PushbackHistory.pausesAtMost { list.removeFirst() }
            list.append(now..<end)
        }
        pauses[origin] = list
    }

    /// A pause is over sooner than it was said to be.
    mutating func end(_ origin: Int64, at now: Timestamp) {
        guard let list = pauses[origin], let last = list.last, last.upperBound > now else { return }
        pauses[origin]?[list.count - 1] = min(last.lowerBound, now)..<now
    }

    private mutating func forget(at now: Timestamp) {
        let oldest = now - FactsHistory.memory
        pauses = pauses.compactMapValues { list in
            let kept = list.filter { $0.upperBound > oldest }
            return kept.isEmpty ? nil : kept
        }
    }

    /// The end of the pause of an origin at an instant; nil for none.
    func end(of origin: Int64, at instant: Timestamp) -> Timestamp? {
        pauses[origin]?.last { $0.contains(instant) }?.upperBound
    }

    /// Whether an origin had a pause between two instants.
    func has(_ origin: Int64, from start: Timestamp, to end: Timestamp) -> Bool {
        pauses[origin]?.contains { $0.upperBound > start && $0.lowerBound < end } ?? false
    }

    /// The next begin or end of a pause after an instant.
    func change(of origin: Int64, after instant: Timestamp) -> Timestamp? {
        (pauses[origin] ?? []).flatMap { [$0.lowerBound, $0.upperBound] }
            .filter { $0 > instant }.min()
    }
}
