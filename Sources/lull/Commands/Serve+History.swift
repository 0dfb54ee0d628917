// The past policies and conditions, from which waits of the time before this process began are
// explained.
internal import Base
internal import Platform
internal import Postgres
internal import Scheduling
internal import Store

extension Serve {
    /// The most past policies that are read.
    private static let policiesAtMost = 32

    /// The history from the store; nil if it cannot be read.
    func pastFacts(
        _ policy: Policy, _ zone: TimeZoneRules, at now: Timestamp, _ pool: ConnectionPool
    ) async -> FactsHistory? {
        do throws(StoreError) {
            let oldest = now - FactsHistory.memory
            let stored = try await Policies(pool: pool).changes(since: oldest)
            let pushed = try await Conditions(pool: pool).allChanges()
            var changes = policies(stored)
            for (name, change) in pushed {
                let push = change.value.map {
                    ConditionPush(value: $0, pushedAt: change.changedAt)
                }
                changes.append((change.changedAt, .push(name, push)))
            }
            // At equal instants the policy comes first, because it declares the conditions that are
            // pushed.
            let order = changes.indices.sorted {
                (changes[$0].at, $0) < (changes[$1].at, $1)
            }
            return FactsHistory(order.map { changes[$0] }, policy, zone, at: now)
        } catch {
            log.warn(
                "history of policies and conditions could not be read",
                [("error", .string(error.description))])
            return nil
        }
    }

    /// The policies in force after each change of a document.
    private func policies(
        _ stored: [Policies.Change]
    ) -> [(at: Timestamp, change: FactsHistory.Change)] {
        let zones = zones
        var deployment = JSONObject()
        var apps: [KeyText: JSONObject] = [:]
        var found: [(at: Timestamp, change: FactsHistory.Change)] = []
        let first = stored.count - Serve.policiesAtMost
        for (place, change) in stored.enumerated() {
            if let app = change.app {
                apps[KeyText(app)] = change.document
            } else {
                deployment = change.document ?? JSONObject()
            }
            guard place >= first else { continue }
            let reading = Policy.inForce(
                .object(deployment),
                apps: apps.sorted { $0.key < $1.key }.map {
                    Policy.AppDocument(app: $0.key.text, document: $0.value)
                }, defaults: configuration.limits, bandwidth: configuration.bandwidth
            ) { zones.rules(of: $0) != nil }
            // A policy that this program cannot read any more is left out.
            guard let policy = reading.policy, let zone = zones.rules(of: policy.timeZone) else {
                continue
            }
            found.append((change.at, .policy(policy, zone)))
        }
        return found
    }
}
