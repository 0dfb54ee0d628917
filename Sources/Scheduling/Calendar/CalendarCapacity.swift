/// The capacity that all downloads share in the hours of a calendar.
package struct CalendarCapacity: Equatable, Sendable {
    /// The most transfers at once; nil for no limit.
    package var slots: Int?
    /// Bytes a second of all transfers in each hour; nil if unknown.
    package var link: [Double]?

    /// Creates a value with both members.
    package init(slots: Int? = nil, link: [Double]? = nil) {
        precondition(link.map { $0.count == PriceCurve.hours } ?? true, "a rate for each hour")
        self.slots = slots
        self.link = link
    }
}
