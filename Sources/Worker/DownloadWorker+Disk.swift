// The volume is looked at before anything begins and every second from then on.
internal import Content
internal import Core
internal import Platform

extension DownloadWorker {
    /// Looks until the worker stops.
    func watchDisk() async {
        let pause = Alarm()
        let lane = FileLane(label: "volume")
        while isWorking {
            await wait(settings.diskInterval, with: pause)
            await readDisk(on: lane)
        }
    }

    /// Looks once and tells the conductor, and those who explain.
    func readDisk(on lane: FileLane) async {
        // Promises first: what turns from promised to taken meanwhile is counted twice, never not.
        let promised = runs.mapValues { $0.attempt.need }
        let content = tools.content
        let volume = await lane.run { () -> Result<Volume, ContentError> in
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
        for (id, run) in runs { reading.promise(max(promised[id] ?? 0, run.attempt.need)) }
        tell(reading)
        handle(.diskRead(reading))
    }

    /// One line in the log when the room ends or comes back.
    private func tell(_ reading: DiskReading) {
        let had = gauge.reading.map { $0.room > 0 } ?? true
        gauge.reading = reading
        guard had != (reading.room > 0) else { return }
        let fields: [(String, LogValue)] = [
            ("free_bytes", .integer(reading.free)), ("reserve_bytes", .integer(reading.reserve)),
            ("promised_bytes", .integer(reading.promised)),
        ]
        if had {
            log.warn(
                "no room for downloads",
                fields + [("reason", .string(reading.sentence(need: 0)))])
        } else {
            log.info("room for downloads again", fields)
        }
    }
}
