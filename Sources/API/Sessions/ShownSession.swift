// A session as the body of an answer.
internal import Base
internal import Crypto
internal import Downloads
internal import Store

/// A session with its numbers, for clients.
struct ShownSession {
    /// The session.
    let record: SessionRecord
    /// The values in force where it sets none.
    let defaults: DeploymentDefaults
    /// The numbers of its downloads; nil in lists.
    var figures: SessionFigures?
    /// Its wakes; nil in lists.
    var wake: SessionWake?

    /// The resource.
    var json: JSONObject {
        var object: JSONObject = [
            "identifier": .string(record.identifier), "state": .string(record.state.name),
            "version": .integer(record.version),
            "configuration": .object(record.configuration.shown),
            "effective": .object(record.configuration.effective(defaults)),
            "withheld": .array(record.configuration.withheld.map { .string($0) }),
        ]
        if let figures { add(figures, to: &object) }
        if let wake { object.append("wake", ShownSession.json(wake)) }
        object.append("created_at", .string(record.createdAt.rfc3339))
        object.append("updated_at", .string(record.updatedAt.rfc3339))
        return object
    }

    private func add(_ figures: SessionFigures, to object: inout JSONObject) {
        var counts = JSONObject()
        for state in DownloadState.allCases {
            counts.append(state.rawValue, .integer(figures.counts[state] ?? 0))
        }
        object.append("counts", .object(counts))
        object.append("counts_are_complete", .bool(figures.isComplete))
        object.append("bytes", .integer(figures.bytes))
        object.append(
            "activity",
            [
                "active_transfers": .integer(figures.counts[.running] ?? 0),
                "bytes_per_second": .integer(figures.bytesPerSecond),
                "last_created_at": figures.lastCreatedAt.map { .string($0.rfc3339) } ?? .null,
            ])
    }

    private static func json(_ wake: SessionWake) -> JSON {
        let isSlow = wake.delay > .seconds(120)
        return [
            "delay_seconds": .integer(wake.delay.components.seconds),
            "delayed_until": wake.delayedUntil.map { .string($0.rfc3339) } ?? .null,
            "last_wake_at": wake.lastWakeAt.map { .string($0.rfc3339) } ?? .null,
            "is_open": .bool(wake.wake?.isUnfinished ?? false),
            "is_muted": .bool(wake.isMuted),
            // The delay has this length after two wakes in a row.
            "hint": isSlow ? "batch_recommended" : .null,
        ]
    }

    /// The values with which conditions are compared: the version, and all shown values.
    var representation: Representation {
        let digest = SHA256.digest(of: JSON.object(json).text).prefix(8)
        return ShownSession.representation(
            record, suffix: String(digest.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }))
    }

    private static func representation(
        _ record: SessionRecord, suffix: String
    ) -> Representation {
        var representation = Representation(tag: .weak("\(record.version)-\(suffix)"))
        representation.sequence = record.version
        return representation
    }

    /// The values with which conditions are compared if only the version counts.
    static func representation(_ record: SessionRecord) -> Representation {
        representation(record, suffix: "0")
    }
}
