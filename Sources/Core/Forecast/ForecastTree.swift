// Which lane is next in a forecast, as in `SlotPlan`: class, app, session, origin, lane.

/// Lanes that are open, by class, app, session and flow: the downloads of a session from an origin.
///
/// Each level serves the one with the least virtual start; a piece moves its start on by what it
/// costs. A flow with a lane of a better rank comes before the others of its session.
struct ForecastTree {
    /// What lies below each level.
    struct Shape {
        /// How many classes there are.
        var classes: Int
        /// Of each app its class, of each session its app, of each flow its session.
        var apps: [Int32] = []
        var sessions: [Int32] = []
        var flows: [Int32] = []
        /// By how much each is ahead of what its level served last, in bytes; below zero for
        /// behind.
        var leads: (apps: [Double], sessions: [Double], flows: [Double]) = ([], [], [])
    }

    private struct Level {
        var start = 0.0
        var children = ForecastHeap()
        /// The start of the child that was served last: what is behind is served from there on.
        var served = 0.0
        var isListed = false
    }

    private struct Flow {
        var start = 0.0
        var lanes = ForecastHeap()
        /// By which it stands in its session; other entries of it there are old.
        var key = 0.0
        var isListed = false
        /// Whether it waits for a place at a gate.
        var isBlocked = false
    }

    private var roots: [Level]
    private var apps: [Level]
    private var sessions: [Level]
    private var flows: [Flow]
    private let shape: Shape

    /// One rank is worth more than any start, and more than any instant.
    private static let rankStep = 1e15
    /// Instants, in seconds from now, are nearer than this.
    private static let instants = 1e12

    init(_ shape: Shape) {
        self.shape = shape
        roots = Array(repeating: Level(), count: shape.classes)
        apps = shape.leads.apps.map { Level(start: ForecastTree.start(ahead: $0)) }
        sessions = shape.leads.sessions.map { Level(start: ForecastTree.start(ahead: $0)) }
        flows = shape.leads.flows.map { Flow(start: ForecastTree.start(ahead: $0)) }
    }

    /// Bounds a lead: a flow that is further ahead or behind is the last or the first in any case.
    private static func start(ahead lead: Double) -> Double {
        min(max(lead, -rankStep / 10), rankStep / 10)
    }

    /// Whether a class has an open lane.
    func hasLanes(ofClass number: Int) -> Bool { !roots[number].children.isEmpty }

    /// By what a lane stands in its flow.
    ///
    /// - Parameters:
    ///   - rank: the better the less, from 0 on.
    ///   - instant: by which lanes of a rank are ordered, in seconds.
    /// - Returns: the less, the sooner it is served.
    static func key(rank: Int, instant: Double) -> Double { Double(rank) * rankStep + instant }

    /// Puts a lane in; where it was before it stays, by another key.
    mutating func insert(_ lane: Int32, into flow: Int32, at key: Double) {
        flows[Int(flow)].lanes.insert(lane, at: key)
        if !flows[Int(flow)].isBlocked { list(flow: flow) }
    }

    private mutating func list(flow: Int32) {
        let place = Int(flow)
        let session = Int(shape.flows[place])
        let isNew = !flows[place].isListed
        if isNew { flows[place].isListed = true }
        let before = flows[place].key
        flows[place].key = key(of: flows[place])
        if isNew || flows[place].key != before {
            sessions[session].children.insert(flow, at: flows[place].key)
        }
        list(session)
    }

    /// By the rank of its first lane, then its start.
    private func key(of flow: Flow) -> Double {
        guard let first = flow.lanes.first else { return .infinity }
        let rank = ((first.key + ForecastTree.instants) / ForecastTree.rankStep).rounded(.down)
        return rank * ForecastTree.rankStep + flow.start
    }

    private mutating func list(_ session: Int) {
        let app = Int(shape.sessions[session])
        if !sessions[session].isListed {
            sessions[session].isListed = true
            apps[app].children.insert(Int32(session), at: sessions[session].start)
        }
        guard !apps[app].isListed else { return }
        let root = Int(shape.apps[app])
        apps[app].isListed = true
        roots[root].children.insert(Int32(app), at: apps[app].start)
    }

    private func path(_ root: Int) -> (app: Int, session: Int, flow: Int, lane: Int32)? {
        guard let app = roots[root].children.first.map({ Int($0.place) }),
            let session = apps[app].children.first.map({ Int($0.place) }),
            let flow = sessions[session].children.first.map({ Int($0.place) }),
            let lane = flows[flow].lanes.first?.place
        else { return nil }
        return (app, session, flow, lane)
    }

    /// The next lane of a class, and by what it stands in its flow.
    func first(ofClass root: Int) -> (lane: Int32, key: Double)? {
        path(root).flatMap { flows[$0.flow].lanes.first }.map { ($0.place, $0.key) }
    }

    /// Takes the flow of the next lane of a class out, with all its lanes, until it is unblocked.
    mutating func blockFirst(ofClass root: Int) -> Int32? {
        guard let (app, session, flow, _) = path(root) else { return nil }
        flows[flow].isBlocked = true
        settle(flow, session, app, root)
        return Int32(flow)
    }

    /// Puts a flow back.
    mutating func unblock(_ flow: Int32) {
        flows[Int(flow)].isBlocked = false
        if !flows[Int(flow)].lanes.isEmpty { list(flow: flow) }
    }

    /// Takes the next lane of a class out.
    mutating func removeFirst(ofClass root: Int) {
        guard let (app, session, flow, _) = path(root) else { return }
        _ = flows[flow].lanes.pop()
        settle(flow, session, app, root)
    }

    /// Serves the next lane of a class, and takes it out where it has nothing more.
    ///
    /// - Parameters:
    ///   - root: the class.
    ///   - cost: bytes.
    ///   - weights: those of the app and of the session.
    ///   - keepsLane: whether more of it waits.
    mutating func serveFirst(
        ofClass root: Int, cost: Double, weights: (app: Double, session: Double), keepsLane: Bool
    ) {
        guard let (app, session, flow, _) = path(root) else { return }
        // As `FairShare`: it stands by its start as it was left, and has saved nothing.
        sessions[session].served = max(sessions[session].served, flows[flow].start)
        flows[flow].start = sessions[session].served + cost
        apps[app].served = max(apps[app].served, sessions[session].start)
        sessions[session].start = apps[app].served + cost / weights.session
        roots[root].served = max(roots[root].served, apps[app].start)
        apps[app].start = roots[root].served + cost / weights.app
        if !keepsLane { _ = flows[flow].lanes.pop() }
        settle(flow, session, app, root)
    }

    /// Moves those that come first on each level to their starts, or out where they are empty.
    private mutating func settle(_ flow: Int, _ session: Int, _ app: Int, _ root: Int) {
        if flows[flow].lanes.isEmpty || flows[flow].isBlocked {
            flows[flow].isListed = false
            _ = sessions[session].children.pop()
        } else {
            flows[flow].key = key(of: flows[flow])
            sessions[session].children.moveFirst(to: flows[flow].key)
        }
        // What has a better place now is also where it was before.
        while let first = sessions[session].children.first {
            let place = Int(first.place)
            if flows[place].isListed, flows[place].key == first.key { break }
            _ = sessions[session].children.pop()
        }
        if sessions[session].children.isEmpty {
            _ = apps[app].children.pop()
            sessions[session].isListed = false
        } else {
            apps[app].children.moveFirst(to: sessions[session].start)
        }
        if apps[app].children.isEmpty {
            _ = roots[root].children.pop()
            apps[app].isListed = false
        } else {
            roots[root].children.moveFirst(to: apps[app].start)
        }
    }
}
