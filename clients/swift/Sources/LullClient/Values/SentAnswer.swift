// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// The answer of the receiver to the last try that had one; secrets that it repeats are masked.
public struct SentAnswer: Codable, Hashable, Sendable {
    /// `status` of the API.
    public var status: Int
    /// Of its fields `content-type`, `etag`, `last-modified` and `location`, those that it had.
    public var headers: [String: String]
    /// The beginning of its body; null without one.
    public var body: Excerpt?

    /// Makes one of its members; those that are left out are nil.
    public init(
        status: Int,
        headers: [String: String],
        body: Excerpt? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    private enum CodingKeys: String, CodingKey {
        case status
        case headers
        case body
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.status, forKey: .status)
        try members.encode(self.headers, forKey: .headers)
        try members.encode(self.body, forKey: .body)
    }
}
