// The lanes that are due and open, in the order of fairness.
internal import Base

/// A tree of heaps: classes, apps, sessions, origins, lanes.
///
/// Apps, the sessions of an app and the origins of a session are ordered by the virtual start of
/// their next download; within a session the aged rank of their first lane comes before that; where
/// deadlines are near, the sessions of an app are ordered by their first deadline. A flow at a full
/// gate sleeps: it keeps its lanes and is skipped.
struct LaneQueue: Sendable {
    /// The position of a lane in the queue.
    struct Seat: Sendable {
        let servingClass: ServingClass
        let flow: LaneFlow
        /// The aged rank of the lane.
        let rank: Int
        /// The due time of the lane.
        let due: Timestamp
        /// The deadline, if it is near.
        let deadline: Timestamp?
    }

    /// One heap of the tree, named by the values that its members share.
    struct Branch: Hashable, Sendable {
        enum Level: UInt8, Sendable { case apps, sessions, origins, lanes }

        let level: Level
        let servingClass: ServingClass
        var key: Int64 = 0
        var origin: Int64 = 0

        /// The apps of a class.
        static func apps(_ kind: ServingClass) -> Branch {
            Branch(level: .apps, servingClass: kind)
        }

        /// The sessions of an app.
        static func sessions(_ kind: ServingClass, app: Int64) -> Branch {
            Branch(level: .sessions, servingClass: kind, key: app)
        }

        /// The origins of a session.
        static func origins(_ kind: ServingClass, session: Int64) -> Branch {
            Branch(level: .origins, servingClass: kind, key: session)
        }

        /// The lanes of a session and an origin.
        static func lanes(_ kind: ServingClass, session: Int64, origin: Int64) -> Branch {
            Branch(level: .lanes, servingClass: kind, key: session, origin: origin)
        }
    }

    private struct Change {
        let branch: Branch
        let member: Int64
        let before: FlowOrder?
    }

    /// The share of each flow so far.
    private(set) var shares = FairShares()
    private var heaps: [Branch: FlowHeap] = [:]
    private var seats: [Int64: Seat] = [:]
    /// Branches that sleep at a gate.
    private var asleep: Set<Branch> = []
    /// The changes of the plan in progress, which are undone at its end; nil without a plan.
    private var journal: [Change]?
    private var sharesBefore = FairShares()

    /// Creates a queue without lanes, with the shares of flows so far.
    init(shares: FairShares = FairShares()) { self.shares = shares }

    /// The position of a lane; nil if it is not in the queue.
    func seat(of lane: Int64) -> Seat? { seats[lane] }

    /// The member of a branch that comes first.
    func first(of branch: Branch) -> Int64? { heaps[branch]?.first }

    /// Whether a class has a lane that does not sleep.
    func hasLanes(of kind: ServingClass) -> Bool { heaps[.apps(kind)] != nil }

    /// A lane of a branch, which may sleep; nil if it has none.
    func anyLane(of branch: Branch) -> Int64? {
        guard branch.level != .lanes, let member = heaps[branch]?.first else {
            return heaps[branch]?.first
        }
        switch branch.level {
        case .apps: return anyLane(of: .sessions(branch.servingClass, app: member))
        case .sessions: return anyLane(of: .origins(branch.servingClass, session: member))
        default:
            return anyLane(
                of: .lanes(branch.servingClass, session: branch.key, origin: member))
        }
    }

    /// Whether lanes of more than one app do not sleep.
    var hasSeveralApps: Bool {
        var only: Int64?
        for kind in ServingClass.allCases {
            guard let apps = heaps[.apps(kind)], let first = apps.first else { continue }
            if apps.count > 1 || only ?? first != first { return true }
            only = first
        }
        return false
    }

    // MARK: lanes

    /// Adds a lane, or moves it.
    mutating func insert(_ lane: Int64, _ seat: Seat) {
        if let old = seats[lane],
            old.servingClass != seat.servingClass || old.flow.session != seat.flow.session
                || old.flow.origin != seat.flow.origin || old.flow.app != seat.flow.app
        {
            remove(lane)
        }
        seats[lane] = seat
        change(branch(of: seat), lane, to: order(of: lane, seat))
        settle(seat)
    }

    /// Removes a lane.
    mutating func remove(_ lane: Int64) {
        guard let seat = seats.removeValue(forKey: lane) else { return }
        change(branch(of: seat), lane, to: nil)
        settle(seat)
    }

    private func branch(of seat: Seat) -> Branch {
        .lanes(seat.servingClass, session: seat.flow.session, origin: seat.flow.origin)
    }

    // MARK: sleep

    /// Lets a branch sleep until it is woken; its lanes stay.
    ///
    /// - Returns: whether it was awake.
    mutating func sleep(_ branch: Branch, app: Int64) -> Bool {
        guard heaps[branch] != nil, asleep.insert(branch).inserted else { return false }
        settle(branch, app: app)
        return true
    }

    /// Wakes a branch.
    mutating func wake(_ branch: Branch, app: Int64) {
        guard asleep.remove(branch) != nil, heaps[branch] != nil else { return }
        settle(branch, app: app)
    }

    private mutating func settle(_ branch: Branch, app: Int64) {
        let kind = branch.servingClass
        switch branch.level {
        case .apps: break
        case .sessions: settle(kind, app: app)
        case .origins: settle(kind, app: app, session: branch.key)
        case .lanes: settle(kind, app: app, session: branch.key, origin: branch.origin)
        }
    }

    // MARK: shares

    /// Whether all lanes sleep or there are none.
    var isEmpty: Bool { ServingClass.allCases.allSatisfy { !hasLanes(of: $0) } }

    /// Notes that no download waits that could begin: flows that were served alone are not ahead of
    /// others, and positions stay.
    mutating func rest() { shares.rest() }

    /// Counts a download of a class that begins.
    mutating func serve(_ flow: LaneFlow, bytes: Double, as kind: ServingClass) {
        var least = FairShares.Least()
        least.app = heaps[.apps(kind)]?.firstOrder?.start
        if !kind.isByDeadline {
            least.session = heaps[.sessions(kind, app: flow.app)]?.firstOrder?.start
            least.origin = heaps[.origins(kind, session: flow.session)]?.firstOrder?.start
        }
        if shares.serve(flow, bytes: bytes, beside: least) { rekey() } else { rekey(flow) }
    }

    /// Corrects the estimate for a download that was counted.
    mutating func correct(_ flow: LaneFlow, by bytes: Double) {
        shares.correct(flow, by: bytes)
        rekey(flow)
    }

    private mutating func rekey(_ flow: LaneFlow) {
        for kind in ServingClass.allCases where heaps[.apps(kind)] != nil {
            let sessions = Branch.sessions(kind, app: flow.app)
            let origins = Branch.origins(kind, session: flow.session)
            if heaps[origins]?.order(of: flow.origin) != nil {
                settle(kind, app: flow.app, session: flow.session, origin: flow.origin)
            } else if heaps[sessions]?.order(of: flow.session) != nil {
                settle(kind, app: flow.app, session: flow.session)
            } else if heaps[.apps(kind)]?.order(of: flow.app) != nil {
                settle(kind, app: flow.app)
            }
        }
    }

    /// Computes all positions anew after the shares of whole levels were forgotten: their flows
    /// begin equal.
    private mutating func rekey() {
        for seat in seats.values { settle(seat) }
    }

    // MARK: orders

    private func order(of lane: Int64, _ seat: Seat) -> FlowOrder {
        let due = seat.due.microseconds
        guard let deadline = seat.deadline else {
            return FlowOrder(step: Int64(seat.rank), due: due, number: lane)
        }
        return FlowOrder(
            step: deadline.microseconds, substep: Int64(seat.rank), due: due, number: lane)
    }

    private mutating func settle(_ seat: Seat) {
        settle(
            seat.servingClass, app: seat.flow.app, session: seat.flow.session,
            origin: seat.flow.origin)
    }

    private mutating func settle(
        _ kind: ServingClass, app: Int64, session: Int64, origin: Int64
    ) {
        var order = standing(of: .lanes(kind, session: session, origin: origin))
        if !kind.isByDeadline {
            order?.start = shares.place(ofOrigin: origin, session: session)
        }
        change(.origins(kind, session: session), origin, to: order)
        settle(kind, app: app, session: session)
    }

    private mutating func settle(_ kind: ServingClass, app: Int64, session: Int64) {
        var order = standing(of: .origins(kind, session: session))
        if !kind.isByDeadline, order != nil {
            order = FlowOrder(
                start: shares.place(ofSession: session, app: app), number: session)
        }
        change(.sessions(kind, app: app), session, to: order)
        settle(kind, app: app)
    }

    private mutating func settle(_ kind: ServingClass, app: Int64) {
        var order = standing(of: .sessions(kind, app: app))
        if order != nil { order = FlowOrder(start: shares.place(ofApp: app), number: app) }
        change(.apps(kind), app, to: order)
    }

    /// The position of a branch by its first member; nil if it is empty or sleeps.
    private func standing(of branch: Branch) -> FlowOrder? {
        asleep.contains(branch) ? nil : heaps[branch]?.firstOrder
    }

    private mutating func change(_ branch: Branch, _ member: Int64, to order: FlowOrder?) {
        let before = heaps[branch]?.order(of: member)
        guard before != order else { return }
        journal?.append(Change(branch: branch, member: member, before: before))
        set(branch, member, to: order)
    }

    private mutating func set(_ branch: Branch, _ member: Int64, to order: FlowOrder?) {
        heaps[branch, default: FlowHeap()].set(member, to: order)
        if order == nil, heaps[branch]?.isEmpty ?? false { heaps[branch] = nil }
    }

    // MARK: plans

    /// Begins a plan, whose changes are undone by `endPlan`.
    mutating func beginPlan() {
        journal = []
        sharesBefore = shares
    }

    /// Undoes the changes since `beginPlan`.
    mutating func endPlan() {
        for change in (journal ?? []).reversed() {
            set(change.branch, change.member, to: change.before)
        }
        journal = nil
        shares = sharesBefore
    }

    /// Leaves a member of a branch out until the plan ends.
    mutating func setAside(_ member: Int64, of branch: Branch, app: Int64) {
        change(branch, member, to: nil)
        switch branch.level {
        case .apps: break
        case .sessions: settle(branch.servingClass, app: app)
        case .origins: settle(branch.servingClass, app: app, session: branch.key)
        case .lanes:
            settle(branch.servingClass, app: app, session: branch.key, origin: branch.origin)
        }
    }
}
