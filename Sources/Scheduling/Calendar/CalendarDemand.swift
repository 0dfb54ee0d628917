package import Base

/// Downloads of one origin whose ends are due at about the same time, as the calendar books them.
package struct CalendarDemand: Equatable, Sendable {
    /// Their origin, `scheme://host:port`.
    package var origin: String
    /// The latest end of these downloads.
    package var end: Timestamp
    /// The number of downloads.
    package var count: Int
    /// Their expected bytes together.
    package var bytes: Double
    /// The expected bytes of the largest of them.
    package var largest: Double
    /// The assumed rate of one transfer, in bytes a second.
    package var rate: Double
    /// The most downloads of the origin that may run at once.
    package var perOrigin: Int

    /// Creates a value with all its members.
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

    /// The time that the largest of them takes.
    var need: Duration { .microseconds(Int64(min(largest / max(1, rate), 4e7) * 1e6)) }
}
