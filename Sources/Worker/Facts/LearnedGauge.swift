// How much was measured and is known, for operators' tools.
internal import Synchronization

/// Counts of what was learned.
package final class LearnedGauge: Sendable {
    private let values = Atomic<Int64>(0)
    private let known = Atomic(0)

    init() {}

    /// Values that were measured here since the start of the process.
    package var samples: Int64 { values.load(ordering: .relaxed) }
    /// Keys of which something is known.
    package var keys: Int { known.load(ordering: .relaxed) }

    func count(_ count: Int) { values.add(Int64(count), ordering: .relaxed) }

    func set(keys: Int) { known.store(keys, ordering: .relaxed) }
}
