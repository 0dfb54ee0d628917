// Knowledge about budgets: readings of their counters, and the paces of the present periods.
package import Base

/// The readings of the counters that a replica has; the claim decides by the counters themselves.
package struct BudgetBook: Equatable, Sendable {
    /// The most readings that are kept.
    package static let readingsAtMost = 4096

    private struct Name: Hashable {
        let owner: KeyText
        let name: KeyText

        init(_ owner: String, _ name: String) {
            (self.owner, self.name) = (KeyText(owner), KeyText(name))
        }
    }

    private var readings: [BudgetKey: BudgetReading] = [:]
    /// The last changed counters, an entry for each change, and the number of dropped earlier
    /// entries.
    private var changes: [BudgetKey] = []
    private var changesBefore = 0
    private static let changesAtMost = 1024
    private var periods: [Name: Range<Timestamp>] = [:]
    private var paces: [Name: BudgetPace] = [:]

    /// Creates a book without readings: every budget counts as untouched.
    package init() {}

    /// All readings.
    package var all: [(key: BudgetKey, reading: BudgetReading)] {
        readings.map { (key: $0.key, reading: $0.value) }
    }

    /// Takes readings; one of an older period than the known one is ignored.
    package mutating func take(_ others: [(key: BudgetKey, reading: BudgetReading)]) {
        for (key, reading) in others {
            if let known = readings[key], known.period.lowerBound > reading.period.lowerBound {
                continue
            }
            guard readings[key] != reading else { continue }
            readings[key] = reading
            note(key)
        }
        guard readings.count > BudgetBook.readingsAtMost else { return }
        forgetChanges()
        // A counter without a reading counts as untouched until the claim says more.
        readings = [:]
        for (key, reading) in others.prefix(BudgetBook.readingsAtMost) { readings[key] = reading }
    }

    private mutating func note(_ key: BudgetKey) {
        changes.append(key)
        guard changes.count > BudgetBook.changesAtMost else { return }
        let old = changes.count / 2
        changes.removeFirst(old)
        changesBefore += old
    }

    /// Notes that any counter may have changed.
    private mutating func forgetChanges() {
        changesBefore += changes.count + 1
        changes = []
    }

    /// The number of changes so far.
    var changeCount: Int { changesBefore + changes.count }

    /// The counters that changed after the change of this number; nil if any may have.
    func changed(since count: Int) -> Set<BudgetKey>? {
        guard count >= changesBefore, count <= changeCount else { return nil }
        return Set(changes.suffix(changeCount - count))
    }

    /// Computes the present periods and their paces anew if one is over or the policy has changed.
    package mutating func prepare(
        _ policy: Policy, zone: TimeZoneRules, at now: Timestamp, isNew: Bool = false
    ) {
        if isNew {
            periods = [:]
            paces = [:]
            forgetChanges()
        }
        let isOver = periods.isEmpty || !periods.values.allSatisfy { $0.contains(now) }
        guard policy.hasBudgets, isNew || isOver else { return }
        for budget in policy.budgets + policy.apps.values.flatMap(\.budgets) {
            let name = Name(budget.owner, budget.name)
            let period = budget.span(at: now, in: zone)
            guard periods[name] != period else { continue }
            periods[name] = period
            for key in readings.keys where Name(key.owner, key.budget) == name {
                note(key)
            }
            guard budget.isPaced else { continue }
            paces[name] = BudgetPace(of: budget, in: period, policy, zone: zone)
        }
    }

    /// The most counters that are shown.
    package static let shownAtMost = 100

    /// The bytes left of the present periods' budgets, the least first; a counter without a reading
    /// in its period is left out.
    package func left(
        under policy: Policy, zone: TimeZoneRules, at now: Timestamp
    ) -> [(key: BudgetKey, bytes: Int64)] {
        var found: [(key: BudgetKey, bytes: Int64)] = []
        for (key, reading) in readings {
            guard reading.period.contains(now),
                let budget = policy.budget(key.budget, owner: key.owner),
                budget.span(at: now, in: zone) == reading.period
            else { continue }
            found.append((key, max(0, budget.bytes - reading.used)))
        }
        found.sort {
            ($0.bytes, $0.key.budget, $0.key.value) < ($1.bytes, $1.key.budget, $1.key.value)
        }
        return Array(found.prefix(BudgetBook.shownAtMost))
    }

    /// The period of a budget at an instant, if known.
    func period(of budget: Budget, at now: Timestamp) -> Range<Timestamp>? {
        let period = periods[Name(budget.owner, budget.name)]
        return period?.contains(now) == true ? period : nil
    }

    /// The used bytes of a counter in a period.
    func used(_ key: BudgetKey, in period: Range<Timestamp>) -> Int64 {
        guard let reading = readings[key], reading.period == period else { return 0 }
        return reading.used
    }

    /// The pace of a budget in a period, if known.
    func pace(of budget: Budget, in period: Range<Timestamp>) -> BudgetPace? {
        let pace = paces[Name(budget.owner, budget.name)]
        return pace?.period == period ? pace : nil
    }
}
