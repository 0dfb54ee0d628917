// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `KeyPatch` of the API.
public struct KeyPatch: Codable, Hashable, Sendable {
    /// `scopes` of the API.
    public var scopes: [KeyScope]?
    /// `limits` of the API.
    public var limits: Change<KeyLimitsPatch>?

    /// Makes one of its members; those that are left out are nil.
    public init(
        scopes: [KeyScope]? = nil,
        limits: Change<KeyLimitsPatch>? = nil
    ) {
        self.scopes = scopes
        self.limits = limits
    }

    private enum CodingKeys: String, CodingKey {
        case scopes
        case limits
    }

    /// Reads its members.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.scopes = try members.decodeIfPresent([KeyScope].self, forKey: .scopes)
        self.limits = try members.change(KeyLimitsPatch.self, at: .limits)
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(self.scopes, forKey: .scopes)
        try members.encodeIfPresent(self.limits, forKey: .limits)
    }
}
