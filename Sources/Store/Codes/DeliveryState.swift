// The numbers of deliveries.state; functions/codes.sql names the same.

/// Where a delivery stands; the raw value is the number in the store.
enum DeliveryState: Int16, CaseIterable {
    /// It waits for its next try.
    case pending = 0
    /// A replica sends it.
    case sending = 1
    /// The receiver answered 2xx.
    case succeeded = 2
    /// It was tried as often as it may be, or cannot be sent.
    case exhausted = 3
    /// It is not tried any more: its endpoint is gone or disabled, or its URL rests.
    case abandoned = 4
}
