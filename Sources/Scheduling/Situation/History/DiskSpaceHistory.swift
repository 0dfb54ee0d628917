// The free space of the content's volume in the past.
internal import Base

/// The readings of the last days in which space was short; bounded.
struct DiskSpaceHistory: Equatable, Sendable {
    private static let readingsAtMost = 4096
    /// From this number of bytes on free space is ample and not recorded.
    private static let ample: Int64 = 1 << 40

    private struct Reading: Equatable {
        let from: Timestamp
        /// The reading; nil for ample space.
        let disk: DiskReading?
    }

    private var readings: [Reading] = []

    /// Whether there was less space than a need at some instant between two.
    func isShort(of need: Int64, from start: Timestamp, to end: Timestamp) -> Bool {
        var after = end
        for reading in readings.reversed() {
            if reading.from < after, let disk = reading.disk, !disk.admits(need) { return true }
            after = min(after, reading.from)
            if reading.from <= start { return false }
        }
        return false
    }

    /// Notes a reading, unless its space is about that of the last one.
    mutating func note(_ disk: DiskReading, at now: Timestamp) {
        let isAmple = disk.room >= DiskSpaceHistory.ample
        if let last = readings.last {
            let before = last.disk?.room ?? .max
            // A change of less than an eighth is left out.
            if isAmple ? last.disk == nil : abs(disk.room - before) <= before / 8 { return }
            guard now > last.from else { return }
        } else if isAmple {
            return
        }
        let oldest = now - FactsHistory.memory
        let old = readings.lastIndex { $0.from <= oldest } ?? 0
        readings.removeFirst(max(old, readings.count + 1 - DiskSpaceHistory.readingsAtMost))
        readings.append(Reading(from: now, disk: isAmple ? nil : disk))
    }

    /// The reading in force at an instant; nil for ample space.
    func reading(at instant: Timestamp) -> DiskReading? {
        readings.last { $0.from <= instant }?.disk
    }

    /// The next reading after an instant.
    func change(after instant: Timestamp) -> Timestamp? {
        readings.first { $0.from > instant }?.from
    }
}
