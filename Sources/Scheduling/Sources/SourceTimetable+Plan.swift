// When the timetable of a source begins, and when it is handled next.
package import Base

extension SourceTimetable {
    /// Begins the schedule of a document.
    ///
    /// - Parameters:
    ///   - spec: the document.
    ///   - identifier: the source's name.
    ///   - now: the instant of the PUT or PATCH that gave the schedule.
    package mutating func plan(_ spec: SourceSpec, of identifier: String, at now: Timestamp) {
        let anchor = Timestamp(seconds: now.seconds)
        let (schedule, learned) = (spec.schedule, self.learned)
        plan(
            { schedule.next(after: $0, anchor: anchor, learned: learned, name: identifier)?.at },
            looksAtOnce: schedule.looksAtOnce(at: anchor), at: anchor)
    }

    /// The schedule of a document in this state.
    ///
    /// - Parameters:
    ///   - spec: the document.
    ///   - identifier: the source's name.
    /// - Returns: the schedule; a learned interval counts from the last look.
    package func schedule(of spec: SourceSpec, _ identifier: String) -> Schedule {
        let (schedule, learned) = (spec.schedule, self.learned)
        guard schedule.isLearned else {
            let anchor = self.anchor
            return { schedule.next(after: $0, anchor: anchor, name: identifier)?.at }
        }
        let (anchor, quiet) = (begunAt ?? self.anchor, self.quiet)
        return {
            schedule.next(after: $0, anchor: anchor, learned: learned, name: identifier)
                .map { quiet.end(from: $0.at) }
        }
    }

    /// The time of the next turn, for a state that did not come out of one; nil for none.
    package func turnAt(after now: Timestamp) -> Timestamp? {
        guard !isSuspended else { return nil }
        guard queuedAt == nil || running != nil, passedUntil == nil else { return now }
        return [nextAt, askedAt].compactMap(\.self).min()
    }
}

extension LookSchedule {
    /// Whether its interval is learned.
    package var isLearned: Bool { rule == .auto }

    /// Whether a source looks as soon as it has the schedule, as it does with an interval.
    package func looksAtOnce(at now: Timestamp) -> Bool {
        if case .cron = rule { return false }
        return (from ?? now) <= now && now <= (until ?? now)
    }
}
