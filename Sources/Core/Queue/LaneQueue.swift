// The lanes that are due and open, as fairness chooses among them.

/// A tree of heaps: classes, apps, sessions, origins, lanes.
///
/// Apps, the sessions of an app and the origins of a session stand by the virtual start of their
/// next download; before that, in a session, by the aged rank of their first lane; where deadlines
/// are near, the sessions of an app by the first of them. A flow that waits for a place at a gate
/// sleeps: it keeps its lanes and is not looked at.
struct LaneQueue: Sendable {
    /// How a lane stands in the queue.
    struct Seat: Sendable {
        let servingClass: ServingClass
        let flow: LaneFlow
        /// The step that the lane has reached.
        let rank: Int
        /// By when it should begin or be complete.
        let due: Timestamp
        /// Its deadline where that is near.
        let deadline: Timestamp?
    }

    /// One heap of the tree, named by what its members have in common.
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

    /// The shares that each flow has got.
    private(set) var shares = FairShares()
    private var heaps: [Branch: FlowHeap] = [:]
    private var seats: [Int64: Seat] = [:]
    /// Branches that wait for a gate.
    private var asleep: Set<Branch> = []
    /// The changes of the plan that is being made, to be undone; nil where none is.
    private var journal: [Change]?
    private var sharesBefore = FairShares()

    /// No lanes, and what flows have got so far.
    init(shares: FairShares = FairShares()) { self.shares = shares }

    /// How a lane stands; nil where it is not in the queue.
    func seat(of lane: Int64) -> Seat? { seats[lane] }

    /// The member of a branch that comes first.
    func first(of branch: Branch) -> Int64? { heaps[branch]?.first }

    /// Whether a class has a lane that may be looked at.
    func hasLanes(of kind: ServingClass) -> Bool { heaps[.apps(kind)] != nil }

    /// A lane of a branch, which may sleep; nil where there is none.
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

    /// Whether lanes of more than one app may be looked at.
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

    /// Puts a lane in, or in another place.
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

    /// Takes a lane out.
    mutating func remove(_ lane: Int64) {
        guard let seat = seats.removeValue(forKey: lane) else { return }
        change(branch(of: seat), lane, to: nil)
        settle(seat)
    }

    private func branch(of seat: Seat) -> Branch {
        .lanes(seat.servingClass, session: seat.flow.session, origin: seat.flow.origin)
    }

    // MARK: sleep

    /// Leaves a branch out until it is woken; its lanes stay.
    ///
    /// - Returns: whether it was awake.
    mutating func sleep(_ branch: Branch, app: Int64) -> Bool {
        guard heaps[branch] != nil, asleep.insert(branch).inserted else { return false }
        settle(branch, app: app)
        return true
    }

    /// Looks at a branch again.
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

    /// Whether no lane may be looked at.
    var isEmpty: Bool { ServingClass.allCases.allSatisfy { !hasLanes(of: $0) } }

    /// Nothing waits that could begin: what was served alone puts nobody behind, and no place
    /// changes.
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

    /// Corrects the estimate of one that is counted.
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

    /// Seats all lanes anew after shares of whole levels were forgotten: their flows begin equal.
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

    /// By what a branch stands because of its first member; nil where it has none or sleeps.
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

    /// Undoes what was changed since `beginPlan`.
    mutating func endPlan() {
        for change in (journal ?? []).reversed() {
            set(change.branch, change.member, to: change.before)
        }
        journal = nil
        shares = sharesBefore
    }

    /// Leaves a member of a branch out for the rest of the plan.
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
