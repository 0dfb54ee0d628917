// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `NewBatch` of the API.
public struct NewBatch: Codable, Hashable, Sendable {
    /// The session of those that name none.
    public var session: String?
    /// Members of a new download, for those that do not have them.
    public var defaults: NewDownload?
    /// `downloads` of the API.
    public var downloads: [NewDownload]

    /// Makes one of its members; those that are left out are nil.
    public init(
        downloads: [NewDownload],
        session: String? = nil,
        defaults: NewDownload? = nil
    ) {
        self.session = session
        self.defaults = defaults
        self.downloads = downloads
    }

    private enum CodingKeys: String, CodingKey {
        case session
        case defaults
        case downloads
    }
}
