/// The class of a download in scheduling; the raw value is its number in the store.
package enum SchedulingClass: Int16, Sendable, CaseIterable {
    /// Served in the order of rank.
    case normal = 0
    /// Served when the policy allows it and no normal download is due.
    case discretionary = 2
}
