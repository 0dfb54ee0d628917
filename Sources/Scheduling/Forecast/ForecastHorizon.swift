// The facts of the next hours that are known already: windows, rates, budgets.
package import Base
internal import Downloads

/// Openings of windows, changes of the deployment's rate, and the bytes left of budgets.
package struct ForecastHorizon: Equatable, Sendable {
    /// A span in which a window is open.
    struct Opening: Equatable {
        let name: String
        let from: Timestamp
        /// The end; nil for none that is known.
        let until: Timestamp?
    }

    /// The rate of all downloads together from an instant on.
    struct Step: Equatable {
        let from: Timestamp
        let rate: ByteRate
    }

    /// The bytes of a budget that are left at an instant: now, or at the begin of a period.
    struct Allowance: Equatable {
        let name: String
        let from: Timestamp
        let left: Int64
    }

    /// The most entries of each list.
    private static let entriesAtMost = 500

    /// The openings of all windows, in the order of the policy.
    private(set) var windows: [Opening] = []
    /// The rate now, and each change of it.
    private(set) var bandwidth: [Step] = []
    /// Each budget now, and at each begin of a period.
    private(set) var budgets: [Allowance] = []

    /// Looks ahead.
    ///
    /// - Parameters:
    ///   - situation: the facts at the present instant.
    ///   - end: the instant up to which it looks.
    ///   - app: the name of an app; its windows and budgets are included.
    package init(_ situation: Situation, until end: Timestamp, app: String) {
        let (policy, zone, now) = (situation.policy, situation.zone, situation.now)
        let prefix = app + "/"
        let own = policy.appWindows.map { (name: $0.key.text, hours: $0.value) }
            .filter { $0.name.hasPrefix(prefix) }.sorted { $0.name < $1.name }
        for window in policy.windows + own {
            var instant = now
            while instant < end, windows.count < ForecastHorizon.entriesAtMost {
                switch window.hours.state(at: instant, in: zone) {
                case .open(let until):
                    windows.append(Opening(name: window.name, from: instant, until: until))
                    instant = until ?? end
                case .closed(_, let until): instant = until ?? end
                }
            }
        }
        if let timetable = policy.bandwidth.deployment {
            var instant: Timestamp? = now
            while let from = instant, from < end, bandwidth.count < ForecastHorizon.entriesAtMost {
                let state = timetable.state(at: from, in: zone)
                bandwidth.append(Step(from: from, rate: state.rate))
                instant = state.until
            }
        }
        let all = policy.budgets + (policy.apps[KeyText(app)]?.budgets ?? [])
        for budget in all where budget.scope == .deployment || budget.scope == .app {
            let key = BudgetKey(
                owner: budget.owner, budget: budget.name,
                value: budget.scope == .app ? app : "")
            var from = now
            while from < end, budgets.count < ForecastHorizon.entriesAtMost {
                let span = budget.span(at: from, in: zone)
                let used = from == now ? situation.budgets.used(key, in: span) : 0
                budgets.append(
                    Allowance(name: budget.name, from: from, left: max(0, budget.bytes - used)))
                from = span.upperBound
            }
        }
    }

    /// Writes the members `windows`, `bandwidth` and `budgets`.
    package func write(to writer: inout JSONWriter) {
        writer.key("windows")
        writer.beginArray()
        for opening in windows {
            writer.beginObject()
            writer.member("name", opening.name)
            writer.member("from", opening.from)
            writer.member("until", opening.until)
            writer.endObject()
        }
        writer.endArray()
        writer.key("bandwidth")
        writer.beginArray()
        for step in bandwidth {
            writer.beginObject()
            writer.member("from", step.from)
            writer.member("bytes_per_second", step.rate.bytesPerSecond)
            writer.endObject()
        }
        writer.endArray()
        writer.key("budgets")
        writer.beginArray()
        for allowance in budgets {
            writer.beginObject()
            writer.member("name", allowance.name)
            writer.member("from", allowance.from)
            writer.member("left", allowance.left)
            writer.endObject()
        }
        writer.endArray()
    }
}
