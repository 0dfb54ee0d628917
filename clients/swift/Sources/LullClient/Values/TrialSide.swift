// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `TrialSide` of the API.
public struct TrialSide: Codable, Hashable, Sendable {
    /// `until` of the API.
    public var until: Date?
    /// `blockers` of the API.
    public var blockers: [Blocker]

    /// Makes one of its members; those that are left out are nil.
    public init(
        blockers: [Blocker],
        until: Date? = nil
    ) {
        self.until = until
        self.blockers = blockers
    }

    private enum CodingKeys: String, CodingKey {
        case until
        case blockers
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.until, forKey: .until)
        try members.encode(self.blockers, forKey: .blockers)
    }
}
