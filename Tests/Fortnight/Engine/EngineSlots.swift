// Gives the slots of a simulated world away, by the service's plan and its rule of yielding.
import Base
import Downloads
import Scheduling

/// Gives slots away, and stops discretionary runs for more urgent work.
struct EngineSlots {
    /// The downloads that run and that wait in a minute.
    struct Round {
        /// The runs that may continue.
        fileprivate var running: [Int] = []
        /// The runs that no guarded work stops.
        fileprivate var fixed: Set<Int> = []
        /// The discretionary runs among these: only work that is not discretionary stops them.
        fileprivate var near: Set<Int> = []
        /// The downloads that are due and open.
        fileprivate var heads: [LaneHead] = []
        /// The deadlines of the guarded ones among the open downloads.
        fileprivate var guarded: [Int64: Timestamp] = [:]

        /// Adds a download that may run; a run that is late already is not guarded any more.
        mutating func add(_ job: Job, isGuarded: Bool, at now: Int) {
            let number = job.download.number
            let isGuarded = isGuarded && !(job.isRunning && job.isLate(at: now))
            guard !job.isRunning else {
                running.append(number)
                if isGuarded || job.isStuck || !job.download.isDiscretionary {
                    fixed.insert(number)
                    if job.download.isDiscretionary, !job.isStuck { near.insert(number) }
                }
                return
            }
            heads.append(job.head)
            if isGuarded { guarded[Int64(number)] = World.instant(job.download.deadline) }
        }
    }

    private var shares = FairShares()
    private var floor = ClassFloor()
    /// For each run the bytes that it was charged for, and the bytes that were here at its begin.
    private var charged: [Int: (bytes: Double, done: Double)] = [:]

    /// Chooses the downloads that run next.
    mutating func fill(_ round: Round, _ yard: Yard, at now: Int) -> [Int] {
        var running = round.running
        let going = Set(running)
        for number in Array(charged.keys) where !going.contains(number) { end(yard.jobs[number]) }
        guard !round.heads.isEmpty else { return running }
        makeRoom(&running, round, yard, at: now)
        let jobs = running.map { yard.jobs[$0] }
        var rooms: [GateKey: Int] = [:]
        for head in round.heads { rooms[.origin(head.originKey)] = World.perOrigin }
        for job in jobs { rooms[.origin(Int64(job.download.origin))]? -= 1 }
        let free = World.slots - running.count
        guard free > 0 else { return running }
        var classes: [ServingClass: Int] = [:]
        for job in jobs {
            classes[job.download.isDiscretionary ? .discretionary : .normal, default: 0] += 1
        }
        var plan = SlotPlan(
            round.heads, guarded: round.guarded, rooms: rooms, shares: shares, floor: floor,
            running: classes, capacity: World.slots, cost: FairShares.unknownBytes,
            at: World.instant(now))
        for quota in plan.quotas(free: free, spare: 0) {
            let number = Int(quota.head.lane)
            running.append(number)
            let job = yard.jobs[number]
            let bytes = FairShares.cost(bytes: Int64(job.knownSize.map { $0 - job.done } ?? 0))
            charged[number] = (bytes, job.done)
            shares.serve(quota.head.flow, bytes: bytes)
        }
        floor = plan.floor
        return running
    }

    /// A run has ended or was stopped: it is charged for the bytes that it has brought.
    mutating func end(_ job: Job) {
        guard let (bytes, done) = charged.removeValue(forKey: job.download.number) else { return }
        shares.correct(job.head.flow, by: max(FairShares.leastBytes, job.done - done) - bytes)
    }

    /// Stops discretionary runs for work that is guarded or not discretionary and finds no slot:
    /// first the late ones, then those with the most time.
    private mutating func makeRoom(
        _ running: inout [Int], _ round: Round, _ yard: Yard, at now: Int
    ) {
        var perOrigin = Array(repeating: 0, count: World.origins)
        for number in running { perOrigin[yard.jobs[number].download.origin] += 1 }
        var count = running.count
        var discretionary = running.count { yard.jobs[$0].download.isDiscretionary }
        let kept = Int(floor.part * Double(World.slots))
        for head in round.heads {
            guard head.schedulingClass == .normal || round.guarded[head.lane] != nil else {
                continue
            }
            let origin = Int(head.originKey)
            let isOriginFull = perOrigin[origin] >= World.perOrigin
            if isOriginFull || count >= World.slots {
                guard discretionary + max(0, World.slots - count) > kept else { continue }
                let here = running.filter {
                    !isOriginFull || yard.jobs[$0].download.origin == origin
                }
                var others = here.filter { !round.fixed.contains($0) }
                if others.isEmpty, head.schedulingClass == .normal {
                    others = here.filter { round.near.contains($0) }
                }
                func slack(_ number: Int) -> (Int, Int, Int) {
                    let job = yard.jobs[number]
                    return (job.isLate(at: now) ? 1 : 0, job.download.deadline, number)
                }
                let slack = others.max { slack($0) < slack($1) }
                guard let slack else { continue }
                running.removeAll { $0 == slack }
                perOrigin[yard.jobs[slack].download.origin] -= 1
                count -= 1
                discretionary -= 1
                end(yard.jobs[slack])
            }
            perOrigin[origin] += 1
            count += 1
        }
    }
}
