// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// The first reason why it waits.
public struct RowBlocker: Codable, Hashable, Sendable {
    /// `code` of the API.
    public var code: String
    /// `until` of the API.
    public var until: Date?
    /// `rule` of the API.
    public var rule: String?

    /// Makes one of its members; those that are left out are nil.
    public init(
        code: String,
        until: Date? = nil,
        rule: String? = nil
    ) {
        self.code = code
        self.until = until
        self.rule = rule
    }

    private enum CodingKeys: String, CodingKey {
        case code
        case until
        case rule
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.code, forKey: .code)
        try members.encode(self.until, forKey: .until)
        try members.encode(self.rule, forKey: .rule)
    }
}
