package import Base

/// The consequences of recorded tries, for log and metrics.
package struct DeliveryEffects: Sendable {
    /// URLs that are paused from now on.
    package var gone: [ReceiverGone] = []
    /// The number of deliveries that were given up untried.
    package var overdue = 0
    /// Endpoints that were disabled, with the reasons.
    package var disabled: [(id: Identifier, reason: String)] = []
}
