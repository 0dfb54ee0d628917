/// A download that runs when a forecast begins.
package struct ForecastRun: Sendable {
    /// Whose share it takes.
    package var flow: LaneFlow
    /// Its class.
    package var schedulingClass: SchedulingClass
    /// Bytes that are still to come; nil if unknown.
    package var bytesLeft: Int64?
    /// How fast it is, in bytes a second; nil if that was not measured.
    package var rate: Int64?

    /// Names all of it.
    package init(
        flow: LaneFlow, schedulingClass: SchedulingClass, bytesLeft: Int64?, rate: Int64?
    ) {
        self.flow = flow
        self.schedulingClass = schedulingClass
        self.bytesLeft = bytesLeft
        self.rate = rate
    }
}
