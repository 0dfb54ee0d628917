// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Where the file is sent once it is whole and proved, before the download has `succeeded`: by one
/// request to an http or https URL that the operator allows (`LULL_UPLOAD_DESTINATIONS`), without
/// proxy, redirects and cookies.
///
/// It needs a key with `uploads:write`. The request has `Content-Length`, `Content-Type` (of the
/// origin's answer, else `application/octet-stream`), `Content-Disposition` with the file's name,
/// `Repr-Digest` with the SHA-256, and above 1 MiB `Expect: 100-continue`. A 2xx after the last
/// byte ends it. See [places](docs/places.md).
public struct Receiver: Codable, Hashable, Sendable {
    /// The URL, shown without its query.
    public var url: String
    /// How the file is sent.
    ///
    /// `http` is one request. With `tus` the receiver speaks tus 1.0: `url` creates an upload
    /// (`Upload-Length`; `Upload-Metadata` with `filename` and `filetype`), and the file goes to
    /// the `Location` of the answer, from the offset that the receiver has, also after a lost
    /// answer, `suspend` or a restart. Another origin in `Location` has to be allowed, too, and
    /// gets none of the headers and credentials. `method` and the fields of the protocol must not
    /// be given.
    public var `protocol`: TransferProtocol?
    /// A PUT is sent again after 408, 425, 429, 5xx and lost connections, a POST only if it has a
    /// field `Idempotency-Key` or was certainly not acted on; its lost answer makes the download
    /// `attention_required` with `destination_outcome_unknown`.
    public var method: Method?
    /// Fields of the request, at most 32; sealed, and shown by their names.
    ///
    /// None may be one that frames the message or describes the bytes: `Content-Length`,
    /// `Transfer-Encoding`, `Content-Range`, `Content-Encoding`, `Repr-Digest`, `Content-Digest`,
    /// `Digest`, `Expect`, `TE`, `Trailer`, `Upgrade`, `Connection`, `Host`. `Content-Type` and
    /// `Content-Disposition` replace those of this service. They belong to the origin of `url`:
    /// with a `url` of another origin they are dropped, unless they are given anew, and `dropped`
    /// says so. Those of a session also go to the receivers of its downloads that are at the same
    /// origin and have none of their own.
    public var headers: [String: String?]?
    /// Credentials for the receiver, kept and dropped as `headers` are; shown by their type.
    public var authorization: ReceiverCredentials?
    /// Whether this service keeps the file for `content_retention` after it was sent.
    public var keepContent: Bool?
    /// Who is asked before every try to send, by a webhook `download.will_send` whose answer
    /// counts, so that the file is sent with a fresh URL or token.
    public var hook: BeginHook?

    /// Makes one of its members; those that are left out are nil.
    public init(
        url: String,
        protocol: TransferProtocol? = nil,
        method: Method? = nil,
        headers: [String: String?]? = nil,
        authorization: ReceiverCredentials? = nil,
        keepContent: Bool? = nil,
        hook: BeginHook? = nil
    ) {
        self.url = url
        self.protocol = `protocol`
        self.method = method
        self.headers = headers
        self.authorization = authorization
        self.keepContent = keepContent
        self.hook = hook
    }

    private enum CodingKeys: String, CodingKey {
        case url
        case `protocol`
        case method
        case headers
        case authorization
        case keepContent = "keep_content"
        case hook
    }

    /// How the file is sent.
    ///
    /// `http` is one request. With `tus` the receiver speaks tus 1.0: `url` creates an upload
    /// (`Upload-Length`; `Upload-Metadata` with `filename` and `filetype`), and the file goes to
    /// the `Location` of the answer, from the offset that the receiver has, also after a lost
    /// answer, `suspend` or a restart. Another origin in `Location` has to be allowed, too, and
    /// gets none of the headers and credentials. `method` and the fields of the protocol must not
    /// be given.
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

    /// A PUT is sent again after 408, 425, 429, 5xx and lost connections, a POST only if it has a
    /// field `Idempotency-Key` or was certainly not acted on; its lost answer makes the download
    /// `attention_required` with `destination_outcome_unknown`.
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
