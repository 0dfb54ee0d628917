// Deliveries on their way: what is tried, what became of it, and receivers that rest.
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
    /// The sealed headers and credentials of its endpoint, or the sealed secrets of its session;
    /// nil for none.
    package let sealed: [UInt8]?
    /// The name of its session; nil if it has none.
    package let session: String?

    /// The identifier.
    package let id: Identifier

    init(_ row: Row, base: String, names: PublicNames) throws(PostgresError) {
        guard let stored = try row.get(8, as: Int16?.self) else {
            throw PostgresError(.decoding, "its event is not kept any more")
        }
        guard let type = EventType(rawValue: stored) else {
            throw PostgresError(.decoding, "an event type that this program does not know")
        }
        guard let url = try row.get(3, as: String?.self) else {
            throw PostgresError(.decoding, "it has no URL")
        }
        let subject = try row.get(2, as: UUIDValue.self).identifier
        let at = try row.get(9, as: TimestampValue.self).timestamp
        let data: String
        if let payload = try row.get(14, as: String?.self) {
            data = try names.data(payload, of: type)
        } else {
            data = try DerivedData(
                type: type, download: subject, at: at,
                sequence: Int64(try row.get(10, as: Int32.self)),
                attempt: Int(try row.get(11, as: Int32.self)), bytes: try row.get(12),
                total: try row.get(13)
            ).text(row, from: 16, result: 24)
        }
        var message = WebhookMessage(
            event: names.event(try row.get(7, as: UUIDValue.self).identifier), type: type,
            subject: names.subject(subject, of: type), at: at, data: data,
            app: try row.get(27, as: String?.self) ?? "",
            session: try row.get(32), base: base)
        message.traceparent = try row.get(15, as: String?.self)
        requestID = try row.get(33, as: String?.self)
        self.message = message
        self.type = type
        self.url = url
        number = try row.get(0)
        id = names.delivery(number)
        receiver = try row.get(1)
        fence = try row.get(5)
        attempt = Int(try row.get(4, as: Int32.self))
        redeliveredAfter = Int(try row.get(25, as: Int32.self))
        app = Int64(try row.get(26, as: Int32.self))
        endpoint =
            try row.get(28, as: Int64?.self) == nil
            ? nil : try row.get(29, as: UUIDValue?.self)?.identifier
        secret = try row.get(30, as: [UInt8]?.self)
        replacedSecrets = try row.get(31)
        sealed = try row.get(34, as: [UInt8]?.self)
        let ofDownload: String? = try row.get(16)
        session = try row.get(32, as: String?.self) ?? ofDownload
    }
}
