// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// The members of the request that are sent from now on; null removes one.
public struct SentAgain: Codable, Hashable, Sendable {
    /// `headers` of the API.
    public var headers: Change<[String: String]>?
    /// `body` of the API.
    public var body: Change<String>?
    /// `body_base64` of the API.
    public var bodyBase64: Change<String>?
    /// `authorization` of the API.
    public var authorization: Change<Authorization>?
    /// `proxy` of the API.
    public var proxy: Change<Proxy>?
    /// Headers and credentials for the hook of the download.
    public var beginHook: Change<HookSecrets>?
    /// Headers and credentials for the receiver of the file, and for its hook.
    public var destination: Change<DestinationSecrets>?

    /// Makes one of its members; those that are left out are nil.
    public init(
        headers: Change<[String: String]>? = nil,
        body: Change<String>? = nil,
        bodyBase64: Change<String>? = nil,
        authorization: Change<Authorization>? = nil,
        proxy: Change<Proxy>? = nil,
        beginHook: Change<HookSecrets>? = nil,
        destination: Change<DestinationSecrets>? = nil
    ) {
        self.headers = headers
        self.body = body
        self.bodyBase64 = bodyBase64
        self.authorization = authorization
        self.proxy = proxy
        self.beginHook = beginHook
        self.destination = destination
    }

    private enum CodingKeys: String, CodingKey {
        case headers
        case body
        case bodyBase64 = "body_base64"
        case authorization
        case proxy
        case beginHook = "begin_hook"
        case destination
    }

    /// Reads its members.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.headers = try members.change([String: String].self, at: .headers)
        self.body = try members.change(String.self, at: .body)
        self.bodyBase64 = try members.change(String.self, at: .bodyBase64)
        self.authorization = try members.change(Authorization.self, at: .authorization)
        self.proxy = try members.change(Proxy.self, at: .proxy)
        self.beginHook = try members.change(HookSecrets.self, at: .beginHook)
        self.destination = try members.change(DestinationSecrets.self, at: .destination)
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(self.headers, forKey: .headers)
        try members.encodeIfPresent(self.body, forKey: .body)
        try members.encodeIfPresent(self.bodyBase64, forKey: .bodyBase64)
        try members.encodeIfPresent(self.authorization, forKey: .authorization)
        try members.encodeIfPresent(self.proxy, forKey: .proxy)
        try members.encodeIfPresent(self.beginHook, forKey: .beginHook)
        try members.encodeIfPresent(self.destination, forKey: .destination)
    }
}
