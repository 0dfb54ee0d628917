// Chooses the next lane in a forecast, as `SlotPlan` does: by class, app, session, origin, lane.

/// The open lanes by class, app, session and flow; a flow is the downloads of a session from an
/// origin.
///
/// Each level serves the child with the least virtual start; serving it moves its start by the
/// cost. A flow with a lane of a better rank comes before other flows of its session.
struct ForecastTree {
    /// The parents of all apps, sessions and flows, and their shares so far.
    struct Shape {
        /// The number of classes.
        var classes: Int
        /// The class of each app; below, the app of each session and the session of each flow.
        var apps: [Int32] = []
        var sessions: [Int32] = []
        var flows: [Int32] = []
        /// The lead of each child over the child that its level served last, in bytes; below zero
        /// if it is behind.
        var leads: (apps: [Double], sessions: [Double], flows: [Double]) = ([], [], [])
    }

    private struct Level {
        var start = 0.0
        var children = ForecastHeap()
        /// The start of the child that was served last: a child behind it is served from there on.
        var served = 0.0
        var isListed = false
    }

    private struct Flow {
        var start = 0.0
        var lanes = ForecastHeap()
        /// Its key in its session; entries there with another key are outdated.
        var key = 0.0
        var isListed = false
        /// Whether it is parked at a gate.
        var isBlocked = false
    }

    private var roots: [Level]
    private var apps: [Level]
    private var sessions: [Level]
    private var flows: [Flow]
    private let shape: Shape

    /// The weight of a rank in a key, above any start and any instant.
    private static let rankStep = 1e15
    /// The bound of instants, in seconds from now.
    private static let instants = 1e12

    init(_ shape: Shape) {
        self.shape = shape
        roots = Array(repeating: Level(), count: shape.classes)
        apps = shape.leads.apps.map { Level(start: ForecastTree.start(ahead: $0)) }
        sessions = shape.leads.sessions.map { Level(start: ForecastTree.start(ahead: $0)) }
        flows = shape.leads.flows.map { Flow(start: ForecastTree.start(ahead: $0)) }
    }

    /// A start from a lead, which is bounded: beyond the bound a flow is first or last in any case.
    private static func start(ahead lead: Double) -> Double {
        min(max(lead, -rankStep / 10), rankStep / 10)
    }

    /// Whether a class has an open lane.
    func hasLanes(ofClass number: Int) -> Bool { !roots[number].children.isEmpty }

    /// The key of a lane in its flow.
    ///
    /// - Parameters:
    ///   - rank: the better the less, from 0 on.
    ///   - instant: by which lanes of a rank are ordered, in seconds.
    /// - Returns: the less, the sooner it is served.
    static func key(rank: Int, instant: Double) -> Double { Double(rank) * rankStep + instant }

    /// Adds a lane; its earlier entry with another key stays and is outdated.
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

    /// The key of a flow: the rank of its first lane, then its start.
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

    /// The next lane of a class, and its key in its flow.
    func first(ofClass root: Int) -> (lane: Int32, key: Double)? {
        path(root).flatMap { flows[$0.flow].lanes.first }.map { ($0.place, $0.key) }
    }

    /// Removes the flow of the next lane of a class, with all its lanes, until it is unblocked.
    mutating func blockFirst(ofClass root: Int) -> Int32? {
        guard let (app, session, flow, _) = path(root) else { return nil }
        flows[flow].isBlocked = true
        settle(flow, session, app, root)
        return Int32(flow)
    }

    /// Adds a blocked flow again.
    mutating func unblock(_ flow: Int32) {
        flows[Int(flow)].isBlocked = false
        if !flows[Int(flow)].lanes.isEmpty { list(flow: flow) }
    }

    /// Removes the next lane of a class.
    mutating func removeFirst(ofClass root: Int) {
        guard let (app, session, flow, _) = path(root) else { return }
        _ = flows[flow].lanes.pop()
        settle(flow, session, app, root)
    }

    /// Serves the next lane of a class, and removes it if it has no more downloads.
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
        // As in `FairShare`: the flow continues from its last start, and has saved nothing.
        sessions[session].served = max(sessions[session].served, flows[flow].start)
        flows[flow].start = sessions[session].served + cost
        apps[app].served = max(apps[app].served, sessions[session].start)
        sessions[session].start = apps[app].served + cost / weights.session
        roots[root].served = max(roots[root].served, apps[app].start)
        apps[app].start = roots[root].served + cost / weights.app
        if !keepsLane { _ = flows[flow].lanes.pop() }
        settle(flow, session, app, root)
    }

    /// Updates the key of the first child on each level, or removes an empty one.
    private mutating func settle(_ flow: Int, _ session: Int, _ app: Int, _ root: Int) {
        if flows[flow].lanes.isEmpty || flows[flow].isBlocked {
            flows[flow].isListed = false
            _ = sessions[session].children.pop()
        } else {
            flows[flow].key = key(of: flows[flow])
            sessions[session].children.moveFirst(to: flows[flow].key)
        }
        // Outdated entries of flows that have moved ahead are dropped.
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
