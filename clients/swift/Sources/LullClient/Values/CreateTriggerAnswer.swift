// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `CreateTriggerAnswer` of the API.
@dynamicMemberLookup
public struct CreateTriggerAnswer: Codable, Hashable, Sendable {
    /// The members that it shares with `Trigger`; they can be read as its own.
    public var trigger: Trigger
    /// Whoever has it may ask the source to look.
    public var token: String
    /// The secret that signs calls: 64 hexadecimal digits for `github`, `whsec_` and base 64 for
    /// `standard_webhooks`; null for `none`.
    public var secret: String?

    /// Makes one of its members; those that are left out are nil.
    public init(
        trigger: Trigger,
        token: String,
        secret: String? = nil
    ) {
        self.trigger = trigger
        self.token = token
        self.secret = secret
    }

    private enum CodingKeys: String, CodingKey {
        case token
        case secret
    }

    /// Reads its members.
    public init(from decoder: any Decoder) throws {
        trigger = try Trigger(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.token = try members.decode(String.self, forKey: .token)
        self.secret = try members.decodeIfPresent(String.self, forKey: .secret)
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        try trigger.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.token, forKey: .token)
        try members.encode(self.secret, forKey: .secret)
    }

    /// Reads a member of `trigger`.
    public subscript<Value>(dynamicMember path: KeyPath<Trigger, Value>) -> Value {
        trigger[keyPath: path]
    }
}
