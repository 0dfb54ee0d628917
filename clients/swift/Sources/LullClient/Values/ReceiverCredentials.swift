// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// A name and its password, or a token.
public enum ReceiverCredentials: Codable, Hashable, Sendable {
    /// A value of the type `BasicCredentials`.
    case basicCredentials(BasicCredentials)
    /// A value of the type `TokenAuthorization`.
    case tokenAuthorization(TokenAuthorization)

    /// Reads the first of the shapes whose required members are there.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        if members.hasAll(["password", "type", "username"]), members.text("type", isOneOf: ["basic"]) {
            self = .basicCredentials(try BasicCredentials(from: decoder))
            return
        }
        self = .tokenAuthorization(try TokenAuthorization(from: decoder))
    }

    /// Writes the value alone.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .basicCredentials(let value): try value.encode(to: encoder)
        case .tokenAuthorization(let value): try value.encode(to: encoder)
        }
    }
}
