// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// One of 2 shapes.
public enum DestinationOrReceiver: Codable, Hashable, Sendable {
    /// A value of the type `Destination`.
    case destination(Destination)
    /// A value of the type `Receiver`.
    case receiver(Receiver)

    /// Reads the first of the shapes whose required members are there.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        if members.hasAll(["name"]) {
            self = .destination(try Destination(from: decoder))
            return
        }
        self = .receiver(try Receiver(from: decoder))
    }

    /// Writes the value alone.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .destination(let value): try value.encode(to: encoder)
        case .receiver(let value): try value.encode(to: encoder)
        }
    }
}
