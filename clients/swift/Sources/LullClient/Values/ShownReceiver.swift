// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// A receiver, with the names of what is sent to it; those of the session's are shown there.
public struct ShownReceiver: Codable, Hashable, Sendable {
    /// Without query and fragment, which may have a signature.
    public var url: String
    /// `protocol` of the API.
    public var `protocol`: TransferProtocol
    /// Null with `tus`, which has methods of its own.
    public var method: Method?
    /// `keep_content` of the API.
    public var keepContent: Bool
    /// The names, each with the value `redacted`.
    public var headers: [String: String]
    /// The type of the credentials that webhooks carry.
    public var authorization: ShownCredentials?
    /// `hook` of the API.
    public var hook: BeginHook?

    /// Makes one of its members; those that are left out are nil.
    public init(
        url: String,
        protocol: TransferProtocol,
        keepContent: Bool,
        headers: [String: String],
        method: Method? = nil,
        authorization: ShownCredentials? = nil,
        hook: BeginHook? = nil
    ) {
        self.url = url
        self.protocol = `protocol`
        self.method = method
        self.keepContent = keepContent
        self.headers = headers
        self.authorization = authorization
        self.hook = hook
    }

    private enum CodingKeys: String, CodingKey {
        case url
        case `protocol`
        case method
        case keepContent = "keep_content"
        case headers
        case authorization
        case hook
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.url, forKey: .url)
        try members.encode(self.protocol, forKey: .protocol)
        try members.encode(self.method, forKey: .method)
        try members.encode(self.keepContent, forKey: .keepContent)
        try members.encode(self.headers, forKey: .headers)
        try members.encode(self.authorization, forKey: .authorization)
        try members.encode(self.hook, forKey: .hook)
    }

    /// `TransferProtocol` of the API.
    public struct TransferProtocol: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `http`.
        public static let http = TransferProtocol(rawValue: "http")

        /// `tus`.
        public static let tus = TransferProtocol(rawValue: "tus")
    }

    /// Null with `tus`, which has methods of its own.
    public struct Method: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `PUT`.
        public static let put = Method(rawValue: "PUT")

        /// `POST`.
        public static let post = Method(rawValue: "POST")
    }
}
