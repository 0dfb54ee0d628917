// Reads the content's volume before a download begins, and at intervals while decisions may depend
// on it.
internal import Content
internal import Platform
internal import Scheduling
internal import Store

/// Runs while there are runs, downloads wait for room, or the disk does not work.
struct DiskWatch: Duty {
    let name = "disk"

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        if worker.isDiskReadingOld { await worker.readDisk() }
        try await worker.giveUpParts()
        try await worker.makeRoom()
        let isFull = worker.gauge.reading.map { $0.room <= 0 } ?? true
        let decides = isFull || !worker.runs.isEmpty || worker.conductor.hasRestingLanes
        return decides ? .after(worker.settings.diskInterval) : .untilCalled
    }
}

extension DownloadWorker {
    /// Whether the last reading is too old for decisions.
    var isDiskReadingOld: Bool {
        guard let diskReadAt else { return true }
        // A timer may fire slightly early.
        let age = Duration.nanoseconds(SystemClock.bootNanoseconds() - diskReadAt)
        return age >= settings.diskInterval * 0.9
    }

    /// Reads the volume once, for the conductor and the API's blockers.
    func readDisk() async {
        // Promises are read first: bytes that are written meanwhile are counted twice, never not at
        // all.
        let promised = runs.mapValues { $0.attempt.need }
        let content = tools.content
        let volume = await volumeLane.run { () -> Result<Volume, ContentError> in
            do throws(ContentError) {
                if content.trouble != nil { try content.probe() }
                return .success(try content.volume())
            } catch {
                return .failure(error)
            }
        }
        var reading: DiskReading
        switch volume {
        case .success(let volume):
            let reserve =
                settings.minimumFree ?? DiskReading.standardReserve(total: volume.total)
            reading = DiskReading(
                free: volume.free, total: volume.total, reserve: reserve,
                trouble: content.trouble)
        case .failure(let error):
            reading = DiskReading(free: 0, total: 0, reserve: 0, trouble: "\(error)")
        }
        diskReadAt = SystemClock.bootNanoseconds()
        for (id, run) in runs { reading.promise(max(promised[id] ?? 0, run.attempt.need)) }
        logChange(to: reading)
        // From now on it is read until there is room.
        if reading.room <= 0 { bells[DiskWatch.self].ring() }
        gauge.reading = reading
        facts.note(reading, at: clock.now)
        handle(.diskRead(reading))
    }

    /// The lanes of which one turn asks whether they wait for room.
    private static let lanesAtOnce = 16

    /// The bytes that are missing on the volume for a download that waits; nil if none waits for
    /// room, or would still wait if all kept bytes and files in quarantine were removed.
    ///
    /// A lane rests for other reasons as well, so the store is asked for the lengths.
    private func missingBytes() async throws(StoreError) -> Int64? {
        guard let reading = gauge.reading, reading.trouble == nil else { return nil }
        guard !reading.isFull else { return reading.shortfall }
        let lanes = conductor.restingLanes(DownloadWorker.lanesAtOnce)
        guard !lanes.isEmpty else { return nil }
        let kept = try await ledger.keptBytes(in: tools.content.instance)
        let removable = kept + gauge.quarantine.bytes
        guard removable > 0 else { return nil }
        let need = try await ledger.leastNeed(
            of: lanes, above: reading.room,
            atMost: min(reading.room + removable, reading.total - reading.reserve))
        return need.map { $0 - reading.room }
    }

    /// Removes bytes of failed downloads if a download waits for their room: those that ended
    /// first, and no more than needed.
    func giveUpParts() async throws(StoreError) {
        while isWorking, let missing = try await missingBytes() {
            let count = try await KeptPartExpiry.giveUp(room: missing, on: self)
            guard count > 0 else { return }
            log.warn(
                "kept bytes of failed downloads were removed to free space",
                [("files", .integer(Int64(count)))])
            await readDisk()
        }
    }

    /// Removes files in quarantine if a download waits for their room.
    func makeRoom() async throws(StoreError) {
        while isWorking, gauge.quarantine.files > 0, let missing = try await missingBytes() {
            let removed = await FileSweep.yield(missing, in: tools.sweptPlaces)
            guard removed > 0 else {
                gauge.quarantine = DiskGauge.Quarantine()
                return
            }
            log.warn(
                "files were removed from the quarantine to free space",
                [("files", .integer(Int64(removed)))])
            await readDisk()
        }
    }

    /// Logs a line when room runs out or is back.
    private func logChange(to reading: DiskReading) {
        let had = gauge.reading.map { $0.room > 0 } ?? true
        guard had != (reading.room > 0) else { return }
        let fields: [(String, LogValue)] = [
            ("free_bytes", .integer(reading.free)), ("reserve_bytes", .integer(reading.reserve)),
            ("promised_bytes", .integer(reading.promised)),
        ]
        if had {
            log.warn(
                "the disk has no room, so no download begins",
                fields + [("reason", .string(reading.sentence(need: 0)))])
        } else {
            log.info("the disk has room for downloads again", fields)
        }
    }
}
