// The schedule of a source as a document.
package import Base
internal import Downloads

extension LookSchedule {
    /// The longest interval and the greatest jitter, in seconds.
    private static let intervalAtMost: Int64 = 366 * 86_400
    private static let jitterAtMost: Int64 = 86_400

    /// Reads a schedule.
    ///
    /// - Parameters:
    ///   - document: the value of the member.
    ///   - pointer: its place, for the findings.
    ///   - least: the least interval, in seconds.
    ///   - zone: the rules of a time zone; nil for an unknown name.
    /// - Returns: the schedule, or every finding.
    package static func read(
        _ document: JSON, at pointer: String, least: Int64,
        zone: (String) -> TimeZoneRules?
    ) -> Result<LookSchedule, FieldErrors> {
        guard case .object(let object) = document else {
            return .failure([
                FieldError(
                    pointer,
                    "must be an object with every or cron, such as {\"every\": \"6h\"} or "
                        + "{\"cron\": \"15 2 * * *\", \"time_zone\": \"Europe/Berlin\"}")
            ])
        }
        var reader = FieldReader(object, at: pointer)
        let rule = rule(&reader, at: pointer, least: least, zone: zone)
        var schedule = LookSchedule(rule: rule.rule)
        schedule.timeZone = rule.zone
        if let jitter = reader.duration("jitter", in: 0...jitterAtMost) {
            schedule.jitter = jitter
            if case .every(let interval) = schedule.rule, jitter >= interval {
                reader.refuse("jitter", "must be shorter than every")
            }
        }
        schedule.readSpan(&reader)
        let errors = reader.finish()
        return errors.isEmpty ? .success(schedule) : .failure(errors)
    }

    private static func rule(
        _ reader: inout FieldReader, at pointer: String, least: Int64,
        zone: (String) -> TimeZoneRules?
    ) -> (rule: Rule, zone: String?) {
        let (every, cron) = (reader.value("every"), reader.value("cron"))
        let name = reader.string("time_zone", maximumLength: 64)
        if every != nil, cron != nil {
            reader.refuse("cron", "does not go with every; give one of them")
        }
        guard cron != nil else {
            if name != nil { reader.refuse("time_zone", "goes with cron only") }
            guard every != nil else {
                reader.refuse(
                    "every",
                    "or cron is needed, such as \"6h\", \"auto\", or the cron \"15 2 * * *\"")
                return (.auto, nil)
            }
            if case .string("auto") = every { return (.auto, nil) }
            let seconds = reader.duration("every", in: least...intervalAtMost)
            return (.every(seconds ?? least), nil)
        }
        var rules = TimeZoneRules.utc
        if let name {
            if let known = zone(name) {
                rules = known
            } else {
                reader.refuse(
                    "time_zone",
                    "is no time zone of this system; names are those of the IANA, such as "
                        + "\"Europe/Berlin\"")
            }
        }
        guard let text = reader.string("cron", maximumLength: 512) else { return (.auto, name) }
        do throws(CronError) {
            return (.cron(try CronExpression(text), rules), name)
        } catch {
            reader.refuse("cron", error.description)
            return (.auto, name)
        }
    }

    private mutating func readSpan(_ reader: inout FieldReader) {
        guard let between = reader.value("between") else { return }
        guard case .object(let object) = between else {
            return reader.refuse(
                "between", "must be an object with from, until or both, as RFC 3339 dates")
        }
        var span = FieldReader(object, at: reader.pointer("between"))
        (from, until) = (span.timestamp("from"), span.timestamp("until"))
        if let from, let until, until < from { span.refuse("until", "must not be before from") }
        reader.adopt(span.finish())
    }

    /// Writes the schedule so that `read` reads it back.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        switch rule {
        case .every(let seconds): writer.member("every", DurationText.print(.seconds(seconds)))
        case .auto: writer.member("every", "auto")
        case .cron(let expression, _):
            writer.member("cron", expression.text)
            writer.member("time_zone", timeZone ?? "UTC")
        }
        if jitter > 0 { writer.member("jitter", DurationText.print(.seconds(jitter))) }
        if from != nil || until != nil {
            writer.key("between")
            writer.beginObject()
            if let from { writer.member("from", from.rfc3339) }
            if let until { writer.member("until", until.rfc3339) }
            writer.endObject()
        }
        writer.endObject()
    }
}
