// A look at the lanes that are due, in pages that are short enough to need several.
import Base
import Downloads
import Scheduling

extension ModelStore {
    private static let appsAtOnce = 2
    private static let groupsAtOnce = 2
    private static let lanesAtOnce = 2

    /// The time before they are due at which lanes are read.
    private static let ahead = Duration.seconds(900)

    /// The answer to a look: a page of the sweep, changes, and lanes by their numbers.
    func look(from cursor: LaneCursor, at now: Timestamp) -> LanePage {
        var page =
            cursor.readsChangesOnly
            ? LanePage(heads: [], running: running[.deployment, default: 0])
            : sweep(from: cursor, at: now)
        page.nextDue = lanes.compactMap(\.nextAt).filter { $0 > now }.min()
        page.changePosition = LaneChangePosition(seen: "\(changes)")
        var known = Set(page.heads.map(\.lane))
        let seen = cursor.changePosition.flatMap { Int($0.seen) } ?? .max
        for lane in lanes {
            guard lane.nextAt.map({ $0 <= now + ModelStore.ahead }) ?? false,
                lane.changed > seen
                    || cursor.again.contains(lane.number), known.insert(lane.number).inserted
            else { continue }
            page.heads.append(head(lane))
        }
        return page
    }

    /// Makes a page like `lull_lanes` and the store's reading of it.
    private func sweep(from cursor: LaneCursor, at now: Timestamp) -> LanePage {
        var page = Page(cursor: cursor)
        var lastApp: Int64?
        for kind in SchedulingClass.allCases {
            let due = lanes.filter { lane in
                lane.key.schedulingClass == kind
                    && (lane.nextAt.map { $0 <= now + ModelStore.ahead } ?? false)
            }
            let apps = Set(due.map(\.key.app)).filter { $0 > cursor.app }.sorted()
            let listed = apps.prefix(ModelStore.appsAtOnce)
            if apps.count > listed.count, let last = listed.last {
                lastApp = min(lastApp ?? last, last)
            }
            for app in listed {
                read(due.filter { $0.key.app == app }, .init(kind, app: app), into: &page)
            }
        }
        page.next.endPage(next: lastApp ?? 0, read: page.read)
        let isOver = page.next == .start || mutant == .lookForgetsTheRest
        return LanePage(
            heads: page.heads, next: isOver ? nil : page.next,
            running: running[.deployment, default: 0])
    }

    /// The contents of a page so far.
    private struct Page {
        let cursor: LaneCursor
        var next: LaneCursor
        var heads: [LaneHead] = []
        var read: Set<LaneCursor.AppClass> = []

        init(cursor: LaneCursor) {
            self.cursor = cursor
            next = cursor
        }
    }

    private func read(_ due: [Lane], _ place: LaneCursor.AppClass, into page: inout Page) {
        let behind = page.cursor.apps[place]
        let sessions = Set(due.map(\.key.session)).map { session in
            let at = due.filter { $0.key.session == session }.compactMap(\.nextAt).min()
            return LaneCursor.Mark(at: at ?? .epoch, number: session)
        }.filter { ModelStore.isBehind($0, behind) }.sorted(by: ModelStore.isBefore)
        let listed = sessions.prefix(ModelStore.groupsAtOnce)
        guard let last = listed.last else { return }
        page.read.insert(place)
        page.next.pass(place, to: last, hasMore: sessions.count > listed.count)
        for session in listed {
            let group = LaneCursor.Group(place.schedulingClass, session: session.number)
            let mark = page.cursor.groups[group]
            let own = due.filter { $0.key.session == session.number }.filter {
                ModelStore.isBehind(.init(at: $0.nextAt ?? .epoch, number: $0.number), mark)
            }.sorted { ($0.nextAt ?? .epoch, $0.number) < ($1.nextAt ?? .epoch, $1.number) }
            let shown = own.prefix(ModelStore.lanesAtOnce)
            let lastLane = shown.last.map {
                LaneCursor.Mark(at: $0.nextAt ?? .epoch, number: $0.number)
            }
            page.next.pass(group, to: lastLane, hasMore: own.count > shown.count)
            page.heads += shown.map(head)
        }
    }

    private func head(_ lane: Lane) -> LaneHead {
        let key = lane.key
        var head = LaneHead(
            lane: lane.number, runAt: lane.nextAt ?? .epoch, sessionKey: key.session,
            session: "s\(key.session)", originKey: key.origin,
            schedulingClass: key.schedulingClass, rank: Int(key.rank),
            origin: GateReading(
                running: running[.origin(key.origin), default: 0],
                notBefore: notBefore[key.origin]),
            sessionGate: GateReading(running: running[.session(key.session), default: 0]))
        if let outage = outages[key.origin] {
            head.origin.outage = Outage(since: outage.since, probeAt: outage.probeAt)
        }
        head.app = key.app
        head.appName = "a\(key.app)"
        head.appGate = GateReading(running: running[.app(key.app), default: 0])
        return head
    }

    private static func isBefore(_ left: LaneCursor.Mark, _ right: LaneCursor.Mark) -> Bool {
        (left.at, left.number) < (right.at, right.number)
    }

    private static func isBehind(_ mark: LaneCursor.Mark, _ other: LaneCursor.Mark?) -> Bool {
        other.map { isBefore($0, mark) } ?? true
    }
}
