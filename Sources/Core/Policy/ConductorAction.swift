/// Something that a replica is to do.
package enum ConductorAction: Equatable, Sendable {
    /// Ask the store for the heads of its lanes.
    case look
    /// Claim from lanes, in this order, at most so many in all.
    case claim([LaneQuota], total: Int)
    /// Begin an attempt.
    case start(Identifier, fence: Int64)
    /// Stop an attempt.
    case stop(Identifier, fence: Int64, RunOrder)
    /// Come back with `ticked` at the instant, if nothing comes before.
    case wake(at: Timestamp)
}
