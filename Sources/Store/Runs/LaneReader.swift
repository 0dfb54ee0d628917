// Reads the rows of a look: lanes, and the cursor for the next look.
internal import Base
internal import Downloads
internal import Postgres
internal import Scheduling

/// Reads the rows of a look.
struct LaneReader {
    private typealias Column = LaneColumn

    private(set) var heads: [LaneHead] = []
    /// Sessions that were shown as due and have no due lane.
    private(set) var empty: [LaneCursor.Group] = []
    private let cursor: LaneCursor
    private var known: Set<Int64> = []
    private var lastApps: [Int64] = []
    private var sessions: [LaneCursor.AppClass: (last: LaneCursor.Mark, hasMore: Bool)] = [:]
    private var lanes: [LaneCursor.Group: (last: LaneCursor.Mark?, hasMore: Bool)] = [:]

    /// The data directory of this replica: lanes that are sent from another one are passed over.
    private let holder: KeyText

    init(cursor: LaneCursor, holder: KeyText) {
        self.cursor = cursor
        self.holder = holder
    }

    mutating func add(_ row: Row) throws(PostgresError) {
        guard let kind = SchedulingClass(rawValue: try row.get(Column.schedulingClass))
        else { return }
        let app = try row.integer(Column.appNo)
        guard let session = try row.optionalInteger(Column.sessionNo) else {
            lastApps.append(app)
            return
        }
        let place = LaneCursor.AppClass(kind, app: app)
        let group = LaneCursor.Group(kind, session: session)
        let mark = LaneCursor.Mark(
            at: try row.requiredInstant(Column.groupAt), number: session)
        let isLast = sessions[place].map { ($0.last.at, $0.last.number) < (mark.at, session) }
        if isLast ?? true {
            sessions[place] = (mark, try row.get(Column.hasMoreGroups))
        }
        guard let lane = try row.optionalInteger(Column.laneNo) else {
            if cursor.groups[group] == nil { empty.append(group) }
            lanes[group] = (nil, false)
            return
        }
        let head = try head(row, lane: lane, session: session, kind)
        if known.insert(lane).inserted, isOwn(head) { heads.append(head) }
        let hasMore: Bool = try row.get(Column.hasMoreLanes)
        var read = lanes[group] ?? (nil, false)
        // Of the ranks with more lanes, the one that got the least far decides.
        if hasMore {
            let own = LaneCursor.Mark(at: head.runAt, number: lane)
            lastOfRank[RankOf(group: group, rank: head.rank)] = own
        }
        read.hasMore = read.hasMore || hasMore
        lanes[group] = read
    }

    /// Adds a lane that was read by number.
    mutating func add(again row: Row) throws(PostgresError) {
        guard let kind = SchedulingClass(rawValue: try row.get(Column.schedulingClass))
        else { return }
        let lane = try row.integer(Column.laneNo)
        guard known.insert(lane).inserted else { return }
        let head = try head(row, lane: lane, session: try row.integer(Column.sessionNo), kind)
        if isOwn(head) { heads.append(head) }
    }

    private func isOwn(_ head: LaneHead) -> Bool {
        head.facet.holder == nil || head.facet.holder == holder
    }

    private struct RankOf: Hashable {
        let group: LaneCursor.Group
        let rank: Int
    }
    private var lastOfRank: [RankOf: LaneCursor.Mark] = [:]

    /// Ends the page; returns the cursor for the next, nil if the sweep is over.
    mutating func end() -> LaneCursor? {
        var next = cursor
        for (place, read) in sessions { next.pass(place, to: read.last, hasMore: read.hasMore) }
        for (group, read) in lanes {
            let marks = (0...3).compactMap { lastOfRank[RankOf(group: group, rank: $0)] }
            let least = marks.min { ($0.at, $0.number) < ($1.at, $1.number) }
            next.pass(group, to: least, hasMore: read.hasMore)
        }
        next.endPage(next: lastApps.min() ?? 0, read: sessions.keys)
        return next == .start ? nil : next
    }

    /// A facet by its text, remembered because a page has few facets and many lanes.
    private mutating func facet(_ vector: String) -> Facet {
        if let known = facets[KeyText(vector)] { return known }
        let facet = Facet(text: vector)
        facets[KeyText(vector)] = facet
        return facet
    }
    private var facets: [KeyText: Facet] = [:]

    private mutating func head(
        _ row: Row, lane: Int64, session: Int64, _ kind: SchedulingClass
    ) throws(PostgresError) -> LaneHead {
        var head = LaneHead(
            lane: lane, runAt: try row.requiredInstant(Column.nextAt), sessionKey: session,
            session: try row.text(Column.session), originKey: try row.integer(Column.originKey),
            schedulingClass: kind, rank: Int(try row.integer(Column.rank)),
            origin: GateReading(
                running: Int(try row.integer(Column.originRunning)),
                limit: try row.optionalInteger(Column.originLimit).map { Int($0) },
                notBefore: try row.finiteInstant(Column.originNotBefore)),
            sessionGate: GateReading(
                running: Int(try row.integer(Column.sessionRunning)),
                limit: try row.optionalInteger(Column.sessionLimit).map { Int($0) }))
        head.origin.outage = Outage(
            since: try row.instant(Column.originUnreachableSince),
            probeAt: try row.instant(Column.originProbeAt))
        head.app = try row.integer(Column.appNo)
        head.appName = try row.text(Column.app)
        head.originName = try row.get(Column.origin)
        if let vector = try row.get(Column.vector, as: String?.self) {
            head.facet = facet(vector)
        }
        head.laneFlags = LaneFlags(rawValue: try row.get(Column.laneFlags))
        head.dueBucket = try row.finiteInstant(Column.dueBucket)
        head.beginBucket = try row.finiteInstant(Column.beginBucket)
        head.largestNeed = try row.integer(Column.largestNeed)
        head.guardAt = try row.instant(Column.guardAt)
        head.isOverloaded = try row.optionalInteger(Column.fits) == 0
        head.appGate = GateReading(
            running: Int(try row.integer(Column.appRunning)),
            limit: try row.optionalInteger(Column.appLimit).map { Int($0) })
        if let limit = try row.optionalInteger(Column.connectionsLimit) {
            head.connections = GateReading(
                running: Int(try row.integer(Column.connections)), limit: Int(limit))
        }
        return head
    }
}
