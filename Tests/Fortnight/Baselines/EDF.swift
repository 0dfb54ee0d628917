/// Earliest deadline first, preemptive, with full knowledge: no order alone misses fewer deadlines.
struct EDF: Scheduler {
    let name = "preemptive EDF"
    let isPreemptive = true

    mutating func order(_ yard: Yard, at now: Int) -> [Int] {
        yard.due.map { (latest(yard.jobs[$0], yard.world, now), $0) }.sorted { $0 < $1 }.map(\.1)
    }

    /// Normal work counts as due at once.
    private func latest(_ job: Job, _ world: World, _ now: Int) -> Int {
        guard job.download.isDiscretionary else { return job.download.created }
        return job.download.deadline
    }
}
