// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// How an attempt continued received bytes.
public struct ResumeOutcome: Codable, Hashable, Sendable {
    /// `outcome` of the API.
    public var outcome: Outcome
    /// Why bytes were thrown away.
    public var reason: String?
    /// `bytes_discarded` of the API.
    public var bytesDiscarded: Int

    /// Makes one of its members; those that are left out are nil.
    public init(
        outcome: Outcome,
        bytesDiscarded: Int,
        reason: String? = nil
    ) {
        self.outcome = outcome
        self.reason = reason
        self.bytesDiscarded = bytesDiscarded
    }

    private enum CodingKeys: String, CodingKey {
        case outcome
        case reason
        case bytesDiscarded = "bytes_discarded"
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.outcome, forKey: .outcome)
        try members.encode(self.reason, forKey: .reason)
        try members.encode(self.bytesDiscarded, forKey: .bytesDiscarded)
    }

    /// `Outcome` of the API.
    public struct Outcome: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `continued`.
        public static let continued = Outcome(rawValue: "continued")

        /// `restarted`.
        public static let restarted = Outcome(rawValue: "restarted")
    }
}
