// The last reading of the volume, for blockers.
package import Scheduling
internal import Synchronization

/// The last reading of the content's volume, and counts of lost files.
package final class DiskGauge: Sendable {
    private let state = Mutex<DiskReading?>(nil)
    private let losses = Atomic<Int64>(0)
    private let changes = Atomic<Int64>(0)
    private let missing = Mutex<(count: Int64, held: Missing?)>((0, nil))

    private let resting = Mutex(Quarantine())

    /// The files in quarantine: without a row, kept for a time before they are removed.
    package struct Quarantine: Sendable, Equatable {
        /// The number of files.
        package var files: Int64 = 0
        /// Their length in bytes.
        package var bytes: Int64 = 0
    }

    /// The quarantine at the last look through it.
    package var quarantine: Quarantine {
        get { resting.withLock { $0 } }
        set { resting.withLock { $0 = newValue } }
    }

    /// A case in which too many files are missing, so that none counts as lost.
    package struct Missing: Sendable, Equatable {
        /// The number of missing files.
        package let count: Int64
        /// The number of files that should be there.
        package let total: Int64
        /// The number of the data directory, for `lull replicas accept-loss`; 0 while unknown.
        package var replica: Int64 = 0
    }

    /// Creates a gauge without a reading.
    package init() {}

    /// The number of files that were found missing or damaged since the start of the process.
    package var lost: Int64 { losses.load(ordering: .relaxed) }

    /// Counts a file that is missing or damaged.
    package func countLost() { losses.add(1, ordering: .relaxed) }

    /// The number of missing files that do not count as lost.
    package var missingFiles: Int64 { missing.withLock(\.count) }

    /// The reason why no missing file counts as lost; nil while single ones count after a minute.
    package var heldMissing: Missing? { missing.withLock(\.held) }

    /// Notes the missing files.
    func note(missing count: Int64, held: Missing?) { missing.withLock { $0 = (count, held) } }

    /// The number of placed files that were found with other bytes since the start of the process.
    package var changed: Int64 { changes.load(ordering: .relaxed) }

    /// Counts a placed file with other bytes.
    package func countChanged() { changes.add(1, ordering: .relaxed) }

    /// The last reading; nil before the first.
    package var reading: DiskReading? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
