// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Changes of a download's `BeginHook`;
///
/// `headers` are merged by name, null takes one away.
public struct BeginHookPatch: Codable, Hashable, Sendable {
    /// Where events go; an http or https URL that the operator allows.
    public var url: String?
    /// `timeout_seconds` of the API.
    public var timeoutSeconds: Change<Int>?
    /// `on_no_answer` of the API.
    public var onNoAnswer: Change<OnNoAnswer>?
    /// `headers` of the API.
    public var headers: Change<[String: String?]>?
    /// `authorization` of the API.
    public var authorization: Change<ReceiverCredentials>?

    /// Makes one of its members; those that are left out are nil.
    public init(
        url: String? = nil,
        timeoutSeconds: Change<Int>? = nil,
        onNoAnswer: Change<OnNoAnswer>? = nil,
        headers: Change<[String: String?]>? = nil,
        authorization: Change<ReceiverCredentials>? = nil
    ) {
        self.url = url
        self.timeoutSeconds = timeoutSeconds
        self.onNoAnswer = onNoAnswer
        self.headers = headers
        self.authorization = authorization
    }

    private enum CodingKeys: String, CodingKey {
        case url
        case timeoutSeconds = "timeout_seconds"
        case onNoAnswer = "on_no_answer"
        case headers
        case authorization
    }

    /// Reads its members.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.url = try members.decodeIfPresent(String.self, forKey: .url)
        self.timeoutSeconds = try members.change(Int.self, at: .timeoutSeconds)
        self.onNoAnswer = try members.change(OnNoAnswer.self, at: .onNoAnswer)
        self.headers = try members.change([String: String?].self, at: .headers)
        self.authorization = try members.change(ReceiverCredentials.self, at: .authorization)
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(self.url, forKey: .url)
        try members.encodeIfPresent(self.timeoutSeconds, forKey: .timeoutSeconds)
        try members.encodeIfPresent(self.onNoAnswer, forKey: .onNoAnswer)
        try members.encodeIfPresent(self.headers, forKey: .headers)
        try members.encodeIfPresent(self.authorization, forKey: .authorization)
    }

    /// `OnNoAnswer` of the API.
    public struct OnNoAnswer: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `continue`.
        public static let `continue` = OnNoAnswer(rawValue: "continue")

        /// `wait`.
        public static let wait = OnNoAnswer(rawValue: "wait")

        /// `cancel`.
        public static let cancel = OnNoAnswer(rawValue: "cancel")
    }
}
