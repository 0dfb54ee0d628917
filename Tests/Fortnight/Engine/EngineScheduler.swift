// The engine's own rules over a simulated world.
import Core

/// Lets a download run when the real verdict lets it, and orders as the engine does.
struct EngineScheduler: Scheduler {
    /// A download is judged again after so many minutes at the latest.
    private static let judgedEvery = 5
    let name: String
    let isPreemptive = true
    private let policy: Policy
    private var learned = EngineLearning()
    private var plan: EnginePlan
    /// The minute of the next verdict.
    private var judgedUntil: [Int: Int] = [:]
    /// What runs and is guarded.
    private var guarded: Set<Int> = []

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
        plan = EnginePlan(policy)
    }

    mutating func order(_ yard: Yard, at now: Int) -> [Int] {
        if plan.hasPreference, plan.advance(yard.world, to: now) {
            plan.book(lanes(yard), learned.facts, at: now)
            judgedUntil = judgedUntil.filter { $0.value <= now }
        }
        let situation = plan.situation(learned.facts, at: now)
        var order: [(rank: Int, by: Int, number: Int)] = []
        for number in yard.due {
            let job = yard.jobs[number]
            // What cannot go on is not stopped, nor what is almost there.
            let isStuck = job.isRunning && !(job.download.isResumable && job.rest > job.done / 9)
            guard job.download.isDiscretionary, !isStuck else {
                order.append((isStuck ? 0 : 2, job.download.created, number))
                continue
            }
            if let until = judgedUntil[number], until > now {
                guard job.isRunning else { continue }
                let isGuarded = guarded.contains(number)
                order.append((isGuarded ? 1 : 3, job.download.deadline, number))
                continue
            }
            let verdict = PolicyVerdict(candidate(job), in: situation)
            judgedUntil[number] = now + EngineScheduler.judgedEvery
            let isOpen = job.isRunning ? verdict.stoppingRule == nil : verdict.isOpen
            guard isOpen else {
                let next = verdict.blockers.compactMap(\.until).min().map(World.minute)
                judgedUntil[number] = min(next ?? .max, now + EngineScheduler.judgedEvery)
                continue
            }
            // One that waits for a slot is judged again at once.
            if !job.isRunning { judgedUntil[number] = nil }
            if verdict.isGuarded { guarded.insert(number) } else { guarded.remove(number) }
            let latest = verdict.latestBegin.map(World.minute) ?? Int.max
            order.append((verdict.isGuarded ? 1 : job.isRunning ? 3 : 4, latest, number))
        }
        return order.sorted { ($0.rank, $0.by, $0.number) < ($1.rank, $1.by, $1.number) }
            .map(\.number)
    }

    mutating func observe(origin: Int, rate: Double, at now: Int) {
        learned.observe(origin: origin, rate: rate, at: now)
    }

    mutating func learn(_ job: Job, at now: Int) {
        learned.learn(job, at: now)
        judgedUntil[job.download.number] = nil
        guarded.remove(job.download.number)
    }

    private func candidate(_ job: Job) -> AdmissionCandidate {
        let download = job.download
        let created = World.instant(download.created)
        // The first answer says the size.
        let size = job.attempts > 0 ? download.bytes : download.expected
        var candidate = AdmissionCandidate(
            isDiscretionary: true, session: "default", createdAt: created, waitingSince: created,
            runAt: created, attempt: 0, origin: GateReading(running: 0),
            sessionGate: GateReading(running: 0),
            need: Int64(max(0, (size ?? 0) - (size == nil ? 0 : job.done))))
        candidate.originName = World.originName(download.origin)
        candidate.originKey = Int64(download.origin)
        candidate.sessionKey = 1
        candidate.received = Int64(job.done)
        candidate.isAnnounced = job.attempts > 0
        candidate.deadline.complete = download.completeBy.map(World.instant)
        // Two days at most, as the bounds have it.
        candidate.rank = 3
        return candidate
    }

    /// What waits and runs, by lanes as the service has them: by origin and bucket of the deadline.
    private func lanes(_ yard: Yard) -> [CalendarLane] {
        struct Key: Hashable {
            let origin: Int
            let hour: Int?
        }
        var found: [Key: CalendarLane] = [:]
        for number in yard.live where yard.jobs[number].download.isDiscretionary {
            let job = yard.jobs[number]
            var candidate = candidate(job)
            let hour = job.download.completeBy.map { $0 / 60 }
            candidate.deadline.complete = hour.map { World.instant($0 * 60) }
            let key = Key(origin: job.download.origin, hour: hour)
            let isUnknown = candidate.need == 0
            var lane =
                found[key]
                ?? CalendarLane(
                    candidate, count: 0, unknown: 0, bytes: 0, lastRunAt: candidate.runAt)
            lane.count += 1
            lane.unknown += isUnknown ? 1 : 0
            lane.bytes += candidate.need
            lane.candidate.need = max(lane.candidate.need, candidate.need)
            lane.lastRunAt = candidate.runAt
            found[key] = lane
        }
        return found.sorted {
            ($0.key.origin, $0.key.hour ?? 0) < ($1.key.origin, $1.key.hour ?? 0)
        }
        .map(\.value)
    }
}
