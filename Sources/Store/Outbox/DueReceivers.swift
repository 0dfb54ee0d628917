package import Base
package import Downloads

/// Receivers with due deliveries, as one look found them.
package struct DueReceivers: Sendable {
    /// The receivers, a bounded number of each standing, the longest due first.
    package let list: [DeliveryPlaces.DueReceiver]
    /// The database's clock.
    package let now: Timestamp
}
