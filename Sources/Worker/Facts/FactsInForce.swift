// The facts by which downloads are scheduled and explained: one copy for the worker and the API.
package import Base
package import Downloads
package import Scheduling
internal import Synchronization

/// The policy and the conditions in force in this process.
///
/// The conductor gets equal values by events, so every change here is passed on to it.
package final class FactsInForce: Sendable {
    private struct State {
        var policy: Policy { didSet { shared = nil } }
        var zone: TimeZoneRules { didSet { shared = nil } }
        var policyVersion: Int64 = 0
        var conditions: ConditionBook { didSet { shared = nil } }
        /// The newest version of which all conditions were read.
        var readVersion: Int64 = 0
        /// Newer versions of single conditions, from pushes at this replica.
        var pushedVersions: [String: Int64] = [:]
        var learned = LearnedFacts() { didSet { shared = nil } }
        var history: FactsHistory
        /// The time at which conditions were noted the last time without a change.
        var notedAt = Timestamp.epoch
        var calibration = ForecastCalibration()
        var budgets = BudgetBook()
        var own: (number: Int64, node: String) = (0, "")
        var others: [ReplicaReadings] = [] { didSet { shared = nil } }
        var network: Outage? { didSet { shared = nil } }
        /// The facts of the last question; nil once one of them has changed.
        var shared: SharedFacts?
    }

    private let state: Mutex<State>

    /// Creates the facts at the start, without values of conditions.
    ///
    /// - Parameters:
    ///   - policy: the one in force.
    ///   - zone: its zone.
    ///   - now: the instant.
    ///   - history: what was true before; nil where that is not known.
    package init(
        _ policy: Policy, _ zone: TimeZoneRules, at now: Timestamp, history: FactsHistory? = nil
    ) {
        state = Mutex(
            State(
                policy: policy, zone: zone, conditions: ConditionBook(policy, at: now),
                history: history ?? FactsHistory(policy, zone, at: now)))
    }

    /// All facts at an instant.
    ///
    /// The value of the last question is returned while nothing has changed. With paced budgets,
    /// which change with the time, facts are computed for each question.
    ///
    /// - Parameters:
    ///   - now: the instant.
    ///   - isDraining: whether the service is about to stop.
    ///   - disk: the volume of the content; nil if it was not read yet.
    /// - Returns: the facts at the instant.
    package func situation(
        at now: Timestamp, isDraining: Bool, disk: DiskReading?
    ) -> Situation {
        let facts = state.withLock { state in
            if let known = state.shared, known.value.isDraining == isDraining,
                known.value.disk == disk
            {
                return known
            }
            let made = SharedFacts(
                SituationFacts(
                    policy: state.policy, zone: state.zone, isDraining: isDraining, disk: disk,
                    conditions: state.conditions, learned: state.learned,
                    budgets: FactsInForce.budgets(of: &state, at: now), network: state.network,
                    others: state.others))
            if !state.policy.hasBudgets { state.shared = made }
            return made
        }
        return Situation(now: now, facts: facts)
    }

    /// The policy and its zone.
    package var policy: (Policy, TimeZoneRules) { state.withLock { ($0.policy, $0.zone) } }

    /// The version of the newest policy that was taken; 0 for the policy of the start.
    package var policyVersion: Int64 { state.withLock { $0.policyVersion } }

    /// The values of conditions.
    package var conditions: ConditionBook { state.withLock { $0.conditions } }

    /// The learned rates, sizes and progress.
    package var learned: LearnedFacts { state.withLock { $0.learned } }

    /// The corrections of forecasts, from the results of earlier ones.
    package var calibration: ForecastCalibration { state.withLock { $0.calibration } }

    /// Takes new corrections of forecasts.
    func take(_ calibration: ForecastCalibration) {
        state.withLock { $0.calibration = calibration }
    }

    /// The facts of the last days.
    package var history: FactsHistory {
        state.withLock { state in
            var history = state.history
            history.learned = state.learned
            return history
        }
    }

    /// Notes a reading of the volume.
    func note(_ disk: DiskReading, at now: Timestamp) {
        state.withLock { $0.history.note(disk, at: now) }
    }

    /// The outage of this machine's network; nil while it is reached.
    package var network: Outage? { state.withLock { $0.network } }

    /// Notes the outage of the network, or its end.
    func take(network: Outage?, at now: Timestamp) {
        state.withLock { state in
            state.network = network
            state.history.note(network, of: nil, at: now)
        }
    }

    /// The number of unreachable origins, as this replica's looks saw them last.
    package func unreachableOrigins(at now: Timestamp) -> Int {
        state.withLock { $0.history.unreachableOrigins(at: now) }
    }

    /// Whether an origin asks an app for no requests, or is not reached, as this replica's looks
    /// saw it last.
    package func isHeldBack(_ origin: Int64, for app: Int64, at now: Timestamp) -> Bool {
        state.withLock {
            $0.history.isHeldBack(FactsHistory.Pushed(origin: origin, app: app), at: now)
        }
    }

    /// Notes the pauses and outages of origins on a page of lanes.
    func note(_ page: LanePage, at now: Timestamp) {
        let cooling = page.heads.compactMap { head in
            head.origin.notBefore.flatMap { until in
                until > now
                    ? (FactsHistory.Pushed(origin: head.originKey, app: head.app), until) : nil
            }
        }
        state.withLock { state in
            state.history.note(outagesOf: page.heads, at: now)
            for (pushed, until) in cooling {
                state.history.note(pushback: until, of: pushed, at: now)
            }
        }
    }

    /// Notes which gates became full or not full.
    func note(_ changes: [GateChange], at now: Timestamp) {
        state.withLock { $0.history.note(changes, at: now) }
    }

    /// Notes changes that come with time: an expired value, or a comparison that has held for its
    /// time.
    ///
    /// A change has its own instant, so one call a second is enough.
    package func noteConditions(at now: Timestamp) {
        state.withLock { state in
            guard state.history.hasRules, abs((now - state.notedAt).wholeMilliseconds) >= 1000
            else {
                return
            }
            state.notedAt = now
            state.history.note(state.conditions, at: now)
        }
    }

    /// Takes learned values.
    package func take(_ learned: LearnedFacts) { state.withLock { $0.learned = learned } }

    /// The readings of budgets, with the paces of the present periods.
    package func budgets(at now: Timestamp) -> BudgetBook {
        state.withLock { FactsInForce.budgets(of: &$0, at: now) }
    }

    private static func budgets(of state: inout State, at now: Timestamp) -> BudgetBook {
        guard state.policy.hasBudgets else { return BudgetBook() }
        state.budgets.prepare(state.policy, zone: state.zone, at: now)
        return state.budgets
    }

    /// Takes readings of budgets.
    package func take(budgets readings: [(key: BudgetKey, reading: BudgetReading)]) {
        state.withLock { $0.budgets.take(readings) }
    }

    /// The measurements of this replica.
    package func readings(at now: Timestamp) -> ReplicaReadings {
        let (book, own) = state.withLock { ($0.conditions, $0.own) }
        return ReplicaReadings(book, number: own.number, node: own.node, at: now)
    }

    /// Takes the list of replicas: the number and name of this one, and the others' measurements.
    func take(own: (number: Int64, node: String)?, others: [ReplicaReadings]) {
        state.withLock { state in
            if let own { state.own = own }
            state.others = others
        }
    }

    /// Takes a newer policy; an older one that arrives late changes nothing.
    ///
    /// - Returns: whether it is in force now.
    package func replace(
        _ policy: Policy, _ zone: TimeZoneRules, version: Int64, at now: Timestamp
    ) -> Bool {
        state.withLock { state in
            guard version > state.policyVersion else { return false }
            FactsInForce.take(policy, zone, version, into: &state, at: now)
            return true
        }
    }

    /// Takes the policy that the current or newer documents make under changed settings.
    ///
    /// - Returns: whether it is in force now: a newer policy is kept.
    package func reread(
        _ policy: Policy, _ zone: TimeZoneRules, version: Int64, at now: Timestamp
    ) -> Bool {
        state.withLock { state in
            guard version >= state.policyVersion else { return false }
            FactsInForce.take(policy, zone, version, into: &state, at: now)
            return true
        }
    }

    private static func take(
        _ policy: Policy, _ zone: TimeZoneRules, _ version: Int64, into state: inout State,
        at now: Timestamp
    ) {
        (state.policy, state.zone, state.policyVersion) = (policy, zone, version)
        state.conditions.take(policy, at: now)
        state.history.take(policy, zone, at: now)
        state.history.note(state.conditions, at: now)
        state.budgets.prepare(policy, zone: zone, at: now, isNew: true)
    }

    /// Takes a calendar of booked hours.
    func take(_ calendar: BookingCalendar) { state.withLock { $0.conditions.take(calendar) } }

    /// Takes a condition that was pushed here; nil for its removal.
    ///
    /// An older version than the known one of the condition is ignored, because answers and reads
    /// may come in another order than the writes.
    ///
    /// - Parameters:
    ///   - push: the value.
    ///   - name: the condition.
    ///   - version: the version that has it.
    ///   - now: the instant.
    package func take(
        _ push: ConditionPush?, of name: String, version: Int64, at now: Timestamp
    ) {
        state.withLock { state in
            guard version > max(state.readVersion, state.pushedVersions[name] ?? 0) else { return }
            state.pushedVersions[name] = version
            state.conditions.take(push, of: name, at: now)
            state.history.note(state.conditions, at: now)
        }
    }

    /// Takes all pushed conditions: a name that is left out was removed.
    ///
    /// - Parameters:
    ///   - pushed: the values by name.
    ///   - version: the version that was read; a condition that was pushed here since then keeps
    ///     its value.
    ///   - now: the instant.
    /// - Returns: whether anything changed.
    package func take(
        pushed: [(name: String, push: ConditionPush)], of version: Int64, at now: Timestamp
    ) -> Bool {
        state.withLock { state in
            guard version >= state.readVersion else { return false }
            state.readVersion = version
            state.pushedVersions = state.pushedVersions.filter { $0.value > version }
            let names = Set(pushed.map(\.name)).union(state.pushedVersions.keys)
            var isChanged = false
            for name in state.conditions.names where !names.contains(name) {
                if state.conditions.take(nil, of: name, at: now) { isChanged = true }
            }
            for (name, push) in pushed where state.pushedVersions[name] == nil {
                if state.conditions.take(push, of: name, at: now) { isChanged = true }
            }
            if isChanged { state.history.note(state.conditions, at: now) }
            return isChanged
        }
    }

    /// Takes measured values.
    ///
    /// - Returns: whether a requirement of the policy is met or not met now that was not before.
    func take(measured values: [(BuiltInCondition, ConditionValue?)], at now: Timestamp) -> Bool {
        state.withLock { state in
            let isChanged = state.conditions.take(measured: values, at: now)
            if isChanged { state.history.note(state.conditions, at: now) }
            return isChanged
        }
    }
}
