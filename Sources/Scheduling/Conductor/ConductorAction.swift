package import Base
package import Downloads

/// An action that the conductor asks for.
package enum ConductorAction: Equatable, Sendable {
    /// Ask the store for lanes that are due, from a cursor on.
    case look(LaneCursor)
    /// Claim downloads from lanes, in this order.
    case claim(ClaimOrder)
    /// Begin an attempt.
    case start(Identifier, fence: Int64)
    /// Stop an attempt.
    case stop(Identifier, fence: Int64, RunOrder)
    /// Send `ticked` at the instant, unless another event comes before.
    case wake(at: Timestamp)
}
