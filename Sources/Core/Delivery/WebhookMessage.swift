// One webhook as Standard Webhooks 1.0 signs it.

/// What is sent and what is signed.
package struct WebhookMessage: Equatable, Sendable {
    /// `webhook-id`: the event's id, the same on every attempt.
    package let id: String
    /// The event's type.
    package let type: EventType
    /// The download's id, for `ce-subject`.
    package let subject: String
    /// When the event happened.
    package let at: Timestamp
    /// The bytes of the body, the same on every attempt.
    package let body: [UInt8]
    /// The place of the create in its caller's trace (W3C Trace Context).
    package var traceparent: String?

    /// Puts the message of an event together.
    ///
    /// - Parameters:
    ///   - event: the event's identifier.
    ///   - type: its type.
    ///   - download: the download that it speaks of.
    ///   - at: when it happened.
    ///   - data: the download's snapshot as JSON text.
    package init(
        event: Identifier, type: EventType, download: Identifier, at: Timestamp, data: String
    ) {
        id = event.text(.event)
        self.type = type
        subject = download.text(.download)
        self.at = at
        body = Array(
            "{\"type\":\"\(type.name)\",\"timestamp\":\"\(at.rfc3339)\",\"data\":\(data)}".utf8)
    }

    /// Sets every part, as test vectors do.
    package init(id: String, type: EventType, subject: String, at: Timestamp, body: [UInt8]) {
        self.id = id
        self.type = type
        self.subject = subject
        self.at = at
        self.body = body
    }

    /// What the signature covers: id, the attempt's Unix seconds, body, joined by dots.
    package func signedContent(attemptedAt seconds: Int64) -> [UInt8] {
        Array("\(id).\(seconds).".utf8) + body
    }

    /// The headers of one attempt, the CloudEvents 1.0 binary ones riding along.
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
            ("ce-type", "lull." + type.name),
            ("ce-source", "/v1/downloads"),
            ("ce-subject", subject),
            ("ce-time", at.rfc3339),
        ] + trace
    }
}
