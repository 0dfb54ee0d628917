/// A day of the week.
package enum Weekday: Int, Sendable, Hashable, CaseIterable {
    /// The days in the order of ISO 8601, from 0.
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// `Mon` to `Sun`, as HTTP and the policy spell them.
    package var shortName: String {
        switch self {
        case .monday: "Mon"
        case .tuesday: "Tue"
        case .wednesday: "Wed"
        case .thursday: "Thu"
        case .friday: "Fri"
        case .saturday: "Sat"
        case .sunday: "Sun"
        }
    }
}
