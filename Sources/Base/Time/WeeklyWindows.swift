// Weekly windows in which downloads may begin: a union of spans.

/// A named window of a policy: open while any of its lines is.
///
/// A window belongs to the day on which it begins. Its edges are local times, and a change of the
/// clocks never divides it: an edge at a skipped time is at the skip; at a time that the clocks
/// show twice, the window begins at the first and ends at the last. So a night of 22:00 to 06:00 is
/// an hour shorter in spring and an hour longer in autumn. A window within the skipped hour opens
/// at the skip, for its length.
package struct WeeklyWindows: Hashable, Sendable {
    /// The lines, at least one.
    package let windows: [TimeWindow]
    private let isAlwaysOpen: Bool

    /// Creates the union of windows.
    ///
    /// - Parameter windows: at least one; they may overlap.
    package init(_ windows: [TimeWindow]) {
        precondition(!windows.isEmpty, "a window that never opens is a mistake")
        self.windows = windows
        isAlwaysOpen = WeeklyWindows.coversWeek(windows)
    }

    /// Reads the lines of a named window.
    ///
    /// - Parameter lines: 1 to 64 texts as `TimeWindow.init(parsing:)` reads them.
    /// - Throws: `WindowError` for the first bad line.
    package init(parsing lines: [String]) throws(WindowError) {
        guard !lines.isEmpty else {
            throw WindowError(text: "", position: 0, reason: "at least one window is needed")
        }
        guard lines.count <= 64 else {
            throw WindowError(
                text: lines[64], position: 0, reason: "more than 64 windows are not allowed")
        }
        var windows: [TimeWindow] = []
        for line in lines { windows.append(try TimeWindow(parsing: line)) }
        self.init(windows)
    }

    /// Whether the windows are open at an instant, and when that changes.
    ///
    /// - Parameters:
    ///   - now: the instant; a window is open at its first instant and closed at its last.
    ///   - zone: the time zone of the windows.
    /// - Returns: the state and its edges; it holds until the edge that it names.
    package func state(at now: Timestamp, in zone: TimeZoneRules) -> WindowState {
        guard !isAlwaysOpen else { return .open(until: nil) }
        let today = zone.civil(at: now).date.daysSinceEpoch
        // A few days are mostly enough; more are needed for windows that are open for many days.
        for reach in [2, 9, 30] {
            let spans = spans(onDays: today - reach...today + reach, in: zone)
            if let open = spans.first(where: { $0.start <= now && now < $0.end }) {
                if open != spans.last { return .open(until: open.end) }
                continue
            }
            let last = spans.last { $0.end <= now }
            let next = spans.first { now < $0.start }
            if let last, let next { return .closed(since: last.end, until: next.start) }
        }
        // Reached only if the zone has no such hour for a month; the answer is to look again in a
        // day.
        let spans = spans(onDays: today - 30...today + 30, in: zone)
        if let open = spans.first(where: { $0.start <= now && now < $0.end }) {
            return .open(until: open.end)
        }
        return .closed(
            since: spans.last { $0.end <= now }?.end, until: spans.first { now < $0.start }?.start)
    }

    /// The times at which the windows are open, merged and in order.
    private func spans(onDays days: ClosedRange<Int>, in zone: TimeZoneRules) -> [Span] {
        var spans: [Span] = []
        for number in days {
            let weekday = CivilDate.weekday(daysSinceEpoch: number)
            for window in windows where window.days.contains(weekday) {
                let start = zone.instants(of: civil(number, window.startMinute)).earliest
                var end = zone.instants(of: civil(number, window.endMinute)).latest
                if end <= start { end = start + .seconds(window.lengthInMinutes * 60) }
                spans.append(Span(start: start, end: end))
            }
        }
        spans.sort { $0.start < $1.start }
        var merged: [Span] = []
        for span in spans {
            if let last = merged.last, span.start <= last.end {
                merged[merged.count - 1].end = max(last.end, span.end)
            } else {
                merged.append(span)
            }
        }
        return merged
    }

    private struct Span: Equatable {
        var start: Timestamp
        var end: Timestamp
    }

    private func civil(_ day: Int, _ minute: Int) -> CivilTime {
        CivilTime(
            date: CivilDate(daysSinceEpoch: day + minute / 1440),
            secondOfDay: minute % 1440 * 60)
    }

    /// Whether the windows cover every minute of the week.
    private static func coversWeek(_ windows: [TimeWindow]) -> Bool {
        var spans: [(start: Int, end: Int)] = []
        for window in windows {
            for day in window.days {
                let start = day.rawValue * 1440 + window.startMinute
                // Added for two weeks, so that a Sunday night covers Monday morning.
                spans.append((start, start + window.lengthInMinutes))
                spans.append((start - 10_080, start - 10_080 + window.lengthInMinutes))
            }
        }
        spans.sort { $0.start < $1.start }
        var covered = 0
        for span in spans where span.start <= covered { covered = max(covered, span.end) }
        return covered >= 10_080
    }
}
