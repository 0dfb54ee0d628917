// Volumes that fill up and break: reading them, writing files to them and removing files.
import Base
import Scheduling

extension World {
    /// The time for which the files of a finished download are kept.
    private static let kept = Duration.seconds(40)
    /// The most age of a reading of a volume on which a claim relies.
    private static let readingAge = Duration.seconds(1)

    /// Reads the volume as the worker does, and tries a file where syncs have failed.
    mutating func readDisk(_ place: Int) {
        if mutant == .diskIsReadOnce, replicas[place].diskReadAt != nil { return }
        if disks[place].failures >= SimulatedDisk.failuresAtMost {
            if disks[place].isBroken { disks[place].fail(at: now) } else { disks[place].recover() }
        }
        let disk = disks[place]
        let isFailing = disk.failures >= SimulatedDisk.failuresAtMost
        var reading = DiskReading(
            free: disk.free, total: disk.total, reserve: disk.reserve,
            trouble: isFailing && mutant != .failingDiskIsUsed ? "sync failed" : nil)
        if mutant != .promisesAreForgotten { reading.promise(promised(place)) }
        replicas[place].diskReadAt = now
        replicas[place].hasRoom = reading.room > 0
        handle(.diskRead(reading), at: place)
    }

    /// Reads the volume before a claim if the last reading is old.
    mutating func readDiskIfOld(_ place: Int) {
        guard let readAt = replicas[place].diskReadAt, mutant != .claimUsesAnOldReading else {
            return
        }
        if now - readAt > World.readingAge { readDisk(place) }
    }

    /// The bytes that running downloads are still to write.
    func promised(_ place: Int) -> Int64 {
        replicas[place].runs.reduce(0) { sum, run in
            sum + (run.value.isEnding ? 0 : store.rows[run.key]?.bytes ?? 0)
        }
    }

    /// Reads the volume where something depends on it.
    mutating func watchDisk(_ place: Int) {
        guard
            !replicas[place].runs.isEmpty || !replicas[place].hasRoom
                || replicas[place].conductor.hasRestingLanes
        else { return }
        readDisk(place)
    }

    /// Writes a complete file and syncs it.
    ///
    /// - Returns: whether it is durable.
    mutating func publish(_ id: Identifier, _ run: SimulatedReplica.Run, at place: Int) -> Bool {
        let bytes = store.rows[id]?.bytes ?? 0
        if disks[place].isBroken {
            disks[place].fail(at: now)
            return mutant == .failedSyncIsIgnored
        }
        guard bytes <= disks[place].free else {
            // Bytes that other programs took after the reading could not be known.
            let readAt = run.claimedAt - World.readingAge
            if disks[place].filledAt.map({ $0 < readAt }) ?? true {
                fail("a download began that does not fit")
            }
            return false
        }
        disks[place].files[SimulatedDisk.File(id: id, fence: run.fence)] = bytes
        disks[place].recover()
        return true
    }

    /// Removes files that no row needs, by the rule of the sweep.
    mutating func sweep(_ place: Int) {
        for file in disks[place].files.keys {
            guard let row = store.rows[file.id] else { continue }
            let isContent = row.contentFence == file.fence && mutant != .sweepTakesContent
            let mayBeRecorded = row.state != .ended && row.fence == file.fence
            guard !isContent, !mayBeRecorded else { continue }
            disks[place].files[file] = nil
            judgeContent(file.id)
        }
    }

    /// Checks that recorded content is on a disk until its time is over: asked when it is recorded
    /// and when a file is removed.
    mutating func judgeContent(_ id: Identifier) {
        guard let row = store.rows[id], let fence = row.contentFence else { return }
        let file = SimulatedDisk.File(id: id, fence: fence)
        if !disks.contains(where: { $0.files[file] != nil }) { fail("a file is recorded and gone") }
    }

    mutating func expireLater(_ id: Identifier) { add(.expire(id), in: World.kept) }

    mutating func expire(_ id: Identifier) {
        // The row is changed before its file is removed.
        store.rows[id]?.contentFence = nil
        for place in disks.indices { sweep(place) }
    }

    /// Schedules troubles of the volumes, until the world is calm.
    mutating func scheduleDisks() {
        for place in disks.indices {
            for minute in 0..<9 where random.isOne(plan.diskTrouble) {
                let delay = Duration.seconds(60 * minute) + random.span(0...30_000_000)
                let length = random.span(1_000_000...60_000_000)
                let share = Double.random(in: 0.3...1, using: &random)
                let isBroken = Bool.random(using: &random)
                add(isBroken ? .diskBreaks(place) : .diskFills(place, share), in: delay)
                add(.diskMends(place), in: delay + length)
            }
            add(.diskMends(place), in: .seconds(600))
        }
    }
}
