// Rebuilds the history from before the start of the process, from changes that the store keeps.
package import Base

extension FactsHistory {
    /// A change of a policy or condition.
    package enum Change: Sendable {
        /// A policy came into force.
        case policy(Policy, TimeZoneRules)
        /// A condition was pushed, or removed where it is nil.
        case push(String, ConditionPush?)
    }

    /// Creates the history up to the start of a process.
    ///
    /// Schedules and validity of earlier pushes are not kept: a value counts until the next one.
    /// Measurements of replicas are not kept either: they are taken to have held nothing back.
    ///
    /// - Parameters:
    ///   - changes: what changed, in order; the first policy counts from its instant on.
    ///   - policy: the one in force.
    ///   - zone: its zone.
    ///   - now: the instant.
    package init(
        _ changes: [(at: Timestamp, change: Change)], _ policy: Policy, _ zone: TimeZoneRules,
        at now: Timestamp
    ) {
        let oldest = now - FactsHistory.memory
        var first = (at: oldest, policy: policy, zone: zone)
        for (at, change) in changes {
            guard case .policy(let policy, let zone) = change else { continue }
            first = (at, policy, zone)
            break
        }
        self.init(first.policy, first.zone, at: min(max(first.at, oldest), now))
        var book = ConditionBook(first.policy, at: oldest)
        var latest = oldest
        for (at, change) in changes {
            // The instants of consecutive transactions may be in the wrong order.
            latest = min(now, max(latest, at))
            switch change {
            case .policy(let policy, let zone):
                book.take(policy, at: latest)
                take(policy, zone, at: latest)
            case .push(let name, let push): book.take(push, of: name, at: latest)
            }
            note(book, at: latest, isPast: true)
        }
        if changes.isEmpty { return }
        take(policy, zone, at: now)
    }
}
