package import Base

/// Selects deliveries of an app.
package struct DeliveryFilter: Sendable {
    /// The kind of receiver.
    package enum Receiver: Sendable, Equatable {
        /// The receivers of `webhook_url`s.
        case addresses
        /// An endpoint, by the number of its row.
        case endpoint(Int64)
    }

    /// The receiver; nil for all.
    package var receiver: Receiver?
    /// The state; nil for all.
    package var state: DeliveryView.State?
    /// The download; nil for all.
    package var download: Identifier?

    /// Creates a filter that selects all deliveries.
    package init() {}
}
