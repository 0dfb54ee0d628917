// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `Trigger` of the API.
public struct Trigger: Codable, Hashable, Sendable {
    /// `id` of the API.
    public var id: String
    /// How calls are signed.
    public var signature: TriggerSignature
    /// RFC 3339 in UTC with milliseconds.
    public var createdAt: Date
    /// The last call that was taken.
    public var calledAt: Date?

    /// Makes one of its members; those that are left out are nil.
    public init(
        id: String,
        signature: TriggerSignature,
        createdAt: Date,
        calledAt: Date? = nil
    ) {
        self.id = id
        self.signature = signature
        self.createdAt = createdAt
        self.calledAt = calledAt
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case signature
        case createdAt = "created_at"
        case calledAt = "called_at"
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.id, forKey: .id)
        try members.encode(self.signature, forKey: .signature)
        try members.encode(self.createdAt, forKey: .createdAt)
        try members.encode(self.calledAt, forKey: .calledAt)
    }
}
