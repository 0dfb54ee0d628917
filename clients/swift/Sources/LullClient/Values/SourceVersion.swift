// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `SourceVersion` of the API.
public struct SourceVersion: Codable, Hashable, Sendable {
    /// `version` of the API.
    public var version: Int
    /// `download` of the API.
    public var download: String
    /// `sha256` of the API.
    public var sha256: String
    /// `length` of the API.
    public var length: Int
    /// RFC 3339 in UTC with milliseconds.
    public var seenAt: Date

    /// Makes one of its members; those that are left out are nil.
    public init(
        version: Int,
        download: String,
        sha256: String,
        length: Int,
        seenAt: Date
    ) {
        self.version = version
        self.download = download
        self.sha256 = sha256
        self.length = length
        self.seenAt = seenAt
    }

    private enum CodingKeys: String, CodingKey {
        case version
        case download
        case sha256
        case length
        case seenAt = "seen_at"
    }
}
