/// Some deliveries, the newest first.
package struct DeliveryPage: Sendable {
    /// The deliveries; the list may be empty although others follow.
    package let list: [DeliveryView]
    /// The number behind which the next page begins; nil at the end.
    package let next: Int64?
}
