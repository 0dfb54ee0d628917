// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Who is asked right before a download with an `earliest_begin_date` begins, so that it begins
/// with a fresh URL or token: a webhook `download.will_begin` whose answer counts.
///
/// Asked once for each begin; the download holds no slot meanwhile. A download may have one only
/// beside an `earliest_begin_date`; that of a session is for those that have a date.
public struct BeginHook: Codable, Hashable, Sendable {
    /// Where events go; an http or https URL that the operator allows.
    public var url: String
    /// How long an answer may take.
    public var timeoutSeconds: Int?
    /// What holds without a 2xx that is an answer: it begins as it is, waits and is asked again as
    /// the schedule of webhooks says, or is canceled.
    public var onNoAnswer: OnNoAnswer?
    /// Sent with the question.
    ///
    /// Headers and credentials of a session's hook also go to the hooks of its downloads that are
    /// at the same origin and have none of their own.
    public var headers: [String: String?]?
    /// Sent with the question, like `headers`.
    public var authorization: ReceiverCredentials?

    /// Makes one of its members; those that are left out are nil.
    public init(
        url: String,
        timeoutSeconds: Int? = nil,
        onNoAnswer: OnNoAnswer? = nil,
        headers: [String: String?]? = nil,
        authorization: ReceiverCredentials? = nil
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

    /// What holds without a 2xx that is an answer: it begins as it is, waits and is asked again as
    /// the schedule of webhooks says, or is canceled.
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
