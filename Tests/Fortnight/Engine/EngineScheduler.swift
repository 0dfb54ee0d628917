// The engine's own rules over a simulated world.
import Downloads
import Scheduling

/// Lets a download run when the real verdict lets it, and gives slots away by the real plan.
struct EngineScheduler: Scheduler {
    /// A download is judged again after at most this many minutes.
    private static let judgedEvery = 5
    let name: String
    let isPreemptive = true
    private let policy: Policy
    private var learned = EngineLearning()
    private var plan: EnginePlan
    private var slots = EngineSlots()
    private var contention = EngineContention()
    /// The minute of the next verdict.
    private var judgedUntil: [Int: Int] = [:]
    /// The guarded downloads.
    private var guarded: Set<Int> = []

    /// Reads a policy; it has to be sound.
    init(name: String, policy text: String) {
        self.name = name
        policy = EnginePolicies.read(text)
        plan = EnginePlan(policy)
    }

    mutating func order(_ yard: Yard, at now: Int) -> [Int] {
        learned.watch(yard, at: now)
        if plan.hasPreference, plan.advance(yard.world, to: now) {
            plan.book(lanes(yard), learned.facts, at: now)
            judgedUntil = judgedUntil.filter { $0.value <= now }
        }
        let situation = plan.situation(learned.facts, at: now)
        if contention.advance(yard, situation, to: now) {
            judgedUntil = judgedUntil.filter { $0.value <= now }
        }
        var round = EngineSlots.Round()
        for number in yard.due {
            let job = yard.jobs[number]
            guard job.download.isDiscretionary, !job.isStuck else {
                round.add(job, isGuarded: false, at: now)
                continue
            }
            if let until = judgedUntil[number], until > now {
                guard job.isRunning else { continue }
                round.add(job, isGuarded: guarded.contains(number), at: now)
                continue
            }
            var candidate = contention.candidate(job)
            // A learned size counts for a single download.
            candidate.priority = 0.5
            let verdict = PolicyVerdict(candidate, in: situation)
            let blockers =
                job.isRunning
                ? verdict.blockers : Admission.policyBlockers(candidate, in: situation)
            judgedUntil[number] = now + EngineScheduler.judgedEvery
            let isOpen = job.isRunning ? verdict.stoppingRule == nil : blockers.isEmpty
            guard isOpen else {
                let next = blockers.compactMap(\.until).min().map(World.minute)
                judgedUntil[number] = min(next ?? .max, now + EngineScheduler.judgedEvery)
                continue
            }
            // A download that waits for a slot is judged again at once.
            if !job.isRunning { judgedUntil[number] = nil }
            if verdict.isGuarded { guarded.insert(number) } else { guarded.remove(number) }
            round.add(job, isGuarded: verdict.isGuarded, at: now)
        }
        return slots.fill(round, yard, at: now)
    }

    mutating func observe(total: Double, running: Int, at now: Int) {
        learned.observe(total: total, running: running, at: now)
    }

    mutating func learn(_ job: Job, at now: Int) {
        learned.learn(job, at: now)
        slots.end(job)
        judgedUntil[job.download.number] = nil
        guarded.remove(job.download.number)
    }

    /// The waiting and running downloads by the service's lanes: by origin and bucket of the
    /// deadline.
    private func lanes(_ yard: Yard) -> [CalendarLane] {
        struct Key: Hashable {
            let origin: Int
            let hour: Int?
        }
        var found: [Key: CalendarLane] = [:]
        for number in yard.live where yard.jobs[number].download.isDiscretionary {
            let job = yard.jobs[number]
            var candidate = job.candidate()
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
