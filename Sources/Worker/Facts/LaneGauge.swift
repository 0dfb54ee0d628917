internal import Synchronization

/// Numbers of lanes in the conductor, for metrics.
package final class LaneGauge: Sendable {
    private let lanesKnown = Atomic(0)
    private let signaturesKnown = Atomic(0)

    /// The known lanes, open or not.
    package var lanes: Int { lanesKnown.load(ordering: .relaxed) }
    /// The different sets of rules that they match.
    package var signatures: Int { signaturesKnown.load(ordering: .relaxed) }

    func set(lanes: Int, signatures: Int) {
        lanesKnown.store(lanes, ordering: .relaxed)
        signaturesKnown.store(signatures, ordering: .relaxed)
    }
}
