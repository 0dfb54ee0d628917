// The numbers of deliveries.state; functions/codes.sql names the same.

/// Where a delivery stands; the raw value is the number in the store.
enum DeliveryState: Int16, CaseIterable {
    /// It waits for its next try.
    case pending = 0
    /// A replica sends it.
    case sending = 1
    /// The receiver answered 2xx.
    case delivered = 2
    /// No further try is made.
    case givenUp = 3
}
