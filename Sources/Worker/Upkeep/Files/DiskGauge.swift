// The last reading of the volume, for blockers.
package import Core
internal import Synchronization

/// The last look at the volume of the content.
package final class DiskGauge: Sendable {
    private let state = Mutex<DiskReading?>(nil)
    private let losses = Atomic<Int64>(0)
    private let changes = Atomic<Int64>(0)
    private let missing = Mutex<(count: Int64, held: Missing?)>((0, nil))

    private let resting = Mutex(Quarantine())

    /// Files that no row names and that rest before they are removed.
    package struct Quarantine: Sendable, Equatable {
        /// How many rest.
        package var files: Int64 = 0
        /// Their length in bytes.
        package var bytes: Int64 = 0
    }

    /// The files that rested when they were last looked through.
    package var quarantine: Quarantine {
        get { resting.withLock { $0 } }
        set { resting.withLock { $0 = newValue } }
    }

    /// Too large a part of the files is missing: none counts as lost.
    package struct Missing: Sendable, Equatable {
        /// How many are missing.
        package let count: Int64
        /// How many there should be.
        package let total: Int64
        /// The number of the data directory, for `lull replicas accept-loss`; 0 while unknown.
        package var replica: Int64 = 0
    }

    /// Nothing was seen yet.
    package init() {}

    /// How many files were found missing or damaged since the start of the process.
    package var lost: Int64 { losses.load(ordering: .relaxed) }

    /// Counts a file that is missing or damaged.
    package func countLost() { losses.add(1, ordering: .relaxed) }

    /// How many files are missing and do not count as lost.
    package var missingFiles: Int64 { missing.withLock(\.count) }

    /// Why none of the missing files counts as lost; nil while single ones do after a minute.
    package var heldMissing: Missing? { missing.withLock(\.held) }

    /// Notes what is missing.
    func note(missing count: Int64, held: Missing?) { missing.withLock { $0 = (count, held) } }

    /// How many placed files were found with other bytes since the start of the process.
    package var changed: Int64 { changes.load(ordering: .relaxed) }

    /// Counts a placed file with other bytes.
    package func countChanged() { changes.add(1, ordering: .relaxed) }

    /// The last look, nil before the first.
    package var reading: DiskReading? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
