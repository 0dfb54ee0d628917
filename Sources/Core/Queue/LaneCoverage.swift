// Which lanes need not be read again, because they are known.

/// How far the lanes of sessions are known: those before a mark are in the index, or are read by
/// their numbers.
///
/// A mark stays a minute behind, so that what was committed late lies before it; an entry that is
/// older than that is counted by the store, and ends all marks.
package struct LaneCoverage: Sendable {
    /// How far marks stay behind.
    package static let margin = Duration.seconds(60)
    /// At most so many sessions have a mark.
    package static let groupsAtMost = 256
    /// At most so many lanes are read by number; with more the marks end.
    package static let againAtMost = 4096
    /// A session gets a mark with so many lanes of a page that are closed.
    package static let closedAtLeast = 32

    /// How far the lanes of sessions are known.
    private(set) package var marks: [LaneCursor.Group: LaneCursor.Mark] = [:]
    /// Lanes before a mark that may have changed.
    private(set) package var again: Set<Int64> = []
    /// How often the store has seen an entry that was older than marks stay behind.
    private var lateEntries: Int64?
    /// Such an entry may not be visible yet: no marks until then.
    private var voidUntil = Timestamp.epoch

    /// Nothing is known yet.
    package init() {}

    /// Where a sweep begins.
    package var cursor: LaneCursor {
        var cursor = LaneCursor.start
        cursor.groups = marks
        cursor.again = again.sorted()
        return cursor
    }

    /// Everything is read again.
    package mutating func forget() {
        marks = [:]
        again = []
    }

    /// A lane is read by its number with the next sweep, where its session has a mark.
    package mutating func readAgain(_ head: LaneHead) {
        guard marks[LaneCoverage.group(of: head)] != nil else { return }
        again.insert(head.lane)
        if again.count > LaneCoverage.againAtMost { forget() }
    }

    /// Whether a lane is not read by the next sweep, neither from a mark on nor by its number.
    package func holds(_ head: LaneHead) -> Bool {
        marks[LaneCoverage.group(of: head)] != nil && !again.contains(head.lane)
    }

    /// Learns what a page has read.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - asked: the cursor from which it was read.
    ///   - now: the instant.
    ///   - isClosed: whether a lane of the page is closed by rules, and stays known.
    package mutating func take(
        _ page: LanePage, from asked: LaneCursor, at now: Timestamp,
        isClosed: (LaneHead) -> Bool
    ) {
        if let last = lateEntries, last != page.lateEntries {
            forget()
            voidUntil = now + LaneCoverage.margin
        }
        lateEntries = page.lateEntries
        for lane in asked.again.prefix(LaneCursor.againAtOnce) { again.remove(lane) }
        voidUntil = min(voidUntil, now + LaneCoverage.margin)
        guard now >= voidUntil else { return }
        var closed: [LaneCursor.Group: Int] = [:]
        for head in page.heads where isClosed(head) {
            closed[LaneCoverage.group(of: head), default: 0] += 1
        }
        let latest = LaneCursor.Mark(at: now - LaneCoverage.margin, number: .max)
        for (group, mark) in page.covered {
            let old = marks[group]
            guard old != nil || closed[group] ?? 0 >= LaneCoverage.closedAtLeast,
                old != nil || marks.count < LaneCoverage.groupsAtMost
            else { continue }
            // What lies between the old mark and the place where the page began was not read.
            if let begin = asked.groups[group] {
                guard let old, !begin.isBehind(old) else { continue }
            }
            let new = mark.isBehind(latest) ? latest : mark
            if old.map({ new.isBehind($0) }) ?? true { marks[group] = new }
        }
        for head in page.heads where !isClosed(head) { readAgain(head) }
    }

    private static func group(of head: LaneHead) -> LaneCursor.Group {
        LaneCursor.Group(head.schedulingClass, session: head.sessionKey)
    }
}

extension LaneCursor.Mark {
    /// Whether it comes after another one.
    func isBehind(_ other: LaneCursor.Mark) -> Bool {
        (at, number) > (other.at, other.number)
    }
}
