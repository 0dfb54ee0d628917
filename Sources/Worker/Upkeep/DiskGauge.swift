// The last reading of the volume, for blockers.
package import Core
internal import Synchronization

/// The last look at the volume of the content.
package final class DiskGauge: Sendable {
    private let state = Mutex<DiskReading?>(nil)
    private let losses = Atomic<Int64>(0)

    /// Nothing was seen yet.
    package init() {}

    /// How many files were found missing or damaged since the start of the process.
    package var lost: Int64 { losses.load(ordering: .relaxed) }

    /// Counts a file that is missing or damaged.
    package func countLost() { losses.add(1, ordering: .relaxed) }

    /// The last look, nil before the first.
    package var reading: DiskReading? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
