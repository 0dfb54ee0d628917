/// A member of a patch: another value, or none any more.
///
/// A member that is left out stays as it is.
public enum Change<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// The member gets this value.
    case set(Value)
    /// The member is taken away; what its session or the deployment says holds again.
    case remove

    /// Reads null as `remove`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .remove : .set(try container.decode(Value.self))
    }

    /// Writes `remove` as null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .set(let value): try container.encode(value)
        case .remove: try container.encodeNil()
        }
    }
}

extension KeyedDecodingContainer {
    /// The change at a member: nil where it is left out, `remove` where it is null.
    func change<Value>(_: Value.Type, at key: Key) throws -> Change<Value>? {
        guard contains(key) else { return nil }
        if try decodeNil(forKey: key) { return .remove }
        return .set(try decode(Value.self, forKey: key))
    }
}
