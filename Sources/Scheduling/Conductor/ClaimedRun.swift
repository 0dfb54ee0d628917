package import Base
package import Downloads

/// A download that was claimed.
package struct ClaimedRun: Equatable, Sendable {
    /// The download's identifier.
    package var id: Identifier
    /// The fence of the attempt.
    package var fence: Int64
    /// An order for it that waited in the store.
    package var order: RunOrder?
    /// Missing bytes; 0 if unknown.
    package var need: Int64

    /// The flow whose share it takes.
    package var flow = LaneFlow(app: 1, session: 1, origin: 1)
    /// Its scheduling class.
    package var schedulingClass = SchedulingClass.normal
    /// The lane from which it was claimed.
    package var lane: Int64 = 0
    /// Whether it probes an origin that was not reached.
    package var isProbe = false
    /// Whether it waits for connectivity.
    package var waitsForConnectivity = true

    /// Creates a claim with the values that every one has.
    package init(id: Identifier, fence: Int64, order: RunOrder? = nil, need: Int64 = 0) {
        self.id = id
        self.fence = fence
        self.order = order
        self.need = need
    }
}
