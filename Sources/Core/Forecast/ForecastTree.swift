// Which lane is next in a forecast: class, app, session, lane, as in `SlotPlan`, by virtual time.

/// Lanes that are open, by class, app and session.
///
/// Each level serves the one with the least start; a piece moves its start on by what it costs.
struct ForecastTree {
    private struct Level {
        var start = 0.0
        var children = ForecastHeap()
        /// The start of the child that was served last: one that comes later begins there.
        var served = 0.0
        var isListed = false
    }

    private var roots: [Level]
    private var apps: [Level]
    private var sessions: [Level]
    private var laneStarts: [Double]
    /// Of each lane its session, of each session its app, of each app its class.
    private let parents: (lanes: [Int32], sessions: [Int32], apps: [Int32])
    private let ranks: [Int8]

    /// One rank is worth more than any start.
    private static let rankStep = 1e15

    init(
        classes: Int, apps: [Int32], sessions: [Int32], lanes: [Int32], ranks: [Int8]
    ) {
        roots = Array(repeating: Level(), count: classes)
        self.apps = Array(repeating: Level(), count: apps.count)
        self.sessions = Array(repeating: Level(), count: sessions.count)
        laneStarts = Array(repeating: 0, count: lanes.count)
        parents = (lanes, sessions, apps)
        self.ranks = ranks
    }

    /// Whether a class has an open lane.
    func hasLanes(ofClass number: Int) -> Bool { !roots[number].children.isEmpty }

    /// Puts a lane in.
    mutating func insert(_ lane: Int32) {
        let session = Int(parents.lanes[Int(lane)])
        laneStarts[Int(lane)] = max(laneStarts[Int(lane)], sessions[session].served)
        sessions[session].children.insert(lane, at: key(of: lane))
        list(session)
    }

    private func key(of lane: Int32) -> Double {
        laneStarts[Int(lane)] + Double(ranks[Int(lane)]) * ForecastTree.rankStep
    }

    private mutating func list(_ session: Int) {
        let app = Int(parents.sessions[session])
        if !sessions[session].isListed {
            sessions[session].isListed = true
            sessions[session].start = max(sessions[session].start, apps[app].served)
            apps[app].children.insert(Int32(session), at: sessions[session].start)
        }
        guard !apps[app].isListed else { return }
        let root = Int(parents.apps[app])
        apps[app].isListed = true
        apps[app].start = max(apps[app].start, roots[root].served)
        roots[root].children.insert(Int32(app), at: apps[app].start)
    }

    /// The next lane of a class.
    func first(ofClass root: Int) -> Int32? {
        guard let app = roots[root].children.first?.place,
            let session = apps[Int(app)].children.first?.place
        else { return nil }
        return sessions[Int(session)].children.first?.place
    }

    /// Takes the next lane of a class out.
    mutating func removeFirst(ofClass root: Int) {
        guard let app = roots[root].children.first.map({ Int($0.place) }),
            let session = apps[app].children.first.map({ Int($0.place) })
        else { return }
        _ = sessions[session].children.pop()
        settle(session, app, root)
    }

    /// Serves the next lane of a class, and takes it out where it has nothing more.
    mutating func serveFirst(ofClass root: Int, cost: Double, keepsLane: Bool) {
        guard let app = roots[root].children.first.map({ Int($0.place) }),
            let session = apps[app].children.first.map({ Int($0.place) }),
            let lane = sessions[session].children.first?.place
        else { return }
        sessions[session].served = laneStarts[Int(lane)]
        laneStarts[Int(lane)] += cost
        apps[app].served = sessions[session].start
        sessions[session].start += cost
        roots[root].served = apps[app].start
        apps[app].start += cost
        guard keepsLane else {
            _ = sessions[session].children.pop()
            return settle(session, app, root)
        }
        sessions[session].children.moveFirst(to: key(of: lane))
        settle(session, app, root)
    }

    /// Moves the session and the app that come first to their starts, or out where they are empty.
    private mutating func settle(_ session: Int, _ app: Int, _ root: Int) {
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
