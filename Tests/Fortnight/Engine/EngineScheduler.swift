// The engine's own rules over a simulated world.
import Core

/// Lets a download run when the real verdict lets it, and orders as the engine does.
struct EngineScheduler: Scheduler {
    /// Monday 2 March 2026 at 00:00 in the zone of the policy, which is UTC here.
    private static let start = Timestamp(seconds: 1_772_409_600)
    /// A download that is closed is judged again after so many minutes at the latest.
    private static let judgedEvery = 5

    let name: String
    let isPreemptive = true
    private let policy: Policy
    /// For closed downloads the minute of the next verdict.
    private var closedUntil: [Int: Int] = [:]

    /// Reads a policy; it has to be sound.
    init(name: String, policy text: String) {
        self.name = name
        guard case .success(let document) = Result(catching: { try JSON.parse(Array(text.utf8)) }),
            let policy = Policy.read(
                document,
                defaults: PolicyLimits(running: World.slots, perOrigin: World.perOrigin),
                isZone: { $0 == "UTC" }
            ).policy
        else { preconditionFailure("the policy \(name) is not sound") }
        self.policy = policy
    }

    mutating func order(_ yard: Yard, at now: Int) -> [Int] {
        let situation = Situation(
            now: EngineScheduler.instant(now), policy: policy, zone: .fixed(offset: 0))
        var order: [(rank: Int, by: Int, number: Int)] = []
        for number in yard.due {
            let job = yard.jobs[number]
            let isStuck = job.isRunning && !job.download.isResumable
            guard job.download.isDiscretionary, !isStuck else {
                order.append((isStuck ? 0 : 2, job.download.created, number))
                continue
            }
            if !job.isRunning, let until = closedUntil[number], until > now { continue }
            let verdict = PolicyVerdict(candidate(job), in: situation)
            guard verdict.isOpen else {
                let next = verdict.blockers.compactMap(\.until).min().map(EngineScheduler.minute)
                closedUntil[number] = min(next ?? .max, now + EngineScheduler.judgedEvery)
                continue
            }
            closedUntil[number] = nil
            let latest = verdict.latestBegin.map(EngineScheduler.minute) ?? Int.max
            order.append((verdict.isGuarded ? 1 : job.isRunning ? 3 : 4, latest, number))
        }
        return order.sorted { ($0.rank, $0.by, $0.number) < ($1.rank, $1.by, $1.number) }
            .map(\.number)
    }

    private func candidate(_ job: Job) -> AdmissionCandidate {
        let download = job.download
        let created = EngineScheduler.instant(download.created)
        var candidate = AdmissionCandidate(
            isDiscretionary: true, session: "default", createdAt: created, waitingSince: created,
            runAt: created, attempt: 0, origin: GateReading(running: 0),
            sessionGate: GateReading(running: 0))
        candidate.need = Int64(max(0, (download.expected ?? 0) - job.done))
        candidate.deadline.complete = download.completeBy.map(EngineScheduler.instant)
        // Two days at most, as the bounds have it.
        candidate.rank = 3
        return candidate
    }

    private static func instant(_ minute: Int) -> Timestamp { start + .seconds(60 * minute) }

    private static func minute(_ instant: Timestamp) -> Int {
        Int((instant - start).wholeMicroseconds / 60_000_000)
    }
}
