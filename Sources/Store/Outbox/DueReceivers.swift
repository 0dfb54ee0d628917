package import Core

/// Receivers of which something is due, as one look found them.
package struct DueReceivers: Sendable {
    /// The receivers, a bounded number of each standing, the longest due first.
    package let list: [DeliveryPlaces.DueReceiver]
    /// The database's clock.
    package let now: Timestamp
}
