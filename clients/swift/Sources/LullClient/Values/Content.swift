// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// The file of a download, once it has succeeded.
public struct Content: Codable, Hashable, Sendable {
    /// The download of which this is the file, because the content has not changed since.
    ///
    /// Absent for a file of its own.
    public var unchangedFrom: String?
    /// `replica`: in the data directory of a replica.
    ///
    /// `store`: in the object store of the destination, from where any replica serves it.
    public var location: Location
    /// The path to GET it from.
    public var href: String
    /// `held`: it can be had;
    ///
    /// `leased`: likewise, until a later `expires_at`, because it was read lately. `released` by
    /// its client, `expired`, `changed` when the file was found edited where it was placed, or
    /// `lost` when it was found missing or damaged: it cannot.
    public var state: State
    /// In bytes.
    public var length: Int
    /// The digest of its bytes, in hexadecimal digits.
    public var sha256: String
    /// Whether its end was proved, by a length, by chunks or by a digest.
    public var lengthVerified: Bool
    /// Whether `length` is `count_of_bytes_client_expects_to_receive`; null without that number.
    public var expectedLengthMatched: Bool?
    /// When it is removed; null for a file that stays until it is deleted.
    public var expiresAt: Date?
    /// Where it was placed; null without `destination`.
    ///
    /// What happens to `content` leaves a file in a folder alone, and an object in a store unless
    /// `destination.keep` is false.
    public var destination: PlacedFile?

    /// Makes one of its members; those that are left out are nil.
    public init(
        location: Location,
        href: String,
        state: State,
        length: Int,
        sha256: String,
        lengthVerified: Bool,
        unchangedFrom: String? = nil,
        expectedLengthMatched: Bool? = nil,
        expiresAt: Date? = nil,
        destination: PlacedFile? = nil
    ) {
        self.unchangedFrom = unchangedFrom
        self.location = location
        self.href = href
        self.state = state
        self.length = length
        self.sha256 = sha256
        self.lengthVerified = lengthVerified
        self.expectedLengthMatched = expectedLengthMatched
        self.expiresAt = expiresAt
        self.destination = destination
    }

    private enum CodingKeys: String, CodingKey {
        case unchangedFrom = "unchanged_from"
        case location
        case href
        case state
        case length
        case sha256
        case lengthVerified = "length_verified"
        case expectedLengthMatched = "expected_length_matched"
        case expiresAt = "expires_at"
        case destination
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(self.unchangedFrom, forKey: .unchangedFrom)
        try members.encode(self.location, forKey: .location)
        try members.encode(self.href, forKey: .href)
        try members.encode(self.state, forKey: .state)
        try members.encode(self.length, forKey: .length)
        try members.encode(self.sha256, forKey: .sha256)
        try members.encode(self.lengthVerified, forKey: .lengthVerified)
        try members.encode(self.expectedLengthMatched, forKey: .expectedLengthMatched)
        try members.encode(self.expiresAt, forKey: .expiresAt)
        try members.encode(self.destination, forKey: .destination)
    }

    /// `replica`: in the data directory of a replica.
    ///
    /// `store`: in the object store of the destination, from where any replica serves it.
    public struct Location: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `replica`.
        public static let replica = Location(rawValue: "replica")

        /// `store`.
        public static let store = Location(rawValue: "store")
    }

    /// `held`: it can be had;
    ///
    /// `leased`: likewise, until a later `expires_at`, because it was read lately. `released` by
    /// its client, `expired`, `changed` when the file was found edited where it was placed, or
    /// `lost` when it was found missing or damaged: it cannot.
    public struct State: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `held`.
        public static let held = State(rawValue: "held")

        /// `leased`.
        public static let leased = State(rawValue: "leased")

        /// `released`.
        public static let released = State(rawValue: "released")

        /// `expired`.
        public static let expired = State(rawValue: "expired")

        /// `changed`.
        public static let changed = State(rawValue: "changed")

        /// `lost`.
        public static let lost = State(rawValue: "lost")
    }
}
