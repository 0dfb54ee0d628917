// A source, its looks and its versions as the bodies of answers.
internal import Base
internal import Crypto
internal import Downloads
internal import Scheduling
internal import Store

/// A source in the form for clients.
struct ShownSource: Sendable {
    /// The source.
    let record: SourceRecord
    /// Its last look; nil for none, and in lists.
    var lastLook: LookRecord?

    /// The resource.
    var json: JSONObject {
        let (timetable, known) = (record.timetable, record.known)
        var object: JSONObject = [
            "identifier": .string(record.identifier), "version": .integer(record.version),
            "state": .string(ShownSource.state(timetable)),
        ]
        for (name, value) in record.spec.json.members { object.append(name, value) }
        object.append("next_look_at", ShownSource.instant(timetable.nextLookAt))
        object.append("interval", interval)
        object.append("failures", .integer(timetable.failures))
        object.append(
            "latest",
            known.version == 0 || record.spec.kind == .feed
                ? .null
                : [
                    "version": .integer(known.version),
                    "download": known.download.map { .string($0.text) } ?? .null,
                    "sha256": known.sha256.map { .string($0) } ?? .null,
                    "seen_at": ShownSource.instant(known.changes.last),
                ])
        if record.spec.kind == .feed { object.append("items", .integer(known.items)) }
        object.append("last_look", lastLook.map { .object(ShownSource.json($0)) } ?? .null)
        object.append("created_at", .string(record.createdAt.rfc3339))
        object.append("updated_at", .string(record.updatedAt.rfc3339))
        return object
    }

    private static func state(_ timetable: SourceTimetable) -> String {
        if timetable.isSuspended { return "suspended" }
        return timetable.needsAttention ? "attention_required" : "active"
    }

    /// The time to the look behind the next one, and its reason.
    private var interval: JSON {
        let timetable = record.timetable
        let reason =
            timetable.needsAttention
            ? "attention_required" : record.spec.schedule.isLearned ? "learned" : "schedule"
        guard let next = timetable.nextAt else { return .null }
        let pause = SourceTimetable.attentionPause - .microseconds(1)
        let start = timetable.needsAttention ? next + pause : next
        guard let second = record.schedule(start) else { return .null }
        return [
            "seconds": .integer((second - next).components.seconds), "reason": .string(reason),
        ]
    }

    /// A look in the form for clients.
    static func json(_ look: LookRecord) -> JSONObject {
        var object: JSONObject = [
            "due_at": .string(look.dueAt.rfc3339),
            "last_due_at": .string(look.lastDueAt.rfc3339),
            "count": .integer(look.count),
            "outcome": look.outcome.map { .string($0.name) } ?? .null,
            "reason": look.reason.map { .string($0) } ?? .null,
            "download": look.download.map { .string($0.text) } ?? .null,
            "is_asked": .bool(look.isAsked),
            "sends_validators": .bool(look.download != nil && !look.isFull),
            "begun_at": instant(look.begunAt), "ended_at": instant(look.endedAt),
        ]
        if let detail = look.detail { object.append("detail", .string(detail)) }
        if let items = look.items { object.append("items", .integer(items)) }
        return object
    }

    /// An item of a feed in the form for clients.
    static func json(_ item: SourceItemRecord) -> JSONObject {
        [
            "key": .string(item.key), "title": .string(item.title), "url": .string(item.url),
            "download": item.download.map { .string($0.text) } ?? .null,
            "published_at": instant(item.publishedAt), "seen_at": .string(item.seenAt.rfc3339),
        ]
    }

    /// A version in the form for clients.
    static func json(_ version: SourceVersionRecord) -> JSONObject {
        [
            "version": .integer(version.number), "download": .string(version.download.text),
            "sha256": .string(version.sha256), "length": .integer(version.length),
            "seen_at": .string(version.seenAt.rfc3339),
        ]
    }

    private static func instant(_ instant: Timestamp?) -> JSON {
        instant.map { .string($0.rfc3339) } ?? .null
    }

    /// The values with which conditions are compared: the version, and all shown values.
    var representation: Representation {
        let digest = SHA256.digest(of: JSON.object(json).text).prefix(8)
        return ShownSource.representation(
            record, suffix: String(digest.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }))
    }

    /// The values with which conditions are compared if only the version counts.
    static func representation(
        _ record: SourceRecord, suffix: String = "0"
    ) -> Representation {
        var representation = Representation(tag: .weak("\(record.version)-\(suffix)"))
        representation.sequence = record.version
        return representation
    }
}
