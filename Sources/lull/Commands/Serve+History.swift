// What was true before this process began, for what waits were made of.
internal import Core
internal import Platform
internal import Postgres
internal import Store

extension Serve {
    /// At most so many policies are read again.
    private static let policiesAtMost = 32

    /// The history that the store has kept; nil where it cannot be read.
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
            // Of equal instants the policy comes first, as it declares what is pushed.
            let order = changes.indices.sorted {
                (changes[$0].at, $0) < (changes[$1].at, $1)
            }
            return FactsHistory(order.map { changes[$0] }, policy, zone, at: now)
        } catch {
            log.warn("history not read", [("error", .string(error.description))])
            return nil
        }
    }

    /// The policies that the documents made together, each time that one of them changed.
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
            // One that this program cannot read any more is as if it had not been there.
            guard let policy = reading.policy, let zone = zones.rules(of: policy.timeZone) else {
                continue
            }
            found.append((change.at, .policy(policy, zone)))
        }
        return found
    }
}
