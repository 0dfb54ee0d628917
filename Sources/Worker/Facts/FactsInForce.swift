// What decides and explains: one copy for the worker and the API.
package import Core
internal import Synchronization

/// The policy and the conditions in force in this process.
///
/// The conductor gets the same values by its events; what changes here changes there.
package final class FactsInForce: Sendable {
    private struct State {
        var policy: Policy
        var zone: TimeZoneRules
        var policyVersion: Int64 = 0
        var conditions: ConditionBook
    }

    private let state: Mutex<State>

    /// The facts of the start; nothing is known of conditions.
    package init(_ policy: Policy, _ zone: TimeZoneRules, at now: Timestamp) {
        state = Mutex(
            State(policy: policy, zone: zone, conditions: ConditionBook(policy, at: now)))
    }

    /// The policy and its zone.
    package var policy: (Policy, TimeZoneRules) { state.withLock { ($0.policy, $0.zone) } }

    /// The version of the newest policy that was taken; 0 for that of the start.
    package var policyVersion: Int64 { state.withLock { $0.policyVersion } }

    /// What is known of conditions.
    package var conditions: ConditionBook { state.withLock { $0.conditions } }

    /// Takes a newer policy; an older one that arrives late changes nothing.
    ///
    /// - Returns: whether it is in force now.
    package func replace(
        _ policy: Policy, _ zone: TimeZoneRules, version: Int64, at now: Timestamp
    ) -> Bool {
        state.withLock { state in
            guard version > state.policyVersion else { return false }
            (state.policy, state.zone, state.policyVersion) = (policy, zone, version)
            state.conditions.take(policy, at: now)
            return true
        }
    }

    /// Takes one that was pushed here; nil for its removal.
    package func take(_ push: ConditionPush?, of name: String, at now: Timestamp) {
        state.withLock { _ = $0.conditions.take(push, of: name, at: now) }
    }

    /// Takes what is pushed, all of it: a name that is left out was removed.
    ///
    /// - Returns: whether anything changed.
    func take(pushed: [(name: String, push: ConditionPush)], at now: Timestamp) -> Bool {
        state.withLock { state in
            let names = Set(pushed.map(\.name))
            var isChanged = false
            for name in state.conditions.names where !names.contains(name) {
                if state.conditions.take(nil, of: name, at: now) { isChanged = true }
            }
            for (name, push) in pushed where state.conditions.take(push, of: name, at: now) {
                isChanged = true
            }
            return isChanged
        }
    }

    /// Takes what was measured.
    ///
    /// - Returns: whether a requirement of the policy is met or not met now that was not before.
    func take(measured values: [(BuiltInCondition, ConditionValue?)], at now: Timestamp) -> Bool {
        state.withLock { $0.conditions.take(measured: values, at: now) }
    }
}
