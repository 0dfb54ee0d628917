/// Something that a replica is to do.
package enum ConductorAction: Equatable, Sendable {
    /// Ask the store for lanes that are due, from a place on.
    case look(LaneCursor)
    /// Claim from lanes, in this order.
    case claim(ClaimOrder)
    /// Begin an attempt.
    case start(Identifier, fence: Int64)
    /// Stop an attempt.
    case stop(Identifier, fence: Int64, RunOrder)
    /// Come back with `ticked` at the instant, if nothing comes before.
    case wake(at: Timestamp)
}
