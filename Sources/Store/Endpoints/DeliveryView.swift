package import Base
package import Downloads
internal import Postgres

/// A delivery in the form for its app.
package struct DeliveryView: Sendable {
    /// The state of a delivery.
    package enum State: String, Sendable, CaseIterable {
        /// It waits for a try, or is being sent.
        case pending
        /// The receiver answered 2xx.
        case succeeded
        /// It was tried the allowed number of times, or cannot be sent.
        case exhausted
        /// It is no longer tried: its endpoint is gone or disabled, or its URL is paused after a
        /// 410.
        case abandoned
    }

    /// Its number.
    package let number: Int64
    /// The state.
    package let state: State
    /// The event; nil if it is no longer kept.
    package let event: Identifier?
    /// The event's type; nil if the event is no longer kept.
    package let type: EventType?
    /// The time at which the event happened.
    package let eventAt: Timestamp?
    /// The subject of the event.
    package let subject: Identifier
    /// The endpoint; nil for a `webhook_url`.
    package let endpoint: Identifier?
    /// The URL of the receiver; nil if it is erased.
    package let url: String?
    /// The results of the tries, the oldest first; at most the last fifty.
    package let tries: [DeliveryTry]
    /// The number of tries.
    package let attempts: Int
    /// The time at which it is tried next; nil once it has ended.
    package let nextAttemptAt: Timestamp?
    /// The time at which it ended.
    package let completedAt: Timestamp?
    /// The reason why it ended without success, or the error of the last try.
    package let error: String?
    /// Whether its download was deleted, so that it cannot be sent once more.
    package let isErased: Bool
    /// The bytes that are sent; nil if they were not asked for, or are erased.
    package var body: [UInt8]?

    /// The identifier.
    package let id: Identifier

    static let columns = """
        v.delivery_no, v.state, v.download_id, v.attempt, v.run_at, v.finished_at, v.last_status,
        v.last_ms, v.last_error, v.tries::text,
        coalesce(w.url, lull_delivery_url(v.url, x.spec, e.type)),
        v.endpoint_no, w.id, e.type, e.at, lull_event_id(e.at, e.journal_no, e.xid),
        x.id IS NULL AND e.payload IS NULL
        """

    static let columnCount = 17

    static let tables = """
        LEFT JOIN events e ON e.download_id = v.download_id AND e.sequence = v.sequence
        LEFT JOIN downloads x ON x.id = v.download_id
        LEFT JOIN webhook_endpoints w ON w.endpoint_no = v.endpoint_no
        """

    init(_ row: Row, from first: Int = 0, names: PublicNames) throws(PostgresError) {
        func instant(_ column: Int) throws(PostgresError) -> Timestamp? {
            try row.get(first + column, as: TimestampValue?.self)?.timestamp
        }
        number = try row.get(first)
        id = names.delivery(number)
        let stored = DeliveryState(rawValue: try row.get(first + 1))
        state =
            switch stored {
            case .succeeded: .succeeded
            case .exhausted: .exhausted
            case .abandoned: .abandoned
            case .pending, .sending: .pending
            case nil: throw PostgresError(.decoding, "a state that this program does not know")
            }
        subject = try row.get(first + 2, as: UUIDValue.self).identifier
        attempts = Int(try row.get(first + 3, as: Int32.self))
        nextAttemptAt = state == .pending ? try instant(4) : nil
        completedAt = try instant(5)
        error = state == .succeeded ? nil : try row.get(first + 8)
        let isOfEndpoint = try row.get(first + 11, as: Int64?.self) != nil
        endpoint =
            isOfEndpoint ? try row.get(first + 12, as: UUIDValue?.self)?.identifier : nil
        type = try row.get(first + 13, as: Int16?.self).flatMap { EventType(rawValue: $0) }
        eventAt = try instant(14)
        event = try row.get(first + 15, as: UUIDValue?.self).map { names.event($0.identifier) }
        isErased = try row.get(first + 16)
        url = isErased ? nil : try row.get(first + 10)
        if let text = try row.get(first + 9, as: String?.self) {
            tries = try DeliveryView.tries(text)
        } else if state == .succeeded, let completedAt {
            let milliseconds = try row.get(first + 7, as: Int32?.self).map(Int64.init)
            tries = [
                DeliveryTry(
                    at: completedAt - .milliseconds(milliseconds ?? 0),
                    milliseconds: milliseconds,
                    status: try row.get(first + 6, as: Int32?.self).map { Int($0) })
            ]
        } else {
            tries = []
        }
    }

    private static func tries(_ text: String) throws(PostgresError) -> [DeliveryTry] {
        do throws(JSONError) {
            return (try JSON.parse(Array(text.utf8)).arrayValue ?? []).compactMap {
                DeliveryTry(stored: $0)
            }
        } catch {
            throw PostgresError(.decoding, "the tries of a delivery are not JSON")
        }
    }
}
