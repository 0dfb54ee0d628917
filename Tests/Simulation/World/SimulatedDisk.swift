import Core

/// The volume of a replica, which outlives its process.
struct SimulatedDisk {
    /// A file that is whole and synced.
    struct File: Hashable {
        let id: Identifier
        let fence: Int64
    }

    /// So many failed syncs in a row stop all claims, as in the content store.
    static let failuresAtMost = 3

    let total: Int64
    /// What other programs take.
    var foreign: Int64 = 0
    /// When they took something last.
    var filledAt: Timestamp?
    /// Every sync fails.
    var isBroken = false
    /// Syncs that failed in a row, as the process counts them.
    var failures = 0
    /// When they became too many.
    var failedSince: Timestamp?
    var files: [File: Int64] = [:]

    init(total: Int64) { self.total = total }

    var reserve: Int64 { total / 100 }
    var free: Int64 { total - foreign - files.values.reduce(0, +) }

    /// Whether a download of that length fits beside what is promised.
    func admits(_ bytes: Int64, promised: Int64) -> Bool {
        let room = free - reserve - promised
        return !isBroken && failures < SimulatedDisk.failuresAtMost && room > 0 && bytes <= room
    }

    mutating func fail(at now: Timestamp) {
        failures += 1
        if failures >= SimulatedDisk.failuresAtMost { failedSince = failedSince ?? now }
    }

    mutating func recover() {
        failures = 0
        failedSince = nil
    }
}
