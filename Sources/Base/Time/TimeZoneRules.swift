// The offsets of a time zone, in the past and for the years to come.

/// The offsets of a time zone over time.
package struct TimeZoneRules: Hashable, Sendable {
    /// Seconds since 1970 at which the offset changes, rising.
    private let transitions: [Int64]
    /// The offset that each transition begins.
    private let offsets: [Int]
    /// The offset before the first transition, or always.
    private let firstOffset: Int
    /// The rule after the last transition.
    private let rule: PosixTimeZone?

    init(transitions: [Int64], offsets: [Int], firstOffset: Int, rule: PosixTimeZone?) {
        self.transitions = transitions
        self.offsets = offsets
        self.firstOffset = firstOffset
        self.rule = rule
    }

    /// The zone of a POSIX rule; see tzset(3).
    ///
    /// - Parameter text: such as `CET-1CEST,M3.5.0,M10.5.0/3` or `EST5`.
    /// - Throws: `TimeZoneError` for a text that is no such rule.
    package init(posix text: String) throws(TimeZoneError) {
        let rule = try PosixTimeZone(parsing: text)
        self.init(transitions: [], offsets: [], firstOffset: rule.standardOffset, rule: rule)
    }

    /// Coordinated Universal Time.
    package static let utc = fixed(offset: 0)

    /// A zone with a constant offset.
    ///
    /// - Parameter offset: seconds east of Greenwich, less than a day either way.
    /// - Returns: the rules.
    package static func fixed(offset: Int) -> TimeZoneRules {
        precondition(offset.magnitude < 86_400, "an offset is less than a day")
        return TimeZoneRules(transitions: [], offsets: [], firstOffset: offset, rule: nil)
    }

    /// The offset at an instant, in seconds east of Greenwich.
    ///
    /// - Complexity: O(log n) in the number of changes in the table.
    package func offset(at instant: Timestamp) -> Int { offset(at: instant.seconds) }

    /// The local time at an instant.
    package func civil(at instant: Timestamp) -> CivilTime {
        instant.civil(offset: offset(at: instant))
    }

    /// The instants of a local time.
    ///
    /// - Parameter local: what the clocks show; fractions of a second do not matter here.
    /// - Returns: one instant, two when the clocks were put back over it, or the instant of the
    ///   change when they were put forward over it.
    package func instants(of local: CivilTime) -> LocalInstants {
        let reading = local.secondsSinceEpoch
        // Offsets are less than a day, with a margin for zones that moved across the date line.
        let changes = changes(from: reading - 93_600, through: reading + 93_600)
        var found: [Int64] = []
        var offset = offset(at: reading - 93_601)
        var since = Int64.min
        for (at, next) in changes + [(at: Int64.max, offset: 0)] {
            let candidate = reading - Int64(offset)
            if candidate >= since, candidate < at { found.append(candidate) }
            // Before the change the clocks have not reached the time, after it they are past it.
            if at != .max, at + Int64(offset) <= reading, reading < at + Int64(next) {
                return .gap(Timestamp(seconds: at))
            }
            since = at
            offset = next
        }
        guard let first = found.first, let last = found.last, first != last else {
            return .one(Timestamp(seconds: found.first ?? reading))
        }
        return .two(Timestamp(seconds: first), Timestamp(seconds: last))
    }

    /// The first change of the offset in a span.
    ///
    /// - Parameters:
    ///   - start: the change is later.
    ///   - end: the last instant of the span, less than a year later.
    /// - Returns: the instant from which another offset counts.
    func firstChange(after start: Timestamp, through end: Timestamp) -> Timestamp? {
        changes(from: start.seconds + 1, through: end.seconds).first.map {
            Timestamp(seconds: $0.at)
        }
    }

    private func offset(at second: Int64) -> Int {
        let position = index(after: second)
        if position == transitions.count, let rule { return rule.offset(at: second) }
        return position == 0 ? firstOffset : offsets[position - 1]
    }

    /// All changes in a span of seconds that is short against a year.
    private func changes(from start: Int64, through end: Int64) -> [(at: Int64, offset: Int)] {
        var found: [(at: Int64, offset: Int)] = []
        var position = index(after: start - 1)
        while position < transitions.count, transitions[position] <= end {
            found.append((transitions[position], offsets[position]))
            position += 1
        }
        guard let rule, position == transitions.count else { return found }
        let earliest = max(start, (transitions.last ?? .min + 1) + 1)
        let years = [start, end].map { CivilTime(secondsSinceEpoch: $0).date.year }
        // A change in the neighbouring year may fall into this one by UTC.
        for year in years[0] - 1...years[1] + 1 {
            for change in rule.changes(in: year) where change.at >= earliest && change.at <= end {
                // All-year summer time ends and begins at one instant, where the later change
                // counts.
                if found.last?.at == change.at { found.removeLast() }
                found.append(change)
            }
        }
        return found
    }

    /// The number of transitions at or before a second.
    private func index(after second: Int64) -> Int {
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
