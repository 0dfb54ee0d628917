// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Problem details (RFC 9457).
public struct Problem: Codable, Hashable, Sendable {
    /// The path of the page about this kind.
    public var type: String
    /// `title` of the API.
    public var title: String
    /// `status` of the API.
    public var status: Int
    /// The last part of `type`.
    public var code: Code
    /// What is wrong with this request, and what to change.
    public var detail: String
    /// The path of the request.
    public var instance: String?
    /// `request_id` of the API.
    public var requestID: String?
    /// The places that need a change; no answer to a refused request has more than 64 KiB.
    public var errors: [Errors]?
    /// How many places need a change besides those of `errors`; absent if there are none.
    public var errorsNotListed: Int?
    /// `succeeded`, `failed` and `canceled` are final;
    ///
    /// `suspended`, `waiting`, `running`, `canceling` and `attention_required` are not. Only an
    /// upload is `receiving`: its client still brings the bytes.
    public var state: DownloadState?
    /// The actions that are possible now.
    public var allowed: [String]?
    /// `line` of the API.
    public var line: Int?
    /// `column` of the API.
    public var column: Int?
    /// `host` of the API.
    public var host: String?
    /// `resolved_address` of the API.
    public var resolvedAddress: String?
    /// The operator's setting that decides.
    public var setting: String?
    /// With `quota-exceeded`:
    ///
    /// `requests` or `queued`.
    public var violatedPolicies: [String]?
    /// `is_ready` of the API.
    public var isReady: Bool?
    /// `checks` of the API.
    public var checks: [ProblemChecks]?

    /// Makes one of its members; those that are left out are nil.
    public init(
        type: String,
        title: String,
        status: Int,
        code: Code,
        detail: String,
        instance: String? = nil,
        requestID: String? = nil,
        errors: [Errors]? = nil,
        errorsNotListed: Int? = nil,
        state: DownloadState? = nil,
        allowed: [String]? = nil,
        line: Int? = nil,
        column: Int? = nil,
        host: String? = nil,
        resolvedAddress: String? = nil,
        setting: String? = nil,
        violatedPolicies: [String]? = nil,
        isReady: Bool? = nil,
        checks: [ProblemChecks]? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.code = code
        self.detail = detail
        self.instance = instance
        self.requestID = requestID
        self.errors = errors
        self.errorsNotListed = errorsNotListed
        self.state = state
        self.allowed = allowed
        self.line = line
        self.column = column
        self.host = host
        self.resolvedAddress = resolvedAddress
        self.setting = setting
        self.violatedPolicies = violatedPolicies
        self.isReady = isReady
        self.checks = checks
    }

    private enum CodingKeys: String, CodingKey {
        case type
        case title
        case status
        case code
        case detail
        case instance
        case requestID = "request_id"
        case errors
        case errorsNotListed = "errors_not_listed"
        case state
        case allowed
        case line
        case column
        case host
        case resolvedAddress = "resolved_address"
        case setting
        case violatedPolicies = "violated_policies"
        case isReady = "is_ready"
        case checks
    }

    /// The last part of `type`.
    public struct Code: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `malformed-request`.
        public static let malformedRequest = Code(rawValue: "malformed-request")

        /// `malformed-json`.
        public static let malformedJson = Code(rawValue: "malformed-json")

        /// `invalid-idempotency-key`.
        public static let invalidIdempotencyKey = Code(rawValue: "invalid-idempotency-key")

        /// `unauthorized`.
        public static let unauthorized = Code(rawValue: "unauthorized")

        /// `forbidden`.
        public static let forbidden = Code(rawValue: "forbidden")

        /// `insufficient-scope`.
        public static let insufficientScope = Code(rawValue: "insufficient-scope")

        /// `not-found`.
        public static let notFound = Code(rawValue: "not-found")

        /// `method-not-allowed`.
        public static let methodNotAllowed = Code(rawValue: "method-not-allowed")

        /// `not-acceptable`.
        public static let notAcceptable = Code(rawValue: "not-acceptable")

        /// `request-timeout`.
        public static let requestTimeout = Code(rawValue: "request-timeout")

        /// `invalid-state-transition`.
        public static let invalidStateTransition = Code(rawValue: "invalid-state-transition")

        /// `content-not-ready`.
        public static let contentNotReady = Code(rawValue: "content-not-ready")

        /// `secrets-erased`.
        public static let secretsErased = Code(rawValue: "secrets-erased")

        /// `external-id-in-use`.
        public static let externalIDInUse = Code(rawValue: "external-id-in-use")

        /// `no-resume-data`.
        public static let noResumeData = Code(rawValue: "no-resume-data")

        /// `proxy-not-allowed`.
        public static let proxyNotAllowed = Code(rawValue: "proxy-not-allowed")

        /// `idempotency-key-in-progress`.
        public static let idempotencyKeyInProgress = Code(rawValue: "idempotency-key-in-progress")

        /// `endpoint-conflict`.
        public static let endpointConflict = Code(rawValue: "endpoint-conflict")

        /// `last-admin-key`.
        public static let lastAdminKey = Code(rawValue: "last-admin-key")

        /// `session-not-empty`.
        public static let sessionNotEmpty = Code(rawValue: "session-not-empty")

        /// `session-invalidated`.
        public static let sessionInvalidated = Code(rawValue: "session-invalidated")

        /// `session-conflict`.
        public static let sessionConflict = Code(rawValue: "session-conflict")

        /// `source-conflict`.
        public static let sourceConflict = Code(rawValue: "source-conflict")

        /// `wake-expired`.
        public static let wakeExpired = Code(rawValue: "wake-expired")

        /// `delivery-erased`.
        public static let deliveryErased = Code(rawValue: "delivery-erased")

        /// `link-expired`.
        public static let linkExpired = Code(rawValue: "link-expired")

        /// `content-expired`.
        public static let contentExpired = Code(rawValue: "content-expired")

        /// `content-changed`.
        public static let contentChanged = Code(rawValue: "content-changed")

        /// `content-lost`.
        public static let contentLost = Code(rawValue: "content-lost")

        /// `precondition-failed`.
        public static let preconditionFailed = Code(rawValue: "precondition-failed")

        /// `content-too-large`.
        public static let contentTooLarge = Code(rawValue: "content-too-large")

        /// `uri-too-long`.
        public static let uriTooLong = Code(rawValue: "uri-too-long")

        /// `unsupported-media-type`.
        public static let unsupportedMediaType = Code(rawValue: "unsupported-media-type")

        /// `range-not-satisfiable`.
        public static let rangeNotSatisfiable = Code(rawValue: "range-not-satisfiable")

        /// `expectation-failed`.
        public static let expectationFailed = Code(rawValue: "expectation-failed")

        /// `validation-failed`.
        public static let validationFailed = Code(rawValue: "validation-failed")

        /// `batch-rejected`.
        public static let batchRejected = Code(rawValue: "batch-rejected")

        /// `unsupported-url-scheme`.
        public static let unsupportedURLScheme = Code(rawValue: "unsupported-url-scheme")

        /// `destination-not-allowed`.
        public static let destinationNotAllowed = Code(rawValue: "destination-not-allowed")

        /// `idempotency-key-reused`.
        public static let idempotencyKeyReused = Code(rawValue: "idempotency-key-reused")

        /// `header-fields-too-large`.
        public static let headerFieldsTooLarge = Code(rawValue: "header-fields-too-large")

        /// `quota-exceeded`.
        public static let quotaExceeded = Code(rawValue: "quota-exceeded")

        /// `internal-error`.
        public static let internalError = Code(rawValue: "internal-error")

        /// `not-implemented`.
        public static let notImplemented = Code(rawValue: "not-implemented")

        /// `database-unavailable`.
        public static let databaseUnavailable = Code(rawValue: "database-unavailable")

        /// `overloaded`.
        public static let overloaded = Code(rawValue: "overloaded")

        /// `content-unavailable`.
        public static let contentUnavailable = Code(rawValue: "content-unavailable")

        /// `not-ready`.
        public static let notReady = Code(rawValue: "not-ready")

        /// `insufficient-storage`.
        public static let insufficientStorage = Code(rawValue: "insufficient-storage")

        /// `upload-conflict`.
        public static let uploadConflict = Code(rawValue: "upload-conflict")

        /// `checksum-mismatch`.
        public static let checksumMismatch = Code(rawValue: "checksum-mismatch")

        /// `digest-mismatch`.
        public static let digestMismatch = Code(rawValue: "digest-mismatch")

        /// `http-version-not-supported`.
        public static let httpVersionNotSupported = Code(rawValue: "http-version-not-supported")
    }

    /// `Errors` of the API.
    public struct Errors: Codable, Hashable, Sendable {
        /// The nearest known word.
        public var didYouMean: String?
        /// A JSON Pointer into the body such as `#/url`, or `?name` for a query parameter.
        public var pointer: String
        /// `detail` of the API.
        public var detail: String

        /// Makes one of its members; those that are left out are nil.
        public init(
            pointer: String,
            detail: String,
            didYouMean: String? = nil
        ) {
            self.didYouMean = didYouMean
            self.pointer = pointer
            self.detail = detail
        }

        private enum CodingKeys: String, CodingKey {
            case didYouMean = "did_you_mean"
            case pointer
            case detail
        }
    }

    /// `ProblemChecks` of the API.
    public struct ProblemChecks: Codable, Hashable, Sendable {
        /// `name` of the API.
        public var name: String
        /// `is_ok` of the API.
        public var isOk: Bool
        /// `detail` of the API.
        public var detail: String

        /// Makes one of its members; those that are left out are nil.
        public init(
            name: String,
            isOk: Bool,
            detail: String
        ) {
            self.name = name
            self.isOk = isOk
            self.detail = detail
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case isOk = "is_ok"
            case detail
        }
    }
}
