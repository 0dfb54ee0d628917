/// A download that was claimed.
package struct ClaimedRun: Equatable, Sendable {
    /// Its name.
    package var id: Identifier
    /// The fence of the attempt.
    package var fence: Int64
    /// An order that was already waiting for it.
    package var order: RunOrder?
    /// Bytes that it still expects; 0 if unknown.
    package var need: Int64

    /// Whose share it takes.
    package var flow = LaneFlow(app: 1, session: 1, origin: 1)
    /// Its class.
    package var schedulingClass = SchedulingClass.normal
    /// The lane from which it was claimed.
    package var lane: Int64 = 0
    /// Whether it was let through to find out whether its origin is reached again.
    package var isProbe = false
    /// Whether it waits for connectivity.
    package var waitsForConnectivity = true

    /// Names what every claim has.
    package init(id: Identifier, fence: Int64, order: RunOrder? = nil, need: Int64 = 0) {
        self.id = id
        self.fence = fence
        self.order = order
        self.need = need
    }
}
