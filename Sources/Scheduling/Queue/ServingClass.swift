package import Downloads

/// The class of a lane in the order of serving; the lower raw value comes first.
///
/// Unlike `SchedulingClass`, which a download has, it depends on the time too.
package enum ServingClass: Int, Sendable, CaseIterable {
    /// Not discretionary, with a deadline that is near.
    case due
    /// Not discretionary.
    case normal
    /// Discretionary, with a deadline that is near.
    case guarded
    /// Discretionary.
    case discretionary

    /// The class of a lane whose deadline is not near.
    package init(_ schedulingClass: SchedulingClass) {
        self =
            switch schedulingClass {
            case .normal: .normal
            case .discretionary: .discretionary
            }
    }

    /// The class of a lane whose deadline is near: discretionary work does not come before normal
    /// work.
    package init(near schedulingClass: SchedulingClass) {
        self =
            switch schedulingClass {
            case .normal: .due
            case .discretionary: .guarded
            }
    }

    /// Whether lanes of the class are served by deadline.
    package var isByDeadline: Bool { self == .due || self == .guarded }

    /// Whether the class is of discretionary work.
    package var isDiscretionary: Bool { self == .guarded || self == .discretionary }
}
