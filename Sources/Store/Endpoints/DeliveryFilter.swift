package import Core

/// Which deliveries of an app are listed.
package struct DeliveryFilter: Sendable {
    /// Whose deliveries.
    package enum Receiver: Sendable, Equatable {
        /// Those for `webhook_url`s.
        case addresses
        /// Those of an endpoint, by the number of its row.
        case endpoint(Int64)
    }

    /// Of one kind of receiver; nil for all.
    package var receiver: Receiver?
    /// In this state; nil for all.
    package var state: DeliveryView.State?
    /// Of one download; nil for all.
    package var download: Identifier?

    /// All.
    package init() {}
}
