internal import Core

/// Some deliveries, the newest first.
package struct DeliveryPage: Sendable {
    /// The deliveries; there may be none and still be others behind.
    package let list: [DeliveryView]
    /// The number behind which to go on; nil at the end.
    package let next: Int64?
}
