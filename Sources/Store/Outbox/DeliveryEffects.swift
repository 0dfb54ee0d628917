package import Core

/// What the outcomes of tries have led to, for log and metrics.
package struct DeliveryEffects: Sendable {
    /// URLs that rest from now on.
    package var gone: [ReceiverGone] = []
    /// How many deliveries were given up untried.
    package var overdue = 0
    /// Endpoints that were disabled, and why.
    package var disabled: [(id: Identifier, reason: String)] = []
}
