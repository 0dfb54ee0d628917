/// In which order slots are given away; the lower raw value first.
///
/// Unlike `SchedulingClass`, which a download has, it follows from the instant too.
package enum ServingClass: Int, Sendable, CaseIterable {
    /// Its deadline allows no more waiting.
    case guarded
    /// Not discretionary.
    case normal
    /// Discretionary.
    case discretionary

    /// How a lane is served whose deadline is not near.
    package init(_ schedulingClass: SchedulingClass) {
        self =
            switch schedulingClass {
            case .normal: .normal
            case .discretionary: .discretionary
            }
    }
}
