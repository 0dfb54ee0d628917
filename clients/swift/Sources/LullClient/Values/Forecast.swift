// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `Forecast` of the API.
public struct Forecast: Codable, Hashable, Sendable {
    /// `basis` of the API.
    public var basis: Basis
    /// `next_cursor` of the API.
    public var nextCursor: String?
    /// `downloads` of the API.
    public var downloads: [Downloads]
    /// The present hour, by the clock of the policy's zone, and the next ones; of the app alone
    /// without the scope `admin`.
    public var hours: [Hours]
    /// When windows of the policy, and of that of the app, are open in these hours.
    public var windows: [Windows]
    /// The deployment's rate now, and each change of it; empty if the policy has none.
    public var bandwidth: [Bandwidth]
    /// What is left of the budgets of the deployment and of the app, now and at each begin of a
    /// period.
    public var budgets: [Budgets]

    /// Makes one of its members; those that are left out are nil.
    public init(
        basis: Basis,
        downloads: [Downloads],
        hours: [Hours],
        windows: [Windows],
        bandwidth: [Bandwidth],
        budgets: [Budgets],
        nextCursor: String? = nil
    ) {
        self.basis = basis
        self.nextCursor = nextCursor
        self.downloads = downloads
        self.hours = hours
        self.windows = windows
        self.bandwidth = bandwidth
        self.budgets = budgets
    }

    private enum CodingKeys: String, CodingKey {
        case basis
        case nextCursor = "next_cursor"
        case downloads
        case hours
        case windows
        case bandwidth
        case budgets
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.basis, forKey: .basis)
        try members.encode(self.nextCursor, forKey: .nextCursor)
        try members.encode(self.downloads, forKey: .downloads)
        try members.encode(self.hours, forKey: .hours)
        try members.encode(self.windows, forKey: .windows)
        try members.encode(self.bandwidth, forKey: .bandwidth)
        try members.encode(self.budgets, forKey: .budgets)
    }

    /// `Basis` of the API.
    public struct Basis: Codable, Hashable, Sendable {
        /// RFC 3339 in UTC with milliseconds.
        public var asOf: Date
        /// How many downloads are in it; without the scope `admin` those of the app.
        public var waiting: Int
        /// Whether that is all that waits.
        public var isWhole: Bool
        /// How many futures were simulated in the time that there was.
        public var seeds: Int
        /// How many rates and sizes it rests on; null without the scope `admin`.
        public var samples: Int?
        /// `calibration` of the API.
        public var calibration: Calibration
        /// Conditions of rules whose future is not known.
        public var unknown: [String]

        /// Makes one of its members; those that are left out are nil.
        public init(
            asOf: Date,
            waiting: Int,
            isWhole: Bool,
            seeds: Int,
            calibration: Calibration,
            unknown: [String],
            samples: Int? = nil
        ) {
            self.asOf = asOf
            self.waiting = waiting
            self.isWhole = isWhole
            self.seeds = seeds
            self.samples = samples
            self.calibration = calibration
            self.unknown = unknown
        }

        private enum CodingKeys: String, CodingKey {
            case asOf = "as_of"
            case waiting
            case isWhole = "is_whole"
            case seeds
            case samples
            case calibration
            case unknown
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.asOf, forKey: .asOf)
            try members.encode(self.waiting, forKey: .waiting)
            try members.encode(self.isWhole, forKey: .isWhole)
            try members.encode(self.seeds, forKey: .seeds)
            try members.encode(self.samples, forKey: .samples)
            try members.encode(self.calibration, forKey: .calibration)
            try members.encode(self.unknown, forKey: .unknown)
        }

        /// `Calibration` of the API.
        public struct Calibration: Codable, Hashable, Sendable {
            /// How often a range should hold what comes.
            public var asked: Double
            /// How often it did of late; null where too little was scored
            public var covered7d: Double?

            /// Makes one of its members; those that are left out are nil.
            public init(
                asked: Double,
                covered7d: Double? = nil
            ) {
                self.asked = asked
                self.covered7d = covered7d
            }

            private enum CodingKeys: String, CodingKey {
                case asked
                case covered7d = "covered_7d"
            }

            /// Writes its members; a required one that is nil is null.
            public func encode(to encoder: any Encoder) throws {
                var members = encoder.container(keyedBy: CodingKeys.self)
                try members.encode(self.asked, forKey: .asked)
                try members.encode(self.covered7d, forKey: .covered7d)
            }
        }
    }

    /// `Downloads` of the API.
    @dynamicMemberLookup
    public struct Downloads: Codable, Hashable, Sendable {
        /// The members that it shares with `Expectation`; they can be read as its own.
        public var expectation: Expectation
        /// `id` of the API.
        public var id: String
        /// The first of its blockers.
        public var firstBlocker: String?

        /// Makes one of its members; those that are left out are nil.
        public init(
            expectation: Expectation,
            id: String,
            firstBlocker: String? = nil
        ) {
            self.expectation = expectation
            self.id = id
            self.firstBlocker = firstBlocker
        }

        private enum CodingKeys: String, CodingKey {
            case id
            case firstBlocker = "first_blocker"
        }

        /// Reads its members.
        public init(from decoder: any Decoder) throws {
            expectation = try Expectation(from: decoder)
            let members = try decoder.container(keyedBy: CodingKeys.self)
            self.id = try members.decode(String.self, forKey: .id)
            self.firstBlocker = try members.decodeIfPresent(String.self, forKey: .firstBlocker)
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            try expectation.encode(to: encoder)
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.id, forKey: .id)
            try members.encode(self.firstBlocker, forKey: .firstBlocker)
        }

        /// Reads a member of `expectation`.
        public subscript<Value>(dynamicMember path: KeyPath<Expectation, Value>) -> Value {
            expectation[keyPath: path]
        }
    }

    /// `Hours` of the API.
    public struct Hours: Codable, Hashable, Sendable {
        /// RFC 3339 in UTC with milliseconds.
        public var from: Date
        /// `bytes` of the API.
        public var bytes: Bytes
        /// `running` of the API.
        public var running: Running

        /// Makes one of its members; those that are left out are nil.
        public init(
            from: Date,
            bytes: Bytes,
            running: Running
        ) {
            self.from = from
            self.bytes = bytes
            self.running = running
        }

        private enum CodingKeys: String, CodingKey {
            case from
            case bytes
            case running
        }

        /// `Bytes` of the API.
        public struct Bytes: Codable, Hashable, Sendable {
            /// `p10` of the API.
            public var p10: Int
            /// `p50` of the API.
            public var p50: Int
            /// `p90` of the API.
            public var p90: Int

            /// Makes one of its members; those that are left out are nil.
            public init(
                p10: Int,
                p50: Int,
                p90: Int
            ) {
                self.p10 = p10
                self.p50 = p50
                self.p90 = p90
            }

            private enum CodingKeys: String, CodingKey {
                case p10
                case p50
                case p90
            }
        }

        /// `Running` of the API.
        public struct Running: Codable, Hashable, Sendable {
            /// `p50` of the API.
            public var p50: Double

            /// Makes one of its members; those that are left out are nil.
            public init(
                p50: Double
            ) {
                self.p50 = p50
            }

            private enum CodingKeys: String, CodingKey {
                case p50
            }
        }
    }

    /// `Windows` of the API.
    public struct Windows: Codable, Hashable, Sendable {
        /// Its name, `app/window` for one of the app's policy.
        public var name: String
        /// RFC 3339 in UTC with milliseconds.
        public var from: Date
        /// Null where no end is known.
        public var until: Date?

        /// Makes one of its members; those that are left out are nil.
        public init(
            name: String,
            from: Date,
            until: Date? = nil
        ) {
            self.name = name
            self.from = from
            self.until = until
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case from
            case until
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.name, forKey: .name)
            try members.encode(self.from, forKey: .from)
            try members.encode(self.until, forKey: .until)
        }
    }

    /// `Bandwidth` of the API.
    public struct Bandwidth: Codable, Hashable, Sendable {
        /// RFC 3339 in UTC with milliseconds.
        public var from: Date
        /// Null without a limit.
        public var bytesPerSecond: Int?

        /// Makes one of its members; those that are left out are nil.
        public init(
            from: Date,
            bytesPerSecond: Int? = nil
        ) {
            self.from = from
            self.bytesPerSecond = bytesPerSecond
        }

        private enum CodingKeys: String, CodingKey {
            case from
            case bytesPerSecond = "bytes_per_second"
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.from, forKey: .from)
            try members.encode(self.bytesPerSecond, forKey: .bytesPerSecond)
        }
    }

    /// `Budgets` of the API.
    public struct Budgets: Codable, Hashable, Sendable {
        /// `name` of the API.
        public var name: String
        /// RFC 3339 in UTC with milliseconds.
        public var from: Date
        /// Bytes.
        public var left: Int

        /// Makes one of its members; those that are left out are nil.
        public init(
            name: String,
            from: Date,
            left: Int
        ) {
            self.name = name
            self.from = from
            self.left = left
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case from
            case left
        }
    }
}
