// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `CreatedKey` of the API.
public struct CreatedKey: Codable, Hashable, Sendable {
    /// `id` of the API.
    public var id: String
    /// `app` of the API.
    public var app: String
    /// `scopes` of the API.
    public var scopes: [KeyScope]
    /// The limits of the app, for all its keys; null without one.
    public var limits: KeyLimits
    /// `created_at` of the API.
    public var createdAt: Date
    /// `last_used_at` of the API.
    public var lastUsedAt: Date?
    /// `revoked_at` of the API.
    public var revokedAt: Date?
    /// The text of the key, `lull_…`, which a client sends as `Authorization:
    ///
    /// Bearer`.
    public var key: String

    /// Makes one of its members; those that are left out are nil.
    public init(
        id: String,
        app: String,
        scopes: [KeyScope],
        limits: KeyLimits,
        createdAt: Date,
        key: String,
        lastUsedAt: Date? = nil,
        revokedAt: Date? = nil
    ) {
        self.id = id
        self.app = app
        self.scopes = scopes
        self.limits = limits
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.revokedAt = revokedAt
        self.key = key
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case app
        case scopes
        case limits
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case revokedAt = "revoked_at"
        case key
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.id, forKey: .id)
        try members.encode(self.app, forKey: .app)
        try members.encode(self.scopes, forKey: .scopes)
        try members.encode(self.limits, forKey: .limits)
        try members.encode(self.createdAt, forKey: .createdAt)
        try members.encode(self.lastUsedAt, forKey: .lastUsedAt)
        try members.encode(self.revokedAt, forKey: .revokedAt)
        try members.encode(self.key, forKey: .key)
    }
}
