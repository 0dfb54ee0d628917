// How attempts ended since the start of the process, for operators' tools.
package import Store
internal import Synchronization

/// Counts attempts by what became of their downloads.
package final class AttemptTally: Sendable {
    private let counts = Mutex<[FinishedRun.Outcome: Int64]>([:])

    init() {}

    func count(_ outcome: FinishedRun.Outcome) {
        counts.withLock { $0[outcome, default: 0] += 1 }
    }

    /// How many attempts ended so and were recorded here.
    package func ended(_ outcome: FinishedRun.Outcome) -> Int64 {
        counts.withLock { $0[outcome] ?? 0 }
    }
}
