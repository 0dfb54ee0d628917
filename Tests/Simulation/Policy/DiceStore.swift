// A store in memory for the simulation: lanes, gates, fences and the claims of two replicas.
import Base
import Downloads
import Scheduling

/// Does the work of the store's statements without a database.
struct DiceStore {
    enum Place: Equatable {
        case waiting
        /// Running in this replica, under a lease.
        case here(lease: Int)
        /// Running in another replica.
        case elsewhere
        case suspended
        case ended
    }

    struct Job {
        let id: Identifier
        let lane: Int
        var runAt: Timestamp
        var place = Place.waiting
        var fence: Int64 = 0
        var order: RunOrder?
    }

    struct Lane {
        let origin: Int
        let session: Int
        let schedulingClass: SchedulingClass
        let rank: Int
    }

    static let originsCount = 3
    static let sessionsCount = 2
    static let lanes: [Lane] = (0..<originsCount * sessionsCount * 2).map { number in
        Lane(
            origin: number % originsCount, session: number / originsCount % sessionsCount,
            schedulingClass: number < originsCount * sessionsCount ? .normal : .discretionary,
            rank: number % 4)
    }

    var jobs: [Job] = []
    var lease = 1
    private var originRunning = [Int](repeating: 0, count: originsCount)
    private var sessionRunning = [Int](repeating: 0, count: sessionsCount)
    private(set) var notBefore = [Timestamp?](repeating: nil, count: originsCount)

    /// The number of jobs that have not ended.
    private(set) var live = 0

    mutating func create(lane: Int, at runAt: Timestamp) {
        let id = Identifier(high: 1, low: UInt64(jobs.count))
        jobs.append(Job(id: id, lane: lane, runAt: runAt))
        live += 1
    }

    /// A page of all lanes.
    func page() -> LanePage {
        LanePage(
            heads: heads(), running: jobs.count { DiceStore.isRunning($0.place) })
    }

    func heads() -> [LaneHead] {
        var first = [Timestamp?](repeating: nil, count: DiceStore.lanes.count)
        for job in jobs where job.place == .waiting {
            first[job.lane] = min(first[job.lane] ?? job.runAt, job.runAt)
        }
        return first.indices.compactMap { number in
            let lane = DiceStore.lanes[number]
            return first[number].map { runAt in
                LaneHead(
                    lane: Int64(number), runAt: runAt, sessionKey: Int64(lane.session),
                    session: "session-\(lane.session)", originKey: Int64(lane.origin),
                    schedulingClass: lane.schedulingClass, rank: lane.rank,
                    origin: GateReading(
                        running: originRunning[lane.origin], notBefore: notBefore[lane.origin]),
                    sessionGate: GateReading(running: sessionRunning[lane.session]))
            }
        }
    }

    func hasRoom(_ number: Int, at now: Timestamp, _ limits: PolicyLimits) -> Bool {
        let lane = DiceStore.lanes[number]
        if let until = notBefore[lane.origin], until > now { return false }
        return originRunning[lane.origin] < limits.perOrigin
            && sessionRunning[lane.session] < limits.perSession ?? .max
    }

    /// Claims jobs like the real statement: by lane in order, up to quota, room and total.
    mutating func claim(
        _ order: ClaimOrder, at now: Timestamp, _ limits: PolicyLimits
    ) -> ConductorEvent {
        var claimed: [ClaimedRun] = []
        let total = order.total
        for quota in order.quotas {
            let number = Int(quota.head.lane)
            let due = jobs.indices.filter {
                jobs[$0].lane == number && jobs[$0].place == .waiting && jobs[$0].runAt <= now
            }
            var taken = 0
            for place in due.sorted(by: { jobs[$0].runAt < jobs[$1].runAt })
            where taken < quota.count && claimed.count < total && hasRoom(number, at: now, limits) {
                move(place, to: .here(lease: lease))
                jobs[place].fence += 1
                taken += 1
                var run = ClaimedRun(
                    id: jobs[place].id, fence: jobs[place].fence, order: jobs[place].order)
                run.flow = quota.head.flow
                run.schedulingClass = quota.head.schedulingClass
                run.lane = quota.head.lane
                claimed.append(run)
            }
        }
        let asked = Set(order.quotas.map(\.head.lane))
        var due: [Int64: Timestamp] = [:]
        for head in heads() where asked.contains(head.lane) { due[head.lane] = head.runAt }
        return .claimed(claimed, due: due)
    }

    /// Moves a job and updates the counts of the gates.
    mutating func move(_ place: Int, to target: Place) {
        let lane = DiceStore.lanes[jobs[place].lane]
        let before = DiceStore.isRunning(jobs[place].place)
        let after = DiceStore.isRunning(target)
        let change = (after ? 1 : 0) - (before ? 1 : 0)
        originRunning[lane.origin] += change
        sessionRunning[lane.session] += change
        jobs[place].place = target
        if target == .ended { live -= 1 }
    }

    mutating func endSuspended() {
        for place in jobs.indices where jobs[place].place == .suspended { move(place, to: .ended) }
    }

    mutating func cool(_ job: Int, until: Timestamp) {
        notBefore[DiceStore.lanes[jobs[job].lane].origin] = until
    }

    /// Ends a lease: the jobs that it covered wait again under a new fence.
    mutating func giveBack(at now: Timestamp) {
        for place in jobs.indices where jobs[place].place == .here(lease: lease) {
            move(place, to: .waiting)
            jobs[place].fence += 1
            jobs[place].runAt = now
        }
        lease += 1
    }

    private static func isRunning(_ place: Place) -> Bool {
        switch place {
        case .here, .elsewhere: true
        default: false
        }
    }
}
