// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `ScheduleTrial` of the API.
public struct ScheduleTrial: Codable, Hashable, Sendable {
    /// When a source is looked at:
    ///
    /// `every` or `cron`. With `every`, at once and then once in each interval; with `cron`, at
    /// each of its instants on the clock of `time_zone`. If the hour field is `*`, the clock is
    /// followed as it goes. Otherwise a time that does not exist when clocks are put forward comes
    /// once at the end of the gap, and one that exists twice comes the first time.
    public var schedule: LookSchedule
    /// The offset that `jitter` gives to this source.
    public var offsetSeconds: Int
    /// `instants` of the API.
    public var instants: [Instants]

    /// Makes one of its members; those that are left out are nil.
    public init(
        schedule: LookSchedule,
        offsetSeconds: Int,
        instants: [Instants]
    ) {
        self.schedule = schedule
        self.offsetSeconds = offsetSeconds
        self.instants = instants
    }

    private enum CodingKeys: String, CodingKey {
        case schedule
        case offsetSeconds = "offset_seconds"
        case instants
    }

    /// `Instants` of the API.
    public struct Instants: Codable, Hashable, Sendable {
        /// `at` of the API.
        public var at: Date
        /// The same instant on the clock of the schedule's time zone.
        public var local: Date
        /// `gap`: the time does not exist on that day, and the look is due at the end of the gap.
        ///
        /// `repeat`: the time exists twice on that day.
        public var clockChange: ClockChange?

        /// Makes one of its members; those that are left out are nil.
        public init(
            at: Date,
            local: Date,
            clockChange: ClockChange? = nil
        ) {
            self.at = at
            self.local = local
            self.clockChange = clockChange
        }

        private enum CodingKeys: String, CodingKey {
            case at
            case local
            case clockChange = "clock_change"
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.at, forKey: .at)
            try members.encode(self.local, forKey: .local)
            try members.encode(self.clockChange, forKey: .clockChange)
        }

        /// `gap`: the time does not exist on that day, and the look is due at the end of the gap.
        ///
        /// `repeat`: the time exists twice on that day.
        public struct ClockChange: OpenWord {
            /// The word as the API writes it; it may be one that this version does not know.
            public let rawValue: String

            /// Makes any word.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// `gap`.
            public static let gap = ClockChange(rawValue: "gap")

            /// `repeat`.
            public static let `repeat` = ClockChange(rawValue: "repeat")
        }
    }
}
