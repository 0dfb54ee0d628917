// Every way to refuse a request: one table, for the answers and for the pages that explain them.

/// A kind of problem; the raw value is its slug, the last part of `type` and the `code`.
package enum ProblemKind: String, Sendable, CaseIterable {
    /// The request is not HTTP as we read it.
    case malformedRequest = "malformed-request"
    /// The body is not JSON.
    case malformedJSON = "malformed-json"
    /// `Idempotency-Key` cannot be read.
    case invalidIdempotencyKey = "invalid-idempotency-key"
    /// No key, or none that is valid.
    case unauthorized
    /// The request comes from where it may not come.
    case forbidden
    /// The key does not open this.
    case insufficientScope = "insufficient-scope"
    /// There is no such thing.
    case notFound = "not-found"
    /// The thing is there, the method is not.
    case methodNotAllowed = "method-not-allowed"
    /// The client cannot read what it would get.
    case notAcceptable = "not-acceptable"
    /// The request did not arrive in time.
    case requestTimeout = "request-timeout"
    /// The state of the download does not allow the action.
    case invalidStateTransition = "invalid-state-transition"
    /// The download has no content to give.
    case contentNotReady = "content-not-ready"
    /// What the download was asked for with is gone.
    case secretsErased = "secrets-erased"
    /// The operator does not allow proxies.
    case proxyNotAllowed = "proxy-not-allowed"
    /// The request with this key is being done.
    case idempotencyKeyInProgress = "idempotency-key-in-progress"
    /// The content was here and is gone.
    case contentExpired = "content-expired"
    /// The content was here and is missing or damaged.
    case contentLost = "content-lost"
    /// The resource is not the one that the client saw.
    case preconditionFailed = "precondition-failed"
    /// The body is larger than allowed.
    case contentTooLarge = "content-too-large"
    /// The request line is longer than allowed.
    case uriTooLong = "uri-too-long"
    /// The body is of a type, or has a coding, that is not read here.
    case unsupportedMediaType = "unsupported-media-type"
    /// The range begins behind the end.
    case rangeNotSatisfiable = "range-not-satisfiable"
    /// `Expect` asks for more than 100-continue.
    case expectationFailed = "expectation-failed"
    /// Members or parameters are missing, unknown or wrong.
    case validationFailed = "validation-failed"
    /// Downloads of a batch are not valid, so none was created.
    case batchRejected = "batch-rejected"
    /// The URL is not an http or https URL.
    case unsupportedURLScheme = "unsupported-url-scheme"
    /// The operator does not allow connections there.
    case destinationNotAllowed = "destination-not-allowed"
    /// The key belongs to another request.
    case idempotencyKeyReused = "idempotency-key-reused"
    /// The header fields are larger or more than allowed.
    case headerFieldsTooLarge = "header-fields-too-large"
    /// The app asks for more than it may.
    case quotaExceeded = "quota-exceeded"
    /// A fault of Lull.
    case internalError = "internal-error"
    /// HTTP that Lull does not speak.
    case notImplemented = "not-implemented"
    /// The database does not answer.
    case databaseUnavailable = "database-unavailable"
    /// Too much waits to be written.
    case overloaded
    /// The service cannot do its work at the moment.
    case notReady = "not-ready"
    /// Another version of HTTP.
    case versionNotSupported = "http-version-not-supported"

    /// The status code of the answer.
    package var status: Int {
        switch self {
        case .malformedRequest, .malformedJSON, .invalidIdempotencyKey: 400
        case .unauthorized: 401
        case .forbidden, .insufficientScope: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .requestTimeout: 408
        case .invalidStateTransition, .contentNotReady, .idempotencyKeyInProgress, .secretsErased:
            409
        case .contentExpired, .contentLost: 410
        case .preconditionFailed: 412
        case .contentTooLarge: 413
        case .uriTooLong: 414
        case .unsupportedMediaType: 415
        case .rangeNotSatisfiable: 416
        case .expectationFailed: 417
        case .validationFailed, .batchRejected, .unsupportedURLScheme, .destinationNotAllowed,
            .idempotencyKeyReused, .proxyNotAllowed:
            422
        case .quotaExceeded: 429
        case .headerFieldsTooLarge: 431
        case .internalError: 500
        case .notImplemented: 501
        case .databaseUnavailable, .overloaded, .notReady: 503
        case .versionNotSupported: 505
        }
    }

    /// The short summary, the same for every occurrence (RFC 9457 section 3.1.3).
    package var title: String {
        switch self {
        case .malformedRequest: "The request could not be read"
        case .malformedJSON: "The body is not JSON"
        case .invalidIdempotencyKey: "The idempotency key cannot be read"
        case .unauthorized: "The request has no valid key"
        case .forbidden: "The request may not come from there"
        case .insufficientScope: "The key lacks the scope for this"
        case .notFound: "There is nothing here"
        case .methodNotAllowed: "The method is not possible here"
        case .notAcceptable: "The answer would not be acceptable"
        case .requestTimeout: "The request did not arrive in time"
        case .invalidStateTransition: "The download's state does not allow this"
        case .secretsErased: "What the download was asked for with is gone"
        case .proxyNotAllowed: "Proxies are not allowed"
        case .contentNotReady: "The download has no content"
        case .idempotencyKeyInProgress: "The request is being done"
        case .contentExpired: "The content is gone"
        case .contentLost: "The content was lost"
        case .preconditionFailed: "The resource is not the one that you saw"
        case .contentTooLarge: "The body is too large"
        case .uriTooLong: "The URL of the request is too long"
        case .unsupportedMediaType: "The body is not of a type that is read here"
        case .rangeNotSatisfiable: "The range lies behind the end"
        case .expectationFailed: "The expectation cannot be met"
        case .validationFailed: "Something in the request is not valid"
        case .batchRejected: "No download was created"
        case .unsupportedURLScheme: "The URL is not an http or https URL"
        case .destinationNotAllowed: "The destination is not allowed"
        case .idempotencyKeyReused: "The key belongs to another request"
        case .headerFieldsTooLarge: "The header fields are too large"
        case .quotaExceeded: "The app asks for more than it may"
        case .internalError: "Lull made a mistake"
        case .notImplemented: "The request needs what Lull does not have"
        case .databaseUnavailable: "The database does not answer"
        case .overloaded: "Too much waits to be written"
        case .notReady: "The service is not ready"
        case .versionNotSupported: "The version of HTTP is not spoken here"
        }
    }

    /// Where the page about it is.
    package var path: String { "/problems/" + rawValue }
}
