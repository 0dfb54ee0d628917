package import Downloads

/// A download that runs when a forecast begins.
package struct ForecastRun: Sendable {
    /// The flow whose share it takes.
    package var flow: LaneFlow
    /// Its scheduling class.
    package var schedulingClass: SchedulingClass
    /// Its missing bytes; nil if unknown.
    package var bytesLeft: Int64?
    /// Its rate in bytes a second; nil if it was not measured.
    package var rate: Int64?

    /// Creates a value with all its members.
    package init(
        flow: LaneFlow, schedulingClass: SchedulingClass, bytesLeft: Int64?, rate: Int64?
    ) {
        self.flow = flow
        self.schedulingClass = schedulingClass
        self.bytesLeft = bytesLeft
        self.rate = rate
    }
}
