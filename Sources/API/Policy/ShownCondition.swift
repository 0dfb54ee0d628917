// A condition as the body of an answer.
internal import Base
internal import Downloads
internal import Scheduling
internal import Store

/// A condition with its value at an instant.
struct ShownCondition {
    private let name: String
    private let situation: Situation
    private let replicas: [ReplicaReadings]

    /// Shows a condition, also an unknown one.
    ///
    /// - Parameters:
    ///   - name: which.
    ///   - situation: what is known.
    ///   - replicas: what each replica measures.
    init(_ name: String, in situation: Situation, replicas: [ReplicaReadings]) {
        self.name = name
        self.situation = situation
        self.replicas = replicas
    }

    /// Writes the condition.
    ///
    /// - Parameters:
    ///   - writer: takes the object.
    ///   - history: its last changes, the newest first; nil leaves the member out.
    func write(to writer: inout JSONWriter, history: [ConditionChange]?) {
        let track = situation.conditions.track(name)
        let push = track?.push ?? situation.conditions.undeclaredPush(name)
        let known = track?.known(at: situation.now) ?? (track == nil ? push?.value : nil)
        writer.beginObject()
        writer.member("name", name)
        writer.member("type", track?.declaration.type.name)
        writer.member("unit", track?.declaration.unit)
        writer.key("value")
        writer.write((known ?? track?.declaration.standard)?.json ?? .null)
        writer.member("is_known", known != nil)
        let isMeasured = track?.isMeasured ?? false
        writer.member("is_measured", isMeasured)
        writer.key("default")
        writer.write(track?.declaration.standard?.json ?? .null)
        writer.member("source", push?.source)
        writer.member("pushed_at", push?.pushedAt)
        writer.member("expires_at", track?.expiresAt ?? push?.expiresAt)
        writer.key("schedule")
        writer.beginArray()
        for step in push?.schedule ?? [] {
            writer.beginObject()
            writer.member("from", step.from)
            writer.key("value")
            writer.write(step.value.json)
            writer.endObject()
        }
        writer.endArray()
        writer.key("used_by")
        writer.beginArray()
        let rules = situation.policy.judgedRules.filter { rule in
            rule.requirements.contains { $0.condition == name }
                || rule.preference?.condition == name
        }
        for rule in rules { writer.write(rule.name) }
        writer.endArray()
        if isMeasured { writeReplicas(to: &writer) }
        if let history { ShownCondition.write(history, to: &writer) }
        writer.endObject()
    }

    /// The value on each replica; null and `is_known: false` if it cannot be read there.
    private func writeReplicas(to writer: inout JSONWriter) {
        writer.key("replicas")
        writer.beginArray()
        for replica in replicas {
            let found = replica.value(of: name)
            writer.beginObject()
            writer.member("replica", replica.number)
            writer.member("node", replica.node)
            writer.key("value")
            writer.write(found?.value?.json ?? .null)
            writer.member("is_known", found?.value != nil)
            writer.member("since", found?.since)
            writer.member("measured_at", replica.measuredAt)
            writer.endObject()
        }
        writer.endArray()
    }

    private static func write(_ history: [ConditionChange], to writer: inout JSONWriter) {
        writer.key("history")
        writer.beginArray()
        for change in history {
            writer.beginObject()
            writer.key("value")
            writer.write(change.value?.json ?? .null)
            writer.member("source", change.source)
            writer.member("changed_at", change.changedAt)
            writer.endObject()
        }
        writer.endArray()
    }
}
