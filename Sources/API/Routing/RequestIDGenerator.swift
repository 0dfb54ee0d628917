// Identifiers of requests.
internal import Base
internal import Synchronization

/// Creates an identifier for every request of this process.
final class RequestIDGenerator: Sendable {
    private let next: Atomic<UInt64>

    /// - Parameter seed: random, so that two processes give different identifiers.
    init(seed: UInt64) { next = Atomic(seed) }

    /// A new identifier.
    func make(at now: Timestamp) -> Identifier {
        var mixer = Mixer(state: next.add(1, ordering: .relaxed).newValue)
        return Identifier(at: now, using: &mixer)
    }

    /// SplitMix64 (Steele, Lea, Flood 2014): the identifiers have to differ, not to be secret.
    private struct Mixer: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var value = state
            value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
            value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
            return value ^ value >> 31
        }
    }
}
