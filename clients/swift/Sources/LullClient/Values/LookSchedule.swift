// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// When a source is looked at:
///
/// `every` or `cron`. With `every`, at once and then once in each interval; with `cron`, at each of
/// its instants on the clock of `time_zone`. If the hour field is `*`, the clock is followed as it
/// goes. Otherwise a time that does not exist when clocks are put forward comes once at the end of
/// the gap, and one that exists twice comes the first time.
public struct LookSchedule: Codable, Hashable, Sendable {
    /// An interval such as `6h`, at least `LULL_SOURCE_MIN_INTERVAL` and at most `366d`.
    ///
    /// `auto`: a quarter of the usual time between two changes, from `15m` to `24h`; `1h` until
    /// that is learned.
    public var every: String?
    /// Minute, hour, day of the month, month, day of the week, as crontab(5) has them:
    ///
    /// `*`, numbers, ranges, steps, lists, names of months and days, `7` for Sunday; also `L`, the
    /// last day of a month, and `N#K`, the Kth such day of the week in a month. If neither day
    /// field begins with `*`, one of both is enough.
    public var cron: String?
    /// The IANA name of the time zone of `cron`;
    ///
    /// UTC if it is absent.
    public var timeZone: String?
    /// The looks are this much later at most, as a duration up to `24h` and shorter than `every`.
    ///
    /// The offset follows from the name of the source and does not change.
    public var jitter: String?
    /// Looks are due within this span only.
    public var between: Between?

    /// Makes one of its members; those that are left out are nil.
    public init(
        every: String? = nil,
        cron: String? = nil,
        timeZone: String? = nil,
        jitter: String? = nil,
        between: Between? = nil
    ) {
        self.every = every
        self.cron = cron
        self.timeZone = timeZone
        self.jitter = jitter
        self.between = between
    }

    private enum CodingKeys: String, CodingKey {
        case every
        case cron
        case timeZone = "time_zone"
        case jitter
        case between
    }

    /// Looks are due within this span only.
    public struct Between: Codable, Hashable, Sendable {
        /// `from` of the API.
        public var from: Date?
        /// `until` of the API.
        public var until: Date?

        /// Makes one of its members; those that are left out are nil.
        public init(
            from: Date? = nil,
            until: Date? = nil
        ) {
            self.from = from
            self.until = until
        }

        private enum CodingKeys: String, CodingKey {
            case from
            case until
        }
    }
}
