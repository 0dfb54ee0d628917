// A delivery that is to be tried.
package import Base
package import Downloads
internal import Postgres

/// A delivery that this replica tries now.
package struct DueDelivery: Sendable {
    /// The number.
    package let number: Int64
    /// Its receiver's number.
    package let receiver: Int64
    /// The fence of this try.
    package let fence: Int64
    /// The number of this try, from 1.
    package let attempt: Int
    /// The number of tries before a client asked for a redelivery; the schedule begins after them.
    package let redeliveredAfter: Int
    /// The URL of the receiver.
    package let url: String
    /// The event's type.
    package let type: EventType
    /// The content, with equal bytes for every try.
    package let message: WebhookMessage
    /// The identifier of the request that created its download, for the log.
    package let requestID: String?
    /// The app's number.
    package let app: Int64
    /// The endpoint; nil for a `webhook_url`.
    package let endpoint: Identifier?
    /// The sealed secret; nil if the app has none of its own.
    package let secret: [UInt8]?
    /// The sealed secrets that were replaced and still sign, the last one first.
    package let replacedSecrets: [[UInt8]]
    /// The sealed headers and credentials of its endpoint, or the sealed secrets of its download or
    /// session; nil for none.
    package let sealed: [UInt8]?
    /// The download whose own begin hook is asked with headers or credentials of its own; nil for
    /// any other delivery.
    package let hookOf: Identifier?
    /// The form in which it is sent.
    package let format: NoticeFormat
    /// The number of other deliveries that its message to people counts.
    package let counted: Int
    /// The name of its session; nil if it has none.
    package let session: String?

    /// The identifier.
    package let id: Identifier

    init(_ row: Row, base: String, names: PublicNames) throws(PostgresError) {
        typealias Column = DueColumn
        guard let stored = try row.get(Column.type, as: Int16?.self) else {
            throw PostgresError(.decoding, "its event was removed at the end of its retention")
        }
        guard let type = EventType(rawValue: stored) else {
            throw PostgresError(
                .decoding, "its event has a type that this version of lull does not know")
        }
        guard let url = try row.get(Column.url, as: String?.self) else {
            throw PostgresError(.decoding, "it has no URL to send it to")
        }
        let subject = try row.identifier(Column.downloadID)
        let at = try row.requiredInstant(Column.at)
        let shown = row.behind(Column.self)
        let data: String
        if let payload = try row.get(Column.payload, as: String?.self) {
            data = try names.data(payload, of: type)
        } else {
            data = try DerivedData(
                type: type, download: subject, at: at,
                sequence: try row.integer(Column.sequence),
                attempt: try row.get(Column.eventAttempt), bytes: try row.integer(Column.bytes),
                total: try row.optionalInteger(Column.totalBytes)
            ).text(shown)
        }
        let eventSession: String? = try row.get(Column.eventSession)
        var message = WebhookMessage(
            event: names.event(try row.identifier(Column.eventID)), type: type,
            subject: names.subject(subject, of: type), at: at, data: data,
            app: try row.get(Column.app, as: String?.self) ?? "",
            session: eventSession, base: base)
        message.traceparent = try row.get(Column.traceparent)
        requestID = try row.get(Column.requestID)
        self.message = message
        self.type = type
        self.url = url
        number = try row.integer(Column.deliveryNo)
        id = names.delivery(number)
        receiver = try row.integer(Column.receiverNo)
        fence = try row.integer(Column.fence)
        attempt = try row.get(Column.attempt)
        redeliveredAfter = try row.get(Column.redeliveredAfter)
        app = try row.integer(Column.appNo)
        endpoint =
            try row.optionalInteger(Column.endpointNo) == nil
            ? nil : try row.optionalIdentifier(Column.endpointID)
        secret = try row.get(Column.secret)
        replacedSecrets = try row.get(Column.replacedSecrets)
        sealed = try row.get(Column.sealed)
        guard let format = NoticeFormat(rawValue: try row.text(Column.format)) else {
            throw PostgresError(
                .decoding, "its endpoint has a format that this version of lull does not know")
        }
        self.format = format
        counted = try row.get(Column.counted)
        hookOf = try row.get(Column.isOfDownload) ? subject : nil
        let ofDownload: String? = try shown.get(ShownColumn.session)
        session = eventSession ?? ofDownload
    }
}
