// Deadlines of a simulated world that share bottlenecks, as the service judges them.
import Scheduling

/// Guards downloads whose deadlines are at risk because others need their origin or the link.
struct EngineContention {
    private static let every = 15
    private var judgedAt: Int?
    private(set) var rulings: [Int64: DeadlineContention.Ruling] = [:]

    /// Judges the contention again, at intervals.
    ///
    /// - Returns: whether it judged.
    mutating func advance(_ yard: Yard, _ situation: Situation, to now: Int) -> Bool {
        guard judgedAt.map({ now >= $0 + EngineContention.every }) ?? true else { return false }
        judgedAt = now
        let loads = yard.live.compactMap { number -> DeadlineLoad? in
            let job = yard.jobs[number]
            guard let due = job.download.completeBy, !job.isRunning else { return nil }
            // The sum of many downloads counts, so none is taken for a large one.
            var candidate = job.candidate()
            candidate.deadline = CandidateDeadline()
            let bytes = ExpectedTransfer(candidate, in: situation).bytes
            return DeadlineLoad(
                lane: Int64(number), bucket: World.instant(due), lastDue: World.instant(due),
                count: 1, bytes: Double(bytes),
                bottlenecks: [.deployment, .origin(Int64(job.download.origin))])
        }
        rulings =
            DeadlineContention(
                loads, margin: situation.policy.deadlines.margin, at: situation.now,
                capacity: { bottleneck in
                    switch bottleneck {
                    case .deployment: BottleneckCapacity(of: World.slots, origin: -1, in: situation)
                    case .origin(let number):
                        BottleneckCapacity(of: World.perOrigin, origin: number, in: situation)
                    case .session: nil
                    }
                }
            ).rulings
        return true
    }

    /// A download in the form that the verdict judges.
    func candidate(_ job: Job, running: Int = 0) -> AdmissionCandidate {
        var candidate = job.candidate(running: running)
        let ruling = rulings[Int64(job.download.number)]
        candidate.guardAt = ruling?.guardAt
        candidate.isOverloaded = ruling?.fits.map { $0 <= 0 } ?? false
        return candidate
    }
}
