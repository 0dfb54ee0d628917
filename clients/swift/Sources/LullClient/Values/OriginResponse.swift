// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// What the origin answered, after redirects.
public struct OriginResponse: Codable, Hashable, Sendable {
    /// `status_code` of the API.
    public var statusCode: Int
    /// Its `Content-Type` without parameters.
    public var mimeType: String?
    /// From `Content-Disposition` or the path; safe as the name of a file.
    public var suggestedFilename: String
    /// The URL that answered.
    public var url: String
    /// The requested URLs, in their order.
    public var urlChain: [String]
    /// `etag` of the API.
    public var etag: String?
    /// `last_modified` of the API.
    public var lastModified: String?
    /// Of `content-type`, `content-encoding`, `etag`, `last-modified` and `date` those that it had.
    ///
    /// Bytes that are no UTF-8 are shown as ISO 8859-1.
    public var headers: [String: String]

    /// Makes one of its members; those that are left out are nil.
    public init(
        statusCode: Int,
        suggestedFilename: String,
        url: String,
        urlChain: [String],
        headers: [String: String],
        mimeType: String? = nil,
        etag: String? = nil,
        lastModified: String? = nil
    ) {
        self.statusCode = statusCode
        self.mimeType = mimeType
        self.suggestedFilename = suggestedFilename
        self.url = url
        self.urlChain = urlChain
        self.etag = etag
        self.lastModified = lastModified
        self.headers = headers
    }

    private enum CodingKeys: String, CodingKey {
        case statusCode = "status_code"
        case mimeType = "mime_type"
        case suggestedFilename = "suggested_filename"
        case url
        case urlChain = "url_chain"
        case etag
        case lastModified = "last_modified"
        case headers
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.statusCode, forKey: .statusCode)
        try members.encode(self.mimeType, forKey: .mimeType)
        try members.encode(self.suggestedFilename, forKey: .suggestedFilename)
        try members.encode(self.url, forKey: .url)
        try members.encode(self.urlChain, forKey: .urlChain)
        try members.encode(self.etag, forKey: .etag)
        try members.encode(self.lastModified, forKey: .lastModified)
        try members.encode(self.headers, forKey: .headers)
    }
}
