// Deliveries on their way: what is tried, what became of it, and receivers that rest.
package import Core

/// A delivery that this replica is to try now.
package struct DueDelivery: Sendable {
    /// Its key.
    package let number: Int64
    /// Its receiver's number.
    package let receiver: Int64
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
