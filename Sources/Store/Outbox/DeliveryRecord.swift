package import Core

/// What became of a try.
package struct DeliveryRecord: Sendable {
    /// The delivery.
    package var number: Int64
    /// Its receiver's number.
    package var receiver: Int64
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
    /// Whether the receiver answered 410.
    package var isGone = false
    /// Whether it sends a wake, whose session is looked at then.
    package var isWake = false
    /// Whether no answer came; nil where the receiver was not asked.
    package var isSilent: Bool?
    /// Whether the receiver was known to answer before the try.
    package var wasAnswering = false

    /// What came of the try, where it is kept: all but a first one that succeeded.
    package var kept: DeliveryTry?
    /// How long the try took.
    package var milliseconds: Int64?

    /// Whether the receiver's row changes: it waits again, or another thing is known of it.
    var changesReceiver: Bool {
        nextAt != nil || isSilent == true || (isSilent == false && !wasAnswering)
    }

    /// Names all of it.
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
