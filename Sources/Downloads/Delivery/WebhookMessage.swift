// One webhook as Standard Webhooks 1.0 signs it.
package import Base

/// The content of a webhook, and the text that is signed.
package struct WebhookMessage: Equatable, Sendable {
    /// `webhook-id`: the event's id, the same on every attempt.
    package let id: String
    /// The event's type.
    package let type: EventType
    /// The name of the type, which tells downloads and uploads apart.
    package let name: String
    /// The identifier of the event's subject, for `ce-subject`.
    package let subject: String
    /// The time at which the event happened.
    package let at: Timestamp
    /// The bytes of the body, the same on every attempt.
    package let body: [UInt8]
    /// The span of the create in its caller's trace (W3C Trace Context).
    package var traceparent: String?

    /// The resource in which the event happened, for `ce-source`: a session, or the endpoints.
    package var source = "/v1/downloads"

    /// Creates the message of an event.
    ///
    /// - Parameters:
    ///   - event: the event's identifier.
    ///   - type: its type.
    ///   - subject: the download, endpoint or delivery that it speaks of.
    ///   - at: when it happened.
    ///   - data: the snapshot as JSON text, an object that is not empty.
    ///   - app: the name of its app, which becomes the last member of the data.
    ///   - session: the session that it happened in; nil for none.
    ///   - base: what comes before the paths of this deployment, empty for nothing.
    package init(
        event: Identifier, type: EventType, subject: Identifier, at: Timestamp, data: String,
        app: String, session: String? = nil, base: String = ""
    ) {
        id = event.text(.event)
        self.type = type
        // A session is identified by the name that its client gave it.
        self.subject = (type.subject == .session ? session : nil) ?? type.text(of: subject)
        name = type.name(of: subject)
        self.at = at
        let start = "{\"type\":\"\(name)\",\"timestamp\":\"\(at.rfc3339)\",\"data\":"
        let end = ",\"app\":\(JSON.string(app).text)}}"
        let data = WebhookMessage.based(data, on: base)
        var body: [UInt8] = []
        body.reserveCapacity(start.utf8.count + data.utf8.count + end.utf8.count)
        body.append(contentsOf: start.utf8)
        body.append(contentsOf: data.utf8)
        body.removeLast()
        body.append(contentsOf: end.utf8)
        self.body = body
        if let session {
            source = base + "/v1/sessions/" + session
        } else {
            source =
                switch type.subject {
                case .download: base + (subject.isUpload ? "/v1/uploads" : "/v1/downloads")
                case .session: base + "/v1/downloads"
                case .source: base + "/v1/sources"
                default: base + "/v1/webhook_endpoints"
                }
        }
    }

    /// Makes the address of the content absolute.
    ///
    /// A client's text cannot contain this sequence: its quotation marks are escaped, and no object
    /// among its members has this name.
    private static func based(_ data: String, on base: String) -> String {
        guard !base.isEmpty else { return data }
        let words = Array("\"content\":{\"href\":\"".utf8)
        let bytes = Array(data.utf8)
        var place = 0
        while place + words.count < bytes.count {
            if bytes[place] == words[0], bytes[place..<(place + words.count)].elementsEqual(words) {
                let start = place + words.count
                return String(
                    decoding: bytes[..<start] + base.utf8 + bytes[start...], as: UTF8.self)
            }
            place += 1
        }
        return data
    }

    /// Creates a message from its parts, as test vectors do.
    package init(id: String, type: EventType, subject: String, at: Timestamp, body: [UInt8]) {
        self.id = id
        self.type = type
        name = type.name
        self.subject = subject
        self.at = at
        self.body = body
    }

    /// The text that the signature covers: id, the attempt's Unix seconds and body, joined by dots.
    package func signedContent(attemptedAt seconds: Int64) -> [UInt8] {
        Array("\(id).\(seconds).".utf8) + body
    }

    /// The headers of one attempt, and the headers of the CloudEvents 1.0 binary mode.
    ///
    /// - Parameters:
    ///   - seconds: the attempt's Unix time.
    ///   - signature: the value of `webhook-signature`.
    /// - Returns: names and values.
    package func headers(
        attemptedAt seconds: Int64, signature: String
    ) -> [(name: String, value: String)] {
        let trace = traceparent.map { [(name: "traceparent", value: $0)] } ?? []
        return [
            ("Content-Type", "application/json"),
            ("webhook-id", id),
            ("webhook-timestamp", "\(seconds)"),
            ("webhook-signature", signature),
            ("ce-specversion", "1.0"),
            ("ce-id", id),
            ("ce-type", "lull." + name),
            ("ce-source", source),
            ("ce-subject", subject),
            ("ce-time", at.rfc3339),
        ] + trace
    }
}
