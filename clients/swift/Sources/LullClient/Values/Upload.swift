// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// An upload now.
@dynamicMemberLookup
public struct Upload: Codable, Hashable, Sendable {
    /// The members that it shares with `UploadSnapshot`; they can be read as its own.
    public var snapshot: UploadSnapshot
    /// Why it is not being sent; never empty while it is `waiting` or `receiving`, empty otherwise.
    public var blockers: [Blocker]
    /// `deadline_at_risk_since` of the API.
    public var deadlineAtRiskSince: Date?

    /// Makes one of its members; those that are left out are nil.
    public init(
        snapshot: UploadSnapshot,
        blockers: [Blocker],
        deadlineAtRiskSince: Date? = nil
    ) {
        self.snapshot = snapshot
        self.blockers = blockers
        self.deadlineAtRiskSince = deadlineAtRiskSince
    }

    private enum CodingKeys: String, CodingKey {
        case blockers
        case deadlineAtRiskSince = "deadline_at_risk_since"
    }

    /// Reads its members.
    public init(from decoder: any Decoder) throws {
        snapshot = try UploadSnapshot(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.blockers = try members.decode([Blocker].self, forKey: .blockers)
        self.deadlineAtRiskSince = try members.decodeIfPresent(Date.self, forKey: .deadlineAtRiskSince)
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        try snapshot.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.blockers, forKey: .blockers)
        try members.encode(self.deadlineAtRiskSince, forKey: .deadlineAtRiskSince)
    }

    /// Reads a member of `snapshot`.
    public subscript<Value>(dynamicMember path: KeyPath<UploadSnapshot, Value>) -> Value {
        snapshot[keyPath: path]
    }
}
