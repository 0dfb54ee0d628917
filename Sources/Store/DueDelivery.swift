// Deliveries on their way: what is tried, what became of it, and receivers that rest.
package import Core

/// A delivery that this replica is to try now.
package struct DueDelivery: Sendable {
    /// Its key.
    package let number: Int64
    /// The fence of this try.
    package let fence: Int64
    /// The number of this try, from 1.
    package let attempt: Int
    /// Where to.
    package let url: String
    /// The event's type.
    package let type: EventType
    /// What is sent, the same bytes on every try.
    package let message: WebhookMessage
}

/// What became of a try.
package struct DeliveryRecord: Sendable {
    /// The delivery.
    package var number: Int64
    /// The fence of the try.
    package var fence: Int64
    /// When to try again; nil ends it.
    package var nextAt: Timestamp?
    /// Whether a 2xx came.
    package var isDelivered: Bool
    /// The receiver's status.
    package var status: Int?
    /// What went wrong, one sentence.
    package var error: String?
    /// Whether the receiver said that it is gone for good (410).
    package var isGone = false

    /// Names all of it.
    package init(
        number: Int64, fence: Int64, nextAt: Timestamp?, isDelivered: Bool, status: Int?,
        error: String?
    ) {
        self.number = number
        self.fence = fence
        self.nextAt = nextAt
        self.isDelivered = isDelivered
        self.status = status
        self.error = error
    }
}

/// A webhook URL to which nothing is sent for a time, because it answered 410 Gone.
package struct RestingReceiver: Sendable, Equatable {
    /// The URL.
    package let url: String
    /// When it answered so first.
    package let since: Timestamp
    /// Until when nothing is sent to it.
    package let until: Timestamp
}

/// A URL that began to rest, for the log.
package struct ReceiverGone: Sendable {
    /// Whose deliveries.
    package let app: Int64
    /// The URL.
    package let url: String
    /// Until when.
    package let until: Timestamp
    /// How many further deliveries were given up at once.
    package let ended: Int64
}

/// A delivery that this replica claimed and whose event cannot be read.
package struct UnreadableDelivery: Sendable {
    /// Its key.
    package let number: Int64
    /// The fence of this try.
    package let fence: Int64
    /// Whose event it is.
    package let download: Identifier
    /// What is wrong with it, for the log.
    package let reason: String
}

/// What a claim of deliveries brought.
package struct DeliveryClaim: Sendable {
    /// What is to be tried now.
    package var due: [DueDelivery] = []
    /// What has to be given up.
    package var unreadable: [UnreadableDelivery] = []
    /// How many were due and were given up, because their receiver rests.
    package var ended = 0
    /// The database's clock; of no meaning where there is nothing.
    package var now: Timestamp = .epoch
    /// Whether nothing was due.
    package var isEmpty: Bool { due.isEmpty && unreadable.isEmpty && ended == 0 }
}
