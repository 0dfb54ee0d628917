public import Foundation

/// An event of the journal, of a stream, or of a webhook.
public struct JournalEvent: Codable, Hashable, Sendable {
    /// `evt_…`, the `webhook-id` of its deliveries.
    ///
    /// Nil for progress that is not in the journal, and
    /// in streams, which have the cursor alone.
    public var id: String?
    /// The place in the journal behind the event: give it as `after` to go on from there.
    ///
    /// Nil for
    /// progress in a stream, and in webhooks.
    public var cursor: String?
    /// The type.
    public var type: EventName
    /// When it happened.
    public var timestamp: Date
    /// The name of the app.
    public var app: String?
    /// What it is about.
    public var data: EventData

    private enum CodingKeys: String, CodingKey {
        case id, cursor, type, timestamp, data
    }

    /// Reads an event; its type says what `data` has.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decodeIfPresent(String.self, forKey: .id)
        cursor = try members.decodeIfPresent(String.self, forKey: .cursor)
        type = try members.decode(EventName.self, forKey: .type)
        timestamp = try members.decode(Date.self, forKey: .timestamp)
        let inner = try members.superDecoder(forKey: .data)
        app = try inner.container(keyedBy: AnyKey.self)
            .decodeIfPresent(String.self, forKey: AnyKey(stringValue: "app"))
        data = try EventData(type: type, from: inner)
    }

    /// Writes the event as a page of the journal has it.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encodeIfPresent(cursor, forKey: .cursor)
        try members.encode(type, forKey: .type)
        try members.encode(timestamp, forKey: .timestamp)
        let inner = members.superEncoder(forKey: .data)
        try data.encode(to: inner)
        if let app {
            var further = inner.container(keyedBy: AnyKey.self)
            try further.encode(app, forKey: AnyKey(stringValue: "app"))
        }
    }
}
