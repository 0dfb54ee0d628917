// The numbers of deliveries.state.

/// The state of a delivery; the raw value is the number in the store.
enum DeliveryState: Int16, CaseIterable {
    /// It waits for its next try.
    case pending = 0
    /// A replica sends it.
    case sending = 1
    /// The receiver answered 2xx.
    case succeeded = 2
    /// It was tried the allowed number of times, or cannot be sent.
    case exhausted = 3
    /// It is no longer tried: its endpoint is gone or disabled, or its URL is paused after a 410.
    case abandoned = 4
}
