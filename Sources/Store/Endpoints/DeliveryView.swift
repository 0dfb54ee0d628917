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
    /// The delivery whose message to people counts this one; nil if it is sent by itself.
    package let countedIn: Identifier?
    /// Whether its download was deleted, so that it cannot be sent once more.
    package let isErased: Bool
    /// The bytes that are sent; nil if they were not asked for, or are erased.
    package var body: [UInt8]?

    /// The identifier.
    package let id: Identifier

    static let tables = """
        LEFT JOIN events e ON e.download_id = v.download_id AND e.sequence = v.sequence
        LEFT JOIN downloads x ON x.id = v.download_id
        LEFT JOIN webhook_endpoints w ON w.endpoint_no = v.endpoint_no
        """

    init(_ row: Row, names: PublicNames) throws(PostgresError) {
        typealias Column = DeliveryColumn
        number = try row.integer(Column.deliveryNo)
        id = names.delivery(number)
        let stored = DeliveryState(rawValue: try row.get(Column.state))
        state =
            switch stored {
            case .succeeded: .succeeded
            case .exhausted: .exhausted
            case .abandoned: .abandoned
            case .pending, .sending: .pending
            case nil:
                throw PostgresError(
                    .decoding, "a delivery has a state that this version of lull does not know")
            }
        subject = try row.identifier(Column.downloadID)
        attempts = try row.get(Column.attempt)
        nextAttemptAt = state == .pending ? try row.instant(Column.runAt) : nil
        completedAt = try row.instant(Column.finishedAt)
        error = state == .succeeded ? nil : try row.get(Column.lastError)
        let isOfEndpoint = try row.optionalInteger(Column.endpointNo) != nil
        endpoint = isOfEndpoint ? try row.optionalIdentifier(Column.endpointID) : nil
        type = try row.get(Column.type, as: Int16?.self).flatMap { EventType(rawValue: $0) }
        eventAt = try row.instant(Column.at)
        event = try row.optionalIdentifier(Column.eventID).map { names.event($0) }
        countedIn = try row.optionalInteger(Column.noticeNo).map { names.delivery($0) }
        isErased = try row.bool(Column.isErased)
        url = isErased ? nil : try row.get(Column.url)
        if let text = try row.get(Column.tries, as: String?.self) {
            tries = try DeliveryView.tries(text)
        } else if state == .succeeded, let completedAt {
            let milliseconds = try row.optionalInteger(Column.lastMs)
            tries = [
                DeliveryTry(
                    at: completedAt - .milliseconds(milliseconds ?? 0),
                    milliseconds: milliseconds, status: try row.get(Column.lastStatus))
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
