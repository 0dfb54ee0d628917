/// A word of the API: one of those that this version knows, or one that was added to the API since.
public protocol OpenWord: RawRepresentable<String>, Codable, Hashable, Sendable,
    ExpressibleByStringLiteral, CustomStringConvertible
{
    /// Makes any word.
    init(rawValue: String)
}

extension OpenWord {
    /// Makes a word as the API writes it.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The word as the API writes it.
    public var description: String { rawValue }

    /// Reads any text.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try String(from: decoder))
    }

    /// Writes the word alone.
    public func encode(to encoder: any Encoder) throws {
        try rawValue.encode(to: encoder)
    }
}
