// A store in memory with very many lanes: bounded pages, gates and claims like those of the
// statements.
import Base
import Downloads
import Scheduling

/// Lanes of several apps and sessions, each with a number of downloads that are due or not.
struct CrowdStore {
    struct Lane {
        let number: Int64
        let app: Int64
        let session: Int64
        let origin: Int64
        let schedulingClass: SchedulingClass
        let rank: Int
        var nextAt: Timestamp
        var depth: Int
        var due: Timestamp?
        /// The number of the lane's last change.
        var changed = 0
    }

    /// The time before they are due at which lanes are read.
    private static let ahead = Duration.seconds(900)
    /// The most sessions of a class in a page.
    var groupsAtOnce = 32

    var lanes: [Lane] = []
    var limits: PolicyLimits
    /// The limits of apps that have their own.
    var ownLimits: [Int64: Int] = [:]
    /// Origins that asked for a pause, with its end.
    var cooling: [Int64: Timestamp] = [:]
    /// The bytes that each download of a lane needs.
    var need: (Lane) -> Int64 = { _ in 1 << 20 }
    /// The name of an app by its number.
    var appName: (Int64) -> String = { "a\($0)" }
    /// The name of an origin by its number.
    var originName: (Int64) -> String? = { _ in nil }
    /// The number of changes of lanes.
    private var changes = 0
    private(set) var running: [GateKey: Int] = [:]
    /// The number of claimed downloads of each lane.
    private(set) var taken: [Int64: Int] = [:]
    private(set) var lanesRead = 0
    private(set) var looks = 0
    private var fences: Int64 = 0

    init(limits: PolicyLimits) { self.limits = limits }

    mutating func add(
        _ count: Int, app: Int64 = 1, session: Int64 = 1, firstOrigin: Int64,
        class schedulingClass: SchedulingClass = .normal, rank: Int = 2, at: Timestamp,
        depth: Int = 1, due: Timestamp? = nil
    ) {
        changes += 1
        for place in 0..<Int64(count) {
            lanes.append(
                Lane(
                    number: Int64(lanes.count + 1), app: app, session: session,
                    origin: firstOrigin + place, schedulingClass: schedulingClass, rank: rank,
                    nextAt: at, depth: depth, due: due, changed: changes))
        }
    }

    /// The answer to a look: a page of the sweep, changes, and lanes by their numbers.
    mutating func page(from cursor: LaneCursor, wanted: Int, at now: Timestamp) -> LanePage {
        looks += 1
        let due = lanes.filter { $0.depth > 0 && $0.nextAt <= now + CrowdStore.ahead }
        var page =
            cursor.readsChangesOnly
            ? LanePage(heads: []) : sweep(from: cursor, over: due, wanted: wanted, at: now)
        var known = Set(page.heads.map(\.lane))
        let seen = cursor.changePosition.flatMap { Int($0.seen) } ?? .max
        let again = Set(cursor.again)
        for lane in due where lane.changed > seen || again.contains(lane.number) {
            if known.insert(lane.number).inserted { page.heads.append(head(lane)) }
        }
        lanesRead += page.heads.count
        page.nextDue = lanes.filter { $0.depth > 0 && $0.nextAt > now }.map(\.nextAt).min()
        page.running = running[.deployment] ?? 0
        page.changePosition = LaneChangePosition(seen: "\(changes)")
        return page
    }

    /// A page as `lull_lanes` reads it: classes, apps, sessions, lanes of each rank.
    private func sweep(
        from cursor: LaneCursor, over due: [Lane], wanted: Int, at now: Timestamp
    ) -> LanePage {
        var next = cursor
        var heads: [LaneHead] = []
        for kind in SchedulingClass.allCases {
            let ofKind = Dictionary(grouping: due.filter { $0.schedulingClass == kind }, by: \.app)
            var groups: [(place: LaneCursor.Group, lanes: [Lane])] = []
            for (app, lanes) in ofKind {
                let place = LaneCursor.AppClass(kind, app: app)
                let sessions = Dictionary(grouping: lanes, by: \.session)
                    .map { (at: $1.map(\.nextAt).min() ?? now, session: $0, lanes: $1) }
                    .sorted { ($0.at, $0.session) < ($1.at, $1.session) }
                    .filter { isBehind(cursor.apps[place], $0.at, $0.session) }
                let most = max(1, groupsAtOnce / ofKind.count)
                groups += sessions.prefix(most).map { (.init(kind, session: $0.session), $0.lanes) }
                let last = sessions.prefix(most).last
                next.pass(
                    place, to: .init(at: last?.at ?? now, number: last?.session ?? 0),
                    hasMore: sessions.count >= most && last != nil)
            }
            let most = max(8, wanted / max(1, groups.count))
            for group in groups {
                var marks: [LaneCursor.Mark] = []
                for rank in 0...3 {
                    let found = group.lanes.filter { $0.rank == rank }
                        .sorted { ($0.nextAt, $0.number) < ($1.nextAt, $1.number) }
                        .filter { isBehind(cursor.groups[group.place], $0.nextAt, $0.number) }
                    heads += found.prefix(most).map(head)
                    if found.count >= most, let last = found.prefix(most).last {
                        marks.append(.init(at: last.nextAt, number: last.number))
                    }
                }
                let least = marks.min { ($0.at, $0.number) < ($1.at, $1.number) }
                next.pass(group.place, to: least, hasMore: least != nil)
            }
        }
        next.endPage(
            next: 0,
            read: due.map { LaneCursor.AppClass($0.schedulingClass, app: $0.app) })
        return LanePage(heads: heads, next: next == .start ? nil : next)
    }

    private func isBehind(_ mark: LaneCursor.Mark?, _ at: Timestamp, _ number: Int64) -> Bool {
        guard let mark else { return true }
        return (at, number) > (mark.at, mark.number)
    }

    func head(_ lane: Lane) -> LaneHead {
        var head = LaneHead(
            lane: lane.number, runAt: lane.nextAt, sessionKey: lane.session,
            session: "s\(lane.session)", originKey: lane.origin,
            schedulingClass: lane.schedulingClass, rank: lane.rank,
            origin: GateReading(
                running: running[.origin(lane.origin)] ?? 0, notBefore: cooling[lane.origin]),
            sessionGate: GateReading(running: running[.session(lane.session)] ?? 0))
        head.app = lane.app
        head.appName = appName(lane.app)
        head.dueBucket = lane.due
        head.originName = originName(lane.origin)
        head.appGate = GateReading(
            running: running[.app(lane.app)] ?? 0, limit: ownLimits[lane.app])
        return head
    }

    mutating func claim(_ order: ClaimOrder, at now: Timestamp) -> ConductorEvent {
        var claims: [ClaimedRun] = []
        var due: [Int64: Timestamp] = [:]
        for quota in order.quotas {
            let place = Int(quota.head.lane - 1)
            var left = quota.count
            while left > 0, claims.count < order.total, hasRoom(place, order, at: now),
                lanes[place].depth > 0, lanes[place].nextAt <= now
            {
                left -= 1
                lanes[place].depth -= 1
                taken[quota.head.lane, default: 0] += 1
                fences += 1
                var run = ClaimedRun(
                    id: Identifier(high: 2, low: UInt64(fences)), fence: fences,
                    need: need(lanes[place]))
                run.flow = quota.head.flow
                run.schedulingClass = quota.head.schedulingClass
                run.lane = quota.head.lane
                count(run.flow, by: 1)
                claims.append(run)
            }
            if lanes[place].depth > 0 { due[quota.head.lane] = lanes[place].nextAt }
        }
        return .claimed(claims, due: due)
    }

    /// Makes a download of a lane wait again.
    mutating func giveBack(_ lane: Int64, _ flow: LaneFlow, at now: Timestamp) {
        count(flow, by: -1)
        let place = Int(lane - 1)
        lanes[place].depth += 1
        guard lanes[place].depth == 1 else { return }
        changes += 1
        lanes[place].changed = changes
        lanes[place].nextAt = now
    }

    mutating func count(_ flow: LaneFlow, by change: Int) {
        for key in [
            GateKey.origin(flow.origin), .session(flow.session), .app(flow.app), .deployment,
        ] { running[key, default: 0] += change }
    }

    /// Whether another download of a lane may begin under the limits of the policy.
    func hasRoom(_ lane: Lane, at now: Timestamp) -> Bool {
        hasRoom(Int(lane.number - 1), ClaimOrder([], total: 1), at: now)
    }

    private func hasRoom(_ place: Int, _ order: ClaimOrder, at now: Timestamp) -> Bool {
        let lane = lanes[place]
        func isFree(_ key: GateKey, _ limit: Int?) -> Bool {
            running[key] ?? 0 < limit ?? .max
        }
        return cooling[lane.origin] ?? now <= now && isFree(.origin(lane.origin), limits.perOrigin)
            && isFree(.session(lane.session), limits.perSession)
            && isFree(.app(lane.app), order.appLimits[lane.app])
            && isFree(.app(lane.app), ownLimits[lane.app])
            && isFree(.deployment, limits.running)
    }
}
