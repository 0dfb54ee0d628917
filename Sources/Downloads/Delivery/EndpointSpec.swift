// An endpoint for webhooks as a client asks for it.
package import Base

/// The members of an endpoint that its client sets.
package struct EndpointSpec: Equatable, Sendable {
    /// The most endpoints of one app.
    package static let countAtMost = 100
    /// The most endpoints of one app with the format `email`.
    package static let mailCountAtMost = 20
    /// The most event names of one endpoint, and the most sessions.
    package static let listedAtMost = 64

    /// The URL of the receiver; nil for an app's `default`.
    package var url: String?
    /// Names of events and patterns; nil for the default events.
    package var events: [String]?
    /// The sessions whose events it gets; nil for all.
    package var sessions: [String]?
    /// A text for people.
    package var description: String?
    /// The form of what is sent to it.
    package var format: NoticeFormat
    /// Whether webhooks are sent to it.
    package var isEnabled = true
    /// The names, shown to clients, of the headers and credentials that its requests carry.
    package var request = RequestShape()

    /// Creates a value with all its members.
    package init(
        url: String?, events: [String]? = nil, sessions: [String]? = nil,
        description: String? = nil, format: NoticeFormat = .standard, isEnabled: Bool = true
    ) {
        self.url = url
        self.events = events
        self.sessions = sessions
        self.description = description
        self.format = format
        self.isEnabled = isEnabled
    }

    /// The subscribed events.
    package var eventSet: EventSet {
        guard let events else { return .usual }
        guard case .success(let set) = EventSet.named(events) else { return .none }
        return format.isForPeople ? set.without(NoticeFormat.untold) : set
    }

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - document: the members, after a patch was merged into it.
    ///   - isDefault: whether it is the app's `default`, of which only the events may be set.
    /// - Returns: the endpoint, or every finding.
    package static func parse(
        _ document: JSON, isDefault: Bool = false
    ) -> Result<EndpointSpec, FieldErrors> {
        guard let object = document.objectValue else {
            return .failure([FieldError("#", "must be an object")])
        }
        var reader = FieldReader(object)
        var spec = EndpointSpec(url: nil)
        spec.events = reader.strings("events", maximumCount: listedAtMost)
        if let names = spec.events {
            if names.isEmpty { reader.refuse("events", "must name at least one event, or be null") }
            if case .failure(let unknown) = EventSet.named(names) {
                reader.refuse(
                    "events",
                    "names the unknown event \"\(unknown.name)\"; known are \(EventType.known)")
            }
        }
        if !isDefault {
            spec.url = reader.string("url", maximumLength: 8192)
            if spec.url == nil, reader.errors.isEmpty { reader.refuse("url", "is required") }
            spec.sessions = reader.strings("sessions", maximumCount: listedAtMost)
            for (place, name) in (spec.sessions ?? []).enumerated()
            where !SessionIdentifier.isValid(name) {
                reader.refuse("sessions", at: place, SessionIdentifier.rule)
            }
            if spec.sessions?.isEmpty == true {
                reader.refuse("sessions", "must name at least one session, or be null")
            }
            spec.description = reader.string("description", maximumLength: 1024)
            spec.format = reader.word("format", of: NoticeFormat.self) ?? .standard
            spec.checkFormat(&reader)
            spec.isEnabled = reader.bool("enabled") ?? true
            // Headers and credentials are read by `ReceiverRequest`, which merges them with the
            // stored ones.
            for name in ReceiverRequest.members { _ = reader.value(name) }
        }
        let errors = reader.finish()
        return errors.isEmpty ? .success(spec) : .failure(errors)
    }

    /// Refuses members that do not fit the format.
    private func checkFormat(_ reader: inout FieldReader) {
        guard format.isForPeople else {
            if let url, MailAddress(url: url) != nil {
                reader.refuse("format", "must be email for a mailto: URL")
            }
            return
        }
        if format == .email {
            if let url, MailAddress(url: url) == nil {
                reader.refuse(
                    "url",
                    "of a receiver of mail is mailto: and its address, which "
                        + MailAddress.rule)
            }
            for name in ReceiverRequest.members {
                guard let value = reader.value(name), value.objectValue?.isEmpty != true else {
                    continue
                }
                reader.refuse(name, "cannot be given for mail; null removes it")
            }
        }
        for type in NoticeFormat.untold where events?.contains(type.name) == true {
            reader.refuse(
                "events", "names \(type.name), which is for programs and is not told to people")
        }
    }

    /// The document that `parse` reads, as clients see it.
    package func json(isDefault: Bool = false) -> JSONObject {
        func list(_ names: [String]?) -> JSON {
            names.map { .array($0.map { .string($0) }) } ?? .null
        }
        guard !isDefault else { return ["events": list(events)] }
        return [
            "url": url.map { .string($0) } ?? .null, "events": list(events),
            "sessions": list(sessions),
            "description": description.map { .string($0) } ?? .null,
            "format": .string(format.rawValue), "enabled": .bool(isEnabled),
            "headers": RequestShape.redacted(request.headerNames),
            "authorization": request.shownAuthorization,
        ]
    }
}
