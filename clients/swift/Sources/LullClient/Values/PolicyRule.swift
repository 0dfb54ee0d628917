// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Downloads that `match` means wait until everything in `require` holds.
public struct PolicyRule: Codable, Hashable, Sendable {
    /// Its name, which blockers show.
    public var name: String
    /// The downloads that it concerns: all given members have to match; of a list, one value.
    public var match: PolicyMatch?
    /// Requirements, all of which have to hold: [not] window NAME, or NAME < VALUE [for 60s] [until
    /// > VALUE].
    public var require: [String]?
    /// A condition; hours in which its value is least or most are preferred.
    public var prefer: String?
    /// Whether it is given up as the download gets older or its deadline comes near.
    public var soft: Bool?
    /// Whether running downloads finish or stop when it closes; only downloads that can be resumed
    /// are stopped.
    ///
    /// By default stop for soft rules and those that only prefer, finish for others.
    public var atClose: AtClose?

    /// Makes one of its members; those that are left out are nil.
    public init(
        name: String,
        match: PolicyMatch? = nil,
        require: [String]? = nil,
        prefer: String? = nil,
        soft: Bool? = nil,
        atClose: AtClose? = nil
    ) {
        self.name = name
        self.match = match
        self.require = require
        self.prefer = prefer
        self.soft = soft
        self.atClose = atClose
    }

    private enum CodingKeys: String, CodingKey {
        case name
        case match
        case require
        case prefer
        case soft
        case atClose = "at_close"
    }

    /// Whether running downloads finish or stop when it closes; only downloads that can be resumed
    /// are stopped.
    ///
    /// By default stop for soft rules and those that only prefer, finish for others.
    public struct AtClose: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `finish`.
        public static let finish = AtClose(rawValue: "finish")

        /// `stop`.
        public static let stop = AtClose(rawValue: "stop")
    }
}
