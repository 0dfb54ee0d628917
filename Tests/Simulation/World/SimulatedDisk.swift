import Base

/// The volume of a replica, which outlives its process.
struct SimulatedDisk {
    /// A complete and synced file.
    struct File: Hashable {
        let id: Identifier
        let fence: Int64
    }

    /// The number of failed syncs in a row that stops all claims, as in the content store.
    static let failuresAtMost = 3

    let total: Int64
    /// The bytes of other programs.
    var foreign: Int64 = 0
    /// The time at which other programs took bytes last.
    var filledAt: Timestamp?
    /// Whether every sync fails.
    var isBroken = false
    /// The number of failed syncs in a row, as the process counts them.
    var failures = 0
    /// The time at which they became too many.
    var failedSince: Timestamp?
    var files: [File: Int64] = [:]

    init(total: Int64) { self.total = total }

    var reserve: Int64 { total / 100 }
    var free: Int64 { total - foreign - files.values.reduce(0, +) }

    /// Whether a download of this length fits beside the promised bytes.
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
