// Compares the rows of content with the files: at the start, and when a reader does not find one.
internal import Base
internal import Content
internal import Downloads
internal import Platform
internal import Scheduling
internal import Store
internal import Synchronization

/// A file that stays missing is marked in its row and logged; if many are missing they may come
/// back.
struct LostContentCheck: Duty {
    /// The number of rows that are read at once.
    private static let batch = 1000

    let name = "lost content"
    private var missing: MissingFiles
    private var hasLooked = false
    private var lookedAt = Duration.zero
    /// Whether the row of the data directory says that files are missing; false after a
    /// registration.
    private var isRecorded = false
    private var wasHeld = false

    /// The shortest time between turns, because readers may report files often.
    let spacing: Duration

    init(grace: Duration, spacing: Duration) {
        self.spacing = spacing
        missing = MissingFiles(grace: grace)
    }

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        for file in worker.missedFiles.take() {
            missing.note(file, .missing, at: LostContentCheck.now)
        }
        if hasLooked {
            await lookAgain(worker.tools.place)
        } else {
            try await lookThroughAll(worker)
        }
        return try await judge(worker)
    }

    /// The time by the boot clock, which does not jump.
    private static var now: Duration { .nanoseconds(SystemClock.bootNanoseconds()) }

    private mutating func judge(
        _ worker: isolated DownloadWorker
    ) async throws(StoreError) -> NextTurn {
        let interval = worker.settings.missingInterval
        while worker.isWorking {
            let verdict = missing.verdict(at: LostContentCheck.now)
            let isAccepted = try await tell(verdict, worker)
            switch verdict {
            case .whole: return .untilCalled
            case .waits(let instant):
                return .after(min(interval, max(.milliseconds(10), instant - LostContentCheck.now)))
            case .needsLook: try await lookThroughAll(worker)
            case .lost(let files): _ = try await lose(files, worker)
            case .held:
                guard isAccepted else {
                    guard LostContentCheck.now - lookedAt >= .seconds(60) else {
                        return .after(interval)
                    }
                    try await lookThroughAll(worker)
                    return .after(interval)
                }
                try await accept(worker)
            }
        }
        return .untilCalled
    }

    /// Looks again for the files that are noted as missing.
    private mutating func lookAgain(_ place: any ContentPlace) async {
        let files = missing.files
        guard !files.isEmpty else { return }
        let seen = await place.sight(files.map(wanted))
        for (file, presence) in zip(files, seen) {
            missing.note(file, presence, at: LostContentCheck.now)
        }
    }

    /// The content of a file that was looked for; of a length that no file has where no row was
    /// read.
    private func wanted(_ file: MissingFiles.File) -> WantedContent {
        WantedContent(file.name, length: lengths[file] ?? -1)
    }

    /// The expected lengths of the files that were looked for.
    private var lengths: [MissingFiles.File: Int64] = [:]

    private mutating func lookThroughAll(
        _ worker: isolated DownloadWorker
    ) async throws(StoreError) {
        let place = worker.tools.place
        let began = LostContentCheck.now
        var last: Identifier?
        var total: Int64 = 0
        var found: [(file: MissingFiles.File, presence: MissingFiles.Presence)] = []
        var wanted: [MissingFiles.File: Int64] = [:]
        while worker.isWorking {
            let rows = try await worker.downloads.contents.expectedFiles(
                instance: place.identifier, after: last, limit: LostContentCheck.batch)
            guard let end = rows.last else { break }
            let seen = await place.sight(
                rows.map { row in
                    WantedContent(
                        ContentName(download: row.id, fence: row.fence), length: row.length)
                })
            for (row, presence) in zip(rows, seen) where presence != .there {
                let file = MissingFiles.File(id: row.id, fence: row.fence)
                found.append((file, presence))
                if wanted.count < MissingFiles.namedAtMost { wanted[file] = row.length }
            }
            total += Int64(rows.count)
            last = end.id
            await worker.bells[LostContentCheck.self].pause(.milliseconds(hasLooked ? 10 : 100))
        }
        guard worker.isWorking else { return }
        missing.take(found, of: total, began: began, at: LostContentCheck.now)
        lengths = wanted
        lookedAt = began
        hasLooked = true
    }

    /// Declares files lost that are still missing.
    ///
    /// - Returns: how many are.
    private mutating func lose(
        _ files: [MissingFiles.File], _ worker: isolated DownloadWorker
    ) async throws(StoreError) -> Int64 {
        let place = worker.tools.place
        var lost: Int64 = 0
        for file in files where worker.isWorking {
            let presence = await place.sight([wanted(file)]).first
            guard presence != .there,
                try await worker.downloads.contents.markLost(file.id, instance: place.identifier)
            else { continue }
            lost += 1
            worker.gauge.countLost()
            worker.log.error(
                "content of a download is lost",
                [
                    ("download_id", .string(file.id.text)),
                    ("length", .integer(lengths[file] ?? 0)),
                ])
        }
        if lost > 0 {
            worker.log.error("files of content are lost", [("files", .integer(lost))])
            worker.delivered()
            // A download that is fetched again without a request waits now.
            worker.handle(.hinted)
        }
        missing.removeLost(files, at: LostContentCheck.now)
        return lost
    }

    /// Declares the missing files lost because an operator says that they will not come back.
    private mutating func accept(_ worker: isolated DownloadWorker) async throws(StoreError) {
        do throws(PlaceError) {
            try await worker.tools.place.giveUpMissing()
        } catch {
            worker.log.error(
                "folder content could not be accepted as that of this data directory",
                [("error", .string("\(error)"))])
        }
        var lost: Int64
        repeat {
            try await lookThroughAll(worker)
            lost = try await lose(missing.files, worker)
        } while lost > 0 && worker.isWorking
    }

    /// Reports missing files: in `/readyz`, the metric, the log and the row.
    ///
    /// - Returns: whether an operator said that it does not come back.
    private mutating func tell(
        _ verdict: MissingFiles.Verdict, _ worker: isolated DownloadWorker
    ) async throws(StoreError) -> Bool {
        var held: DiskGauge.Missing?
        if case .held(let count, let total) = verdict {
            held = DiskGauge.Missing(count: count, total: total)
        }
        worker.gauge.note(missing: missing.count, held: held)
        var isAccepted = false
        if missing.count > 0 || isRecorded {
            // Only files that are still waited for can be given up.
            let (number, accepted) = try await worker.downloads.replicas.note(
                missing: held?.count ?? 0, of: worker.tools.place.identifier)
            isRecorded = held != nil
            isAccepted = accepted
            held?.replica = number
            worker.gauge.note(missing: missing.count, held: held)
        }
        guard wasHeld != (held != nil) else { return isAccepted }
        wasHeld = held != nil
        if let held {
            worker.log.error(
                "many files are missing, so none counts as lost: mount their volume, or run lull "
                    + "replicas accept-loss",
                [
                    ("missing", .integer(held.count)), ("files", .integer(held.total)),
                    ("replica", .integer(held.replica)),
                ])
        } else {
            worker.log.info(
                "missing files are no longer held back from counting as "
                    + "lost", [("missing", .integer(missing.count))])
        }
        return isAccepted
    }
}

extension MissingFiles.File {
    fileprivate var name: ContentName { ContentName(download: id, fence: fence) }
}
