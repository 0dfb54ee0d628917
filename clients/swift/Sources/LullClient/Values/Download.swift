// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// A download now.
@dynamicMemberLookup
public struct Download: Codable, Hashable, Sendable {
    /// The members that it shares with `DownloadSnapshot`; they can be read as its own.
    public var snapshot: DownloadSnapshot
    /// Why it is not running; never empty while it is `waiting`, empty otherwise.
    public var blockers: [Blocker]
    /// Since when it is expected to miss `begin_deadline` or `complete_by`; null while it is not,
    /// and after its end.
    ///
    /// `explain` says why.
    public var deadlineAtRiskSince: Date?

    /// Makes one of its members; those that are left out are nil.
    public init(
        snapshot: DownloadSnapshot,
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
        snapshot = try DownloadSnapshot(from: decoder)
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
    public subscript<Value>(dynamicMember path: KeyPath<DownloadSnapshot, Value>) -> Value {
        snapshot[keyPath: path]
    }
}
