// Numbers of measurements, for metrics.
internal import Synchronization

/// Counts measurements and learned keys.
package final class LearnedGauge: Sendable {
    private let values = Atomic<Int64>(0)
    private let known = Atomic(0)

    init() {}

    /// Values measured here since the start of the process.
    package var samples: Int64 { values.load(ordering: .relaxed) }
    /// Keys with learned values.
    package var keys: Int { known.load(ordering: .relaxed) }

    func count(_ count: Int) { values.add(Int64(count), ordering: .relaxed) }

    func set(keys: Int) { known.store(keys, ordering: .relaxed) }
}
