// Pauses by key, as seen by replicas.
internal import Base

/// The pauses of the last days, for example of an app's downloads of an origin.
///
/// The number of pauses is bounded.
struct PauseHistory<Key: Hashable & Sendable>: Equatable, Sendable {
    private static var keysAtMost: Int { 1024 }
    private static var pausesAtMost: Int { 256 }

    private var pauses: [Key: [Range<Timestamp>]] = [:]

    /// Whether there is no pause.
    var isEmpty: Bool { pauses.isEmpty }

    /// Notes a pause, or extends one that goes on.
    mutating func note(_ key: Key, until end: Timestamp, at now: Timestamp) {
        guard end > now else { return }
        var list = pauses[key] ?? []
        if let last = list.last, last.upperBound >= now {
            guard last.upperBound != end else { return }
            list[list.count - 1] = min(last.lowerBound, now)..<end
        } else {
            if pauses[key] == nil, pauses.count >= PauseHistory.keysAtMost {
                forget(at: now)
                guard pauses.count < PauseHistory.keysAtMost else { return }
            }
            if list.count >= PauseHistory.pausesAtMost { list.removeFirst() }
            list.append(now..<end)
        }
        pauses[key] = list
    }

    /// Ends a pause before the announced time.
    mutating func end(_ key: Key, at now: Timestamp) {
        guard let list = pauses[key], let last = list.last, last.upperBound > now else { return }
        pauses[key]?[list.count - 1] = min(last.lowerBound, now)..<now
    }

    private mutating func forget(at now: Timestamp) {
        let oldest = now - FactsHistory.memory
        pauses = pauses.compactMapValues { list in
            let kept = list.filter { $0.upperBound > oldest }
            return kept.isEmpty ? nil : kept
        }
    }

    /// The end of the pause of a key at an instant; nil for none.
    func end(of key: Key, at instant: Timestamp) -> Timestamp? {
        pauses[key]?.last { $0.contains(instant) }?.upperBound
    }

    /// Whether a key had a pause between two instants.
    func has(_ key: Key, from start: Timestamp, to end: Timestamp) -> Bool {
        pauses[key]?.contains { $0.upperBound > start && $0.lowerBound < end } ?? false
    }

    /// The next begin or end of a pause after an instant.
    func change(of key: Key, after instant: Timestamp) -> Timestamp? {
        (pauses[key] ?? []).flatMap { [$0.lowerBound, $0.upperBound] }
            .filter { $0 > instant }.min()
    }
}
