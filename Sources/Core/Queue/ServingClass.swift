/// In which order slots are given away; the lower raw value first.
///
/// Unlike `SchedulingClass`, which a download has, it follows from the instant too.
package enum ServingClass: Int, Sendable, CaseIterable {
    /// Not discretionary, and its deadline allows no more waiting.
    case due
    /// Not discretionary.
    case normal
    /// Discretionary, and its deadline allows no more waiting.
    case guarded
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

    /// How a lane is served whose deadline is near: what had time until then does not come before
    /// what has none.
    package init(near schedulingClass: SchedulingClass) {
        self =
            switch schedulingClass {
            case .normal: .due
            case .discretionary: .guarded
            }
    }

    /// Whether the first deadline comes first in it.
    package var isByDeadline: Bool { self == .due || self == .guarded }

    /// Whether it is of discretionary work.
    package var isDiscretionary: Bool { self == .guarded || self == .discretionary }
}
