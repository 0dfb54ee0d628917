// A source as its client describes it.
package import Base

/// The document of a source: what is looked at, when, and how its downloads are made.
package struct SourceSpec: Equatable, Sendable {
    /// The most bytes of a template.
    package static let templateBytesAtMost = 2 << 20

    /// The URL that each look asks for.
    package var url: String
    /// The kind.
    package var kind: SourceKind
    /// The instants of its looks.
    package var schedule: LookSchedule
    /// The rules for instants that overlap or have passed.
    package var rules = SourceTimetable.Rules()
    /// The members of each download, as the client gave them; without values of secrets where it is
    /// stored and shown.
    package var template = JSONObject()
    /// How long versions are held; nil for the retention of the template.
    package var keep: SourceKeep?
    /// Which items are fetched; nil for a file.
    package var selection: ItemSelection?
    /// Whom it tells; nil for nobody but the receivers of its events.
    package var notify: SourceNotify?
    /// A digest of the template with its secrets, which are stored apart; nil without secrets.
    package var fingerprint: String?

    /// The session of its downloads.
    package var session: String { template["session"]?.stringValue ?? "default" }

    /// Whether its looks ask for the file of another document and use it in the same way, so that
    /// validators hold for both.
    package func asks(as other: SourceSpec) -> Bool {
        url == other.url && template == other.template && fingerprint == other.fingerprint
            && selection == other.selection
    }

    /// Reads the document of a client.
    ///
    /// - Parameters:
    ///   - document: the body.
    ///   - leastInterval: the least interval that a schedule may have, in seconds.
    ///   - zone: the rules of a time zone; nil for an unknown name.
    /// - Returns: the source, or every finding.
    package static func parse(
        _ document: JSON, leastInterval: Int64, zone: (String) -> TimeZoneRules?
    ) -> Result<SourceSpec, FieldErrors> {
        guard case .object(let object) = document else {
            return .failure([FieldError("#", "must be an object")])
        }
        var reader = FieldReader(object)
        let spec = SourceSpec(reading: &reader, leastInterval: leastInterval, zone: zone)
        let errors = reader.finish()
        guard errors.isEmpty, let spec else { return .failure(errors) }
        return .success(spec)
    }

    /// Reads the form that `stored` writes; nil for what this program does not know.
    package init?(stored object: JSONObject, zone: (String) -> TimeZoneRules?) {
        var reader = FieldReader(object)
        let fingerprint = reader.string("fingerprint", maximumLength: 128)
        self.init(reading: &reader, leastInterval: 1, zone: zone)
        guard reader.finish().isEmpty else { return nil }
        self.fingerprint = fingerprint
    }

    private init?(
        reading reader: inout FieldReader, leastInterval: Int64,
        zone: (String) -> TimeZoneRules?
    ) {
        let url = reader.string("url", maximumLength: 8192)
        if url == nil || url == "", reader.errors.isEmpty { reader.refuse("url", "is required") }
        kind = reader.word("kind", of: SourceKind.self) ?? .file
        var schedule: LookSchedule?
        if let value = reader.value("schedule") {
            let read = LookSchedule.read(
                value, at: reader.pointer("schedule"), least: leastInterval, zone: zone)
            switch read {
            case .success(let found): schedule = found
            case .failure(let errors): reader.adopt(errors)
            }
        } else {
            reader.refuse("schedule", "is required, such as {\"every\": \"6h\"}")
        }
        rules.overlap = reader.word("overlap", of: OverlapRule.self) ?? rules.overlap
        rules.catchUp = reader.word("catch_up", of: CatchUpRule.self) ?? rules.catchUp
        if let window = reader.duration("catch_up_window", in: 60...366 * 86_400) {
            rules.catchUpWindow = .seconds(window)
        }
        if let value = reader.value("template") {
            if let object = value.objectValue {
                template = object
            } else {
                reader.refuse("template", "must be an object of members of a download")
            }
        }
        if kind == .feed { selection = ItemSelection(reading: &reader) }
        keep = SourceKeep(reading: &reader)
        notify = reader.word("notify", of: SourceNotify.self)
        guard let url, let schedule else { return nil }
        (self.url, self.schedule) = (url, schedule)
    }

    /// The members that a client gave, with the defaults of those that it left out.
    package var json: JSONObject {
        var object: JSONObject = [
            "url": .string(url), "kind": .string(kind.rawValue),
        ]
        object.append("schedule", scheduleJSON)
        object.append("overlap", .string(rules.overlap.rawValue))
        object.append("catch_up", .string(rules.catchUp.rawValue))
        object.append("catch_up_window", .string(DurationText.print(rules.catchUpWindow)))
        object.append("template", .object(template))
        for (name, value) in selection?.json.members ?? [] { object.append(name, value) }
        object.append("keep", keep?.json ?? .null)
        object.append("notify", notify.map { .string($0.rawValue) } ?? .null)
        return object
    }

    private var scheduleJSON: JSON {
        var writer = JSONWriter(capacity: 128)
        schedule.write(to: &writer)
        do throws(JSONError) {
            return try JSON.parse(writer.finish())
        } catch {
            preconditionFailure("what is written is JSON")
        }
    }

    /// The stored form.
    package var stored: JSONObject {
        var object = json
        if let fingerprint { object.append("fingerprint", .string(fingerprint)) }
        return object
    }
}
