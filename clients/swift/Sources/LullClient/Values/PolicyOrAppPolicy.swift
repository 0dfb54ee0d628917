// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// One of 2 shapes.
public enum PolicyOrAppPolicy: Codable, Hashable, Sendable {
    /// A value of the type `Policy`.
    case policy(Policy)
    /// A value of the type `AppPolicy`.
    case appPolicy(AppPolicy)

    /// Reads the first of the shapes whose required members are there.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        if members.hasAll([]) {
            self = .policy(try Policy(from: decoder))
            return
        }
        self = .appPolicy(try AppPolicy(from: decoder))
    }

    /// Writes the value alone.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .policy(let value): try value.encode(to: encoder)
        case .appPolicy(let value): try value.encode(to: encoder)
        }
    }
}
