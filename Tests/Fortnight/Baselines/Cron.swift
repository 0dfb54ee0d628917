/// Runs the discretionary work that waits at 22:00 from then on, and other work at once.
struct Cron: Scheduler {
    let name = "cron at 22:00"
    private var batch: Set<Int> = []

    mutating func order(_ yard: Yard, at now: Int) -> [Int] {
        if now % (24 * 60) == 22 * 60 {
            batch.formUnion(yard.due.filter { yard.jobs[$0].download.isDiscretionary })
        }
        return yard.due.filter { !yard.jobs[$0].download.isDiscretionary }
            + yard.due.filter { batch.contains($0) }
    }
}
