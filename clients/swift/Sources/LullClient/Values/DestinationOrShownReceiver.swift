// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// One of 2 shapes.
public enum DestinationOrShownReceiver: Codable, Hashable, Sendable {
    /// A value of the type `Destination`.
    case destination(Destination)
    /// A value of the type `ShownReceiver`.
    case shownReceiver(ShownReceiver)

    /// Reads the first of the shapes whose required members are there.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        if members.hasAll(["authorization", "headers", "hook", "keep_content", "method", "protocol", "url"]) {
            self = .shownReceiver(try ShownReceiver(from: decoder))
            return
        }
        self = .destination(try Destination(from: decoder))
    }

    /// Writes the value alone.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .shownReceiver(let value): try value.encode(to: encoder)
        case .destination(let value): try value.encode(to: encoder)
        }
    }
}
