// Tries a schedule: the instants of its next looks, before a source has it.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Scheduling

/// The endpoint that tries schedules.
final class ScheduleEndpoints: EndpointGroup {
    /// The number of instants in an answer.
    private static let instantsAtMost = 20

    private let zone: @Sendable (String) -> TimeZoneRules?
    private let leastInterval: Int64

    /// Takes what its endpoint uses: the rules of a time zone, nil for an unknown name, and the
    /// least interval of a source, in seconds.
    init(zone: @escaping @Sendable (String) -> TimeZoneRules?, leastInterval: Int64) {
        self.zone = zone
        self.leastInterval = leastInterval
    }

    var routes: [Route] {
        [
            Route(
                "POST", "/v1/sources/try", "trySchedule", scope: .readDownloads,
                body: [MediaType.json], answers: [.json()], .now(tryOut))
        ]
    }

    /// `POST /v1/sources/try`: the next instants of a schedule.
    func tryOut(_ call: Call) throws(Problem) -> Response {
        guard case .object(let object) = try call.document() else {
            throw .invalid([FieldError("#", "must be an object with the member schedule")])
        }
        var reader = FieldReader(object)
        let after = reader.timestamp("after") ?? call.now
        let name = reader.string("name", maximumLength: 100) ?? ""
        var schedule: LookSchedule?
        if let document = reader.value("schedule") {
            let read = LookSchedule.read(
                document, at: reader.pointer("schedule"), least: leastInterval, zone: zone)
            switch read {
            case .success(let found): schedule = found
            case .failure(let errors): reader.adopt(errors)
            }
        } else {
            reader.refuse("schedule", "is needed, such as {\"every\": \"6h\"}")
        }
        let errors = reader.finish()
        guard errors.isEmpty, let schedule else { throw .invalid(errors) }
        return .json(answer(schedule, after: after, name: name))
    }

    private func answer(_ schedule: LookSchedule, after: Timestamp, name: String) -> JSONWriter {
        var rules = TimeZoneRules.utc
        if case .cron(_, let zone) = schedule.rule { rules = zone }
        var writer = JSONWriter(capacity: 2048)
        writer.beginObject()
        writer.key("schedule")
        schedule.write(to: &writer)
        writer.member("offset_seconds", schedule.offset(of: name))
        writer.key("instants")
        writer.beginArray()
        var last = after
        for _ in 0..<ScheduleEndpoints.instantsAtMost {
            guard let next = schedule.next(after: last, anchor: after, name: name) else { break }
            last = next.at
            writer.beginObject()
            writer.member("at", next.at)
            writer.member("local", next.at.rfc3339(offset: rules.offset(at: next.at)))
            writer.member("clock_change", next.change?.rawValue)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer
    }
}
