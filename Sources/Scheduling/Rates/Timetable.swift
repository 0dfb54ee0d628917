// The rate at each time of the week: rclone's bandwidth timetable, in the policy's time zone.
package import Base

/// Rates that change by local time; the latest change is in force.
///
/// A change at a time that the clocks skip is made at the skip, a further one as much later as the
/// timetable says; a change at a time that the clocks show twice is made at the first.
package struct Timetable: Hashable, Sendable {
    /// A change of the rate.
    struct Change: Hashable, Sendable {
        /// Minutes after Monday's midnight, 0 to 10079.
        let minute: Int
        let rate: ByteRate
    }

    /// The changes in the order of the week, at least one.
    let changes: [Change]

    init(changes: [Change]) {
        precondition(!changes.isEmpty, "a timetable says at least one rate")
        self.changes = changes.sorted { $0.minute < $1.minute }
    }

    /// A timetable with one rate at all times.
    package static func always(_ rate: ByteRate) -> Timetable {
        Timetable(changes: [Change(minute: 0, rate: rate)])
    }

    /// Whether the rate is 0 at some time.
    package var canStop: Bool { changes.contains { $0.rate.isStopped } }

    /// The rate at an instant, with the begin and the end of its span.
    ///
    /// - Parameters:
    ///   - now: the instant; a change holds from its first microsecond on.
    ///   - zone: the time zone of the timetable.
    /// - Returns: the rate; `since` and `until` are nil for one that never changes.
    package func state(at now: Timestamp, in zone: TimeZoneRules) -> RateState {
        guard let first = changes.first, changes.contains(where: { $0.rate != first.rate }) else {
            return RateState(rate: changes[0].rate, since: nil, until: nil)
        }
        let today = zone.civil(at: now).date.daysSinceEpoch
        // A week and a day in both directions, and one more for zones that moved across the date
        // line.
        let instants = instants(onDays: today - 9...today + 9, in: zone)
        var state = RateState(rate: instants[0].rate, since: nil, until: nil)
        for (instant, rate) in instants where rate != state.rate {
            guard instant <= now else {
                return RateState(rate: state.rate, since: state.since, until: instant)
            }
            state = RateState(rate: rate, since: instant, until: nil)
        }
        return state
    }

    /// The instants of all changes on some days, in order, each once.
    private func instants(
        onDays days: ClosedRange<Int>, in zone: TimeZoneRules
    ) -> [(instant: Timestamp, rate: ByteRate)] {
        var found: [(instant: Timestamp, rate: ByteRate)] = []
        // The first change in a skipped time.
        var jump: (at: Timestamp, second: Int64)?
        for day in days {
            let weekday = CivilDate.weekday(daysSinceEpoch: day).rawValue
            for change in changes where change.minute / 1440 == weekday {
                let local = CivilTime(
                    date: CivilDate(daysSinceEpoch: day), secondOfDay: change.minute % 1440 * 60)
                let place = zone.instants(of: local)
                var instant = place.earliest
                if case .gap(let at) = place {
                    if jump?.at != at { jump = (at, local.secondsSinceEpoch) }
                    instant += .seconds(local.secondsSinceEpoch - (jump?.second ?? 0))
                }
                // Of two changes at one instant the later one of the timetable counts.
                while let last = found.last, last.instant >= instant { found.removeLast() }
                found.append((instant, change.rate))
            }
        }
        return found
    }
}
