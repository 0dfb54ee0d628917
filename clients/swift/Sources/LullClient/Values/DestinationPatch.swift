// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Changes of a `Destination` or a `Receiver`;
///
/// `headers` are merged by name, null takes one away.
public struct DestinationPatch: Codable, Hashable, Sendable {
    /// `name` of the API.
    public var name: Change<String>?
    /// `path` of the API.
    public var path: Change<String>?
    /// `on_conflict` of the API.
    public var onConflict: Change<OnConflict>?
    /// `keep` of the API.
    public var keep: Change<Bool>?
    /// `url` of the API.
    public var url: Change<String>?
    /// `protocol` of the API.
    public var `protocol`: Change<TransferProtocol>?
    /// `method` of the API.
    public var method: Change<Method>?
    /// `headers` of the API.
    public var headers: Change<[String: String?]>?
    /// `authorization` of the API.
    public var authorization: Change<ReceiverCredentials>?
    /// `keep_content` of the API.
    public var keepContent: Change<Bool>?
    /// `hook` of the API.
    public var hook: Change<BeginHookPatch>?

    /// Makes one of its members; those that are left out are nil.
    public init(
        name: Change<String>? = nil,
        path: Change<String>? = nil,
        onConflict: Change<OnConflict>? = nil,
        keep: Change<Bool>? = nil,
        url: Change<String>? = nil,
        protocol: Change<TransferProtocol>? = nil,
        method: Change<Method>? = nil,
        headers: Change<[String: String?]>? = nil,
        authorization: Change<ReceiverCredentials>? = nil,
        keepContent: Change<Bool>? = nil,
        hook: Change<BeginHookPatch>? = nil
    ) {
        self.name = name
        self.path = path
        self.onConflict = onConflict
        self.keep = keep
        self.url = url
        self.protocol = `protocol`
        self.method = method
        self.headers = headers
        self.authorization = authorization
        self.keepContent = keepContent
        self.hook = hook
    }

    private enum CodingKeys: String, CodingKey {
        case name
        case path
        case onConflict = "on_conflict"
        case keep
        case url
        case `protocol`
        case method
        case headers
        case authorization
        case keepContent = "keep_content"
        case hook
    }

    /// Reads its members.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.name = try members.change(String.self, at: .name)
        self.path = try members.change(String.self, at: .path)
        self.onConflict = try members.change(OnConflict.self, at: .onConflict)
        self.keep = try members.change(Bool.self, at: .keep)
        self.url = try members.change(String.self, at: .url)
        self.protocol = try members.change(TransferProtocol.self, at: .protocol)
        self.method = try members.change(Method.self, at: .method)
        self.headers = try members.change([String: String?].self, at: .headers)
        self.authorization = try members.change(ReceiverCredentials.self, at: .authorization)
        self.keepContent = try members.change(Bool.self, at: .keepContent)
        self.hook = try members.change(BeginHookPatch.self, at: .hook)
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(self.name, forKey: .name)
        try members.encodeIfPresent(self.path, forKey: .path)
        try members.encodeIfPresent(self.onConflict, forKey: .onConflict)
        try members.encodeIfPresent(self.keep, forKey: .keep)
        try members.encodeIfPresent(self.url, forKey: .url)
        try members.encodeIfPresent(self.protocol, forKey: .protocol)
        try members.encodeIfPresent(self.method, forKey: .method)
        try members.encodeIfPresent(self.headers, forKey: .headers)
        try members.encodeIfPresent(self.authorization, forKey: .authorization)
        try members.encodeIfPresent(self.keepContent, forKey: .keepContent)
        try members.encodeIfPresent(self.hook, forKey: .hook)
    }

    /// `OnConflict` of the API.
    public struct OnConflict: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `fail`.
        public static let fail = OnConflict(rawValue: "fail")

        /// `rename`.
        public static let rename = OnConflict(rawValue: "rename")

        /// `replace`.
        public static let replace = OnConflict(rawValue: "replace")

        /// `replace_if_same`.
        public static let replaceIfSame = OnConflict(rawValue: "replace_if_same")
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

    /// `Method` of the API.
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
