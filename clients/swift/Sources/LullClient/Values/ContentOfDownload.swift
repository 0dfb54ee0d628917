// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// The content of a download.
public struct ContentOfDownload: Codable, Hashable, Sendable {
    /// `download` of the API.
    public var download: String

    /// Makes one of its members; those that are left out are nil.
    public init(
        download: String
    ) {
        self.download = download
    }

    private enum CodingKeys: String, CodingKey {
        case download
    }
}
