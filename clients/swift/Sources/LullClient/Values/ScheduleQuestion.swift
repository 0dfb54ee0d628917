// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `ScheduleQuestion` of the API.
public struct ScheduleQuestion: Codable, Hashable, Sendable {
    /// When a source is looked at:
    ///
    /// `every` or `cron`. With `every`, at once and then once in each interval; with `cron`, at
    /// each of its instants on the clock of `time_zone`. If the hour field is `*`, the clock is
    /// followed as it goes. Otherwise a time that does not exist when clocks are put forward comes
    /// once at the end of the gap, and one that exists twice comes the first time.
    public var schedule: LookSchedule
    /// The looks are later than this; now if it is absent.
    public var after: Date?
    /// The identifier of the source, from which the offset of `jitter` follows.
    public var name: String?

    /// Makes one of its members; those that are left out are nil.
    public init(
        schedule: LookSchedule,
        after: Date? = nil,
        name: String? = nil
    ) {
        self.schedule = schedule
        self.after = after
        self.name = name
    }

    private enum CodingKeys: String, CodingKey {
        case schedule
        case after
        case name
    }
}
