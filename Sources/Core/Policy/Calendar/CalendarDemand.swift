/// Downloads of one origin that have to end at about the same time, as the calendar books them.
package struct CalendarDemand: Equatable, Sendable {
    /// Their origin, `scheme://host:port`.
    package var origin: String
    /// When they should be complete at the latest.
    package var end: Timestamp
    /// How many there are.
    package var count: Int
    /// What they are expected to bring together.
    package var bytes: Double
    /// The most that one of them is expected to bring.
    package var largest: Double
    /// The rate in bytes a second that one transfer is counted on to have.
    package var rate: Double
    /// How many of the origin may run at once.
    package var perOrigin: Int

    /// Names all of it.
    package init(
        origin: String, end: Timestamp, count: Int, bytes: Double, largest: Double, rate: Double,
        perOrigin: Int
    ) {
        self.origin = origin
        self.end = end
        self.count = count
        self.bytes = bytes
        self.largest = largest
        self.rate = rate
        self.perOrigin = perOrigin
    }

    /// How long the largest of them takes.
    var need: Duration { .microseconds(Int64(min(largest / max(1, rate), 4e7) * 1e6)) }
}
