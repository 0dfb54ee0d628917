// How much room the volume of the content had.

/// The readings of the last days in which room was short; bounded.
struct RoomHistory: Equatable, Sendable {
    private static let readingsAtMost = 4096
    /// More room than this holds nothing back that is worth a note.
    private static let ample: Int64 = 1 << 40

    private struct Reading: Equatable {
        let from: Timestamp
        /// Nil for ample room.
        let disk: DiskReading?
    }

    private var readings: [Reading] = []

    /// Whether there was less room than a need at some instant between two.
    func isShort(of need: Int64, from start: Timestamp, to end: Timestamp) -> Bool {
        var after = end
        for reading in readings.reversed() {
            if reading.from < after, let disk = reading.disk, !disk.admits(need) { return true }
            after = min(after, reading.from)
            if reading.from <= start { return false }
        }
        return false
    }

    /// Takes a reading; one with about the same room as the last is left out.
    mutating func note(_ disk: DiskReading, at now: Timestamp) {
        let isAmple = disk.room >= RoomHistory.ample
        if let last = readings.last {
            let before = last.disk?.room ?? .max
            // Steps of an eighth: what waits for room waits for files that differ by more.
            if isAmple ? last.disk == nil : abs(disk.room - before) <= before / 8 { return }
            guard now > last.from else { return }
        } else if isAmple {
            return
        }
        let oldest = now - FactsHistory.memory
        let old = readings.lastIndex { $0.from <= oldest } ?? 0
        readings.removeFirst(max(old, readings.count + 1 - RoomHistory.readingsAtMost))
        readings.append(Reading(from: now, disk: isAmple ? nil : disk))
    }

    /// What was read last at an instant; nil for ample room.
    func reading(at instant: Timestamp) -> DiskReading? {
        readings.last { $0.from <= instant }?.disk
    }

    /// The next reading after an instant.
    func change(after instant: Timestamp) -> Timestamp? {
        readings.first { $0.from > instant }?.from
    }
}
