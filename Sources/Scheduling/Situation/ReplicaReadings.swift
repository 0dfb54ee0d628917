// The measurements of one replica, as it tells them to the others.
package import Base

/// A replica's measured conditions, and the states of the requirements on them.
package struct ReplicaReadings: Equatable, Sendable {
    /// The value of one condition.
    package struct Value: Equatable, Sendable {
        /// The condition.
        package var name: String
        /// The measured value; nil where it cannot be read.
        package var value: ConditionValue?
        /// The time since which it has this value.
        package var since: Timestamp?
    }

    /// The state of one requirement.
    package struct Standing: Equatable, Sendable {
        /// Whether it is met.
        package var isMet: Bool
        /// The time since which it has this state; nil for longer than known.
        package var since: Timestamp?
    }

    /// The most requirements that are told to the other replicas; further ones are judged by each
    /// replica alone.
    static let requirementsAtMost = 256

    /// The number of the replica's data directory, for people.
    package var number: Int64
    /// The machine's name.
    package var node: String
    /// The time at which it was measured.
    package var measuredAt: Timestamp
    /// The conditions, by name.
    package var values: [Value]
    /// The states of the requirements, by their texts.
    package var standings: [String: Standing]

    /// The measurements of a replica's own book at an instant.
    package init(_ book: ConditionBook, number: Int64 = 0, node: String = "", at now: Timestamp) {
        self.number = number
        self.node = node
        measuredAt = now
        values = []
        standings = [:]
        for condition in BuiltInCondition.allCases where condition.isMeasured {
            let name = condition.rawValue
            guard let track = book.track(name), let since = track.measuredSince else { continue }
            values.append(Value(name: name, value: track.known(at: now), since: since))
            for requirement in book.uses(of: name)
            where standings.count < ReplicaReadings.requirementsAtMost {
                let state = book.state(of: requirement, at: now)
                standings[requirement.description] = Standing(
                    isMet: state.isMet, since: state.since)
            }
        }
    }

    /// Reads the form that `json` writes; unknown members are ignored.
    package init(_ json: JSON, number: Int64, node: String, measuredAt: Timestamp) {
        self.number = number
        self.node = node
        self.measuredAt = measuredAt
        values = (json["values"]?.arrayValue ?? []).compactMap { item in
            item["name"]?.stringValue.map { name in
                Value(
                    name: name, value: item["value"].flatMap { ConditionValue($0) },
                    since: item["since"]?.stringValue.flatMap { Timestamp(rfc3339: $0) })
            }
        }
        standings = [:]
        for item in json["requirements"]?.arrayValue ?? [] {
            guard let text = item["text"]?.stringValue, let isMet = item["is_met"]?.boolValue
            else { continue }
            standings[text] = Standing(
                isMet: isMet, since: item["since"]?.stringValue.flatMap { Timestamp(rfc3339: $0) })
        }
    }

    /// The form for the other replicas.
    package var json: JSON {
        func text(_ instant: Timestamp?) -> JSON {
            instant.map { .string($0.rfc3339Microseconds) } ?? .null
        }
        return [
            "values": .array(
                values.map {
                    [
                        "name": .string($0.name), "value": $0.value?.json ?? .null,
                        "since": text($0.since),
                    ]
                }),
            "requirements": .array(
                standings.sorted { $0.key < $1.key }.map {
                    [
                        "text": .string($0.key), "is_met": .bool($0.value.isMet),
                        "since": text($0.value.since),
                    ]
                }),
        ]
    }

    /// The value of a condition; nil where it is not measured.
    package func value(of name: String) -> Value? { values.first { $0.name == name } }
}
