package import Base
package import Downloads

/// The result of a try.
package struct DeliveryRecord: Sendable {
    /// The delivery.
    package var number: Int64
    /// Its receiver's number.
    package var receiver: Int64
    /// The fence of the try.
    package var fence: Int64
    /// The time of the next try; nil if the delivery has ended.
    package var nextAt: Timestamp?
    /// Whether it was answered with a 2xx.
    package var isDelivered: Bool
    /// The receiver's status.
    package var status: Int?
    /// The error in one sentence.
    package var error: String?
    /// Whether the receiver answered 410.
    package var isGone = false
    /// Whether it is the webhook of a wake, after which the session is looked at.
    package var isWake = false
    /// Whether there was no answer; nil if the receiver was not asked.
    package var isSilent: Bool?
    /// Whether the receiver was known to answer before the try.
    package var wasAnswering = false

    /// The stored result of the try; nil for a first try that succeeded.
    package var kept: DeliveryTry?
    /// The time that the try took, in milliseconds.
    package var milliseconds: Int64?

    /// Whether the receiver's row changes: it waits again, or its standing changes.
    var changesReceiver: Bool {
        nextAt != nil || isSilent == true || (isSilent == false && !wasAnswering)
    }

    /// Creates a value with all its members.
    package init(
        number: Int64, receiver: Int64, fence: Int64, nextAt: Timestamp?, isDelivered: Bool,
        status: Int?,
        error: String?
    ) {
        self.number = number
        self.receiver = receiver
        self.fence = fence
        self.nextAt = nextAt
        self.isDelivered = isDelivered
        self.status = status
        self.error = error
    }
}
