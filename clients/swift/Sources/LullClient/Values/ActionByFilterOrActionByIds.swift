// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// One of 2 shapes.
public enum ActionByFilterOrActionByIds: Codable, Hashable, Sendable {
    /// A value of the type `ActionByFilter`.
    case actionByFilter(ActionByFilter)
    /// A value of the type `ActionByIds`.
    case actionByIds(ActionByIds)

    /// Reads the first of the shapes whose required members are there.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        if members.hasAll(["action", "filter"]) {
            self = .actionByFilter(try ActionByFilter(from: decoder))
            return
        }
        self = .actionByIds(try ActionByIds(from: decoder))
    }

    /// Writes the value alone.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .actionByFilter(let value): try value.encode(to: encoder)
        case .actionByIds(let value): try value.encode(to: encoder)
        }
    }
}
