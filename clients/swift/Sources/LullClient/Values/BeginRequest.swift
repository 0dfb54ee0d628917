// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// The request that is sent in place of the one that was asked about.
public struct BeginRequest: Codable, Hashable, Sendable {
    /// `url` of the API.
    public var url: String?
    /// `headers` of the API.
    public var headers: [String: String?]?
    /// `authorization` of the API.
    public var authorization: Authorization?
    /// `proxy` of the API.
    public var proxy: Proxy?
    /// `body` of the API.
    public var body: String?
    /// `body_base64` of the API.
    public var bodyBase64: String?
    /// `expected_digest` of the API.
    public var expectedDigest: String?

    /// Makes one of its members; those that are left out are nil.
    public init(
        url: String? = nil,
        headers: [String: String?]? = nil,
        authorization: Authorization? = nil,
        proxy: Proxy? = nil,
        body: String? = nil,
        bodyBase64: String? = nil,
        expectedDigest: String? = nil
    ) {
        self.url = url
        self.headers = headers
        self.authorization = authorization
        self.proxy = proxy
        self.body = body
        self.bodyBase64 = bodyBase64
        self.expectedDigest = expectedDigest
    }

    private enum CodingKeys: String, CodingKey {
        case url
        case headers
        case authorization
        case proxy
        case body
        case bodyBase64 = "body_base64"
        case expectedDigest = "expected_digest"
    }
}
