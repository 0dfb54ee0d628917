// What is known of lanes: in the index all of them, in the directory those that are to be asked.

extension Conductor {
    /// So many lanes are taken from the index at once.
    static let lanesAtOnce = 256

    /// The facts at an instant.
    mutating func situation(at now: Timestamp) -> Situation {
        Situation(
            now: now, policy: policy, zone: zone, disk: disk, conditions: conditions,
            learned: learned, budgets: budgets, network: network.outage,
            windows: windows.states(of: policy, at: now, in: zone))
    }

    /// Takes the lanes of a page in; what is closed is in the index alone.
    mutating func enter(_ page: LanePage, isFirst: Bool, at now: Timestamp) {
        let situation = situation(at: now)
        index.advance(to: situation)
        if index.count + page.heads.count > LaneIndex.lanesAtMost {
            giveBackLanes()
            index.removeAll()
            coverage.forget()
        }
        var open = page
        open.heads = []
        for head in page.heads {
            if index.enter(head, isOut: true) {
                open.heads.append(head)
            } else {
                directory.drop(head.lane)
            }
        }
        let count = directory.lanes.count + open.heads.count
        if isFirst || count > LaneDirectory.lanesAtMost {
            release(but: Set(open.heads.map(\.lane)))
        }
        directory.take(open, isFirst: isFirst)
        let index = index
        let directory = directory
        coverage.take(page, from: cursor, at: now) { head in
            index.has(head.lane) && directory.lanes[head.lane] == nil
        }
    }

    /// No lane is to be asked.
    mutating func giveBackLanes() {
        release(but: [])
        directory.forget()
    }

    /// Lanes are not asked any more: those that the next sweep reads are forgotten, because others
    /// may have emptied them.
    private mutating func release(but kept: Set<Int64>) {
        for head in directory.lanes.values where !kept.contains(head.lane) {
            if coverage.holds(head) { index.giveBack(head.lane) } else { index.remove(head.lane) }
        }
    }

    /// A lane has given nothing or less than it should: it is read again before it is asked.
    mutating func drop(_ lane: Int64) {
        if let head = directory.lanes[lane] { coverage.readAgain(head) }
        directory.drop(lane)
        index.remove(lane)
    }
}
