/// What is served first; the raw value is the number in the store.
package enum SchedulingClass: Int16, Sendable, CaseIterable {
    /// Served in the order of rank.
    case normal = 0
    /// Served when the policy allows and nothing normal is due.
    case discretionary = 2
}
