// All kinds of problems, for the answers and for the pages that explain them.

/// A kind of problem; the raw value is its slug, the last part of `type` and the `code`.
package enum ProblemKind: String, Sendable, CaseIterable {
    /// The request is not valid HTTP.
    case malformedRequest = "malformed-request"
    /// The body is not JSON.
    case malformedJSON = "malformed-json"
    /// `Idempotency-Key` cannot be read.
    case invalidIdempotencyKey = "invalid-idempotency-key"
    /// There is no key, or no valid one.
    case unauthorized
    /// The request comes from another site or host.
    case forbidden
    /// The key lacks the scope.
    case insufficientScope = "insufficient-scope"
    /// There is no such resource.
    case notFound = "not-found"
    /// The resource does not have the method.
    case methodNotAllowed = "method-not-allowed"
    /// The client accepts none of the media types.
    case notAcceptable = "not-acceptable"
    /// The request did not arrive in time.
    case requestTimeout = "request-timeout"
    /// The state of the download does not allow the action.
    case invalidStateTransition = "invalid-state-transition"
    /// The download has no content.
    case contentNotReady = "content-not-ready"
    /// The secrets of the download's request were erased.
    case secretsErased = "secrets-erased"
    /// Another download of the session has the external id.
    case externalIDInUse = "external-id-in-use"
    /// The download has no bytes that another one could continue.
    case noResumeData = "no-resume-data"
    /// The operator does not allow proxies.
    case proxyNotAllowed = "proxy-not-allowed"
    /// The request with this key is still running.
    case idempotencyKeyInProgress = "idempotency-key-in-progress"
    /// The endpoint for webhooks does not allow the action.
    case endpointConflict = "endpoint-conflict"
    /// The session has live downloads.
    case sessionNotEmpty = "session-not-empty"
    /// The session no longer accepts downloads.
    case sessionInvalidated = "session-invalidated"
    /// The session does not allow the action.
    case sessionConflict = "session-conflict"
    /// The source does not allow the action.
    case sourceConflict = "source-conflict"
    /// No valid key with the scope `admin` would be left.
    case lastAdminKey = "last-admin-key"
    /// The wake was given up before it was completed.
    case wakeExpired = "wake-expired"
    /// The content of the delivery was erased with its download.
    case deliveryErased = "delivery-erased"
    /// The link to content is over.
    case linkExpired = "link-expired"
    /// The content expired or was released.
    case contentExpired = "content-expired"
    /// The file of the content was edited where it was placed.
    case contentChanged = "content-changed"
    /// The content is missing or damaged.
    case contentLost = "content-lost"
    /// A condition of the request does not hold.
    case preconditionFailed = "precondition-failed"
    /// The body is larger than allowed.
    case contentTooLarge = "content-too-large"
    /// The request line is longer than allowed.
    case uriTooLong = "uri-too-long"
    /// The body has a media type or a coding that the endpoint does not read.
    case unsupportedMediaType = "unsupported-media-type"
    /// The range begins behind the end.
    case rangeNotSatisfiable = "range-not-satisfiable"
    /// `Expect` has another expectation than 100-continue.
    case expectationFailed = "expectation-failed"
    /// Members or parameters are missing, unknown or wrong.
    case validationFailed = "validation-failed"
    /// Downloads of a batch are not valid, so none was created.
    case batchRejected = "batch-rejected"
    /// The URL is not an http or https URL.
    case unsupportedURLScheme = "unsupported-url-scheme"
    /// The operator does not allow connections there.
    case destinationNotAllowed = "destination-not-allowed"
    /// The key was used for another request.
    case idempotencyKeyReused = "idempotency-key-reused"
    /// The header fields are larger or more than allowed.
    case headerFieldsTooLarge = "header-fields-too-large"
    /// The app exceeds one of its limits.
    case quotaExceeded = "quota-exceeded"
    /// A bug, or a failure inside Lull.
    case internalError = "internal-error"
    /// A method or transfer coding that Lull does not implement.
    case notImplemented = "not-implemented"
    /// The database does not answer.
    case databaseUnavailable = "database-unavailable"
    /// Too many writes are waiting.
    case overloaded
    /// The file is not found at the moment; it does not count as lost.
    case contentUnavailable = "content-unavailable"
    /// The service cannot work at the moment.
    case notReady = "not-ready"
    /// The upload does not take these bytes: its state, its offset, or a newer request.
    case uploadConflict = "upload-conflict"
    /// The bytes of a chunk do not have its checksum.
    case checksumMismatch = "checksum-mismatch"
    /// The file does not have the digest that was given for it.
    case digestMismatch = "digest-mismatch"
    /// The disk has no room for an upload.
    case insufficientStorage = "insufficient-storage"
    /// An HTTP version that Lull does not implement.
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
        case .invalidStateTransition, .contentNotReady, .idempotencyKeyInProgress, .secretsErased,
            .endpointConflict, .externalIDInUse, .noResumeData, .sessionNotEmpty,
            .sessionInvalidated, .sessionConflict, .sourceConflict, .uploadConflict,
            .lastAdminKey:
            409
        case .contentChanged, .contentExpired, .contentLost, .deliveryErased, .linkExpired,
            .wakeExpired:
            410
        case .preconditionFailed: 412
        case .contentTooLarge: 413
        case .uriTooLong: 414
        case .unsupportedMediaType: 415
        case .rangeNotSatisfiable: 416
        case .expectationFailed: 417
        case .validationFailed, .batchRejected, .unsupportedURLScheme, .destinationNotAllowed,
            .idempotencyKeyReused, .proxyNotAllowed, .digestMismatch:
            422
        case .quotaExceeded: 429
        case .headerFieldsTooLarge: 431
        case .internalError: 500
        case .notImplemented: 501
        case .databaseUnavailable, .overloaded, .contentUnavailable, .notReady: 503
        case .versionNotSupported: 505
        case .checksumMismatch: 460
        case .insufficientStorage: 507
        }
    }

    /// The short summary, equal for every occurrence (RFC 9457 section 3.1.3).
    package var title: String {
        switch self {
        case .malformedRequest: "The request could not be read"
        case .malformedJSON: "The body is not JSON"
        case .invalidIdempotencyKey: "The idempotency key cannot be read"
        case .unauthorized: "The request has no valid credentials"
        case .forbidden: "The request comes from a host or site that is not allowed"
        case .insufficientScope: "The key lacks a scope"
        case .notFound: "The resource does not exist"
        case .methodNotAllowed: "The method is not allowed"
        case .notAcceptable: "No acceptable media type"
        case .requestTimeout: "The request did not arrive in time"
        case .invalidStateTransition: "The download's state does not allow this"
        case .secretsErased: "The secrets of the request were erased"
        case .externalIDInUse: "The external id is in use"
        case .noResumeData: "The download has no resume data"
        case .proxyNotAllowed: "Proxies are not allowed"
        case .contentNotReady: "The download has no content"
        case .idempotencyKeyInProgress: "A request with this key is still running"
        case .endpointConflict: "The endpoint does not allow this"
        case .sourceConflict: "The source does not allow this"
        case .sessionNotEmpty: "The session has downloads that have not ended"
        case .sessionInvalidated: "The session takes no new downloads"
        case .sessionConflict: "The session does not allow this"
        case .lastAdminKey: "It is the last key with the scope admin"
        case .wakeExpired: "The wake was given up"
        case .deliveryErased: "The data of the delivery was erased"
        case .linkExpired: "The link is over"
        case .contentExpired: "The content expired or was released"
        case .contentChanged: "The file of the content was edited"
        case .contentLost: "The content was lost"
        case .preconditionFailed: "A condition of the request does not hold"
        case .contentTooLarge: "The body is too large"
        case .uriTooLong: "The URL of the request is too long"
        case .unsupportedMediaType: "The media type or coding of the body is not supported"
        case .rangeNotSatisfiable: "The range is not satisfiable"
        case .expectationFailed: "The expectation cannot be met"
        case .validationFailed: "The request is not valid"
        case .batchRejected: "No download was created"
        case .unsupportedURLScheme: "The URL is not an http or https URL"
        case .destinationNotAllowed: "The destination is not allowed"
        case .idempotencyKeyReused: "The idempotency key was used for another request"
        case .headerFieldsTooLarge: "The header fields are too large"
        case .quotaExceeded: "A limit of the app is exceeded"
        case .internalError: "Internal error"
        case .notImplemented: "Not implemented"
        case .databaseUnavailable: "The database does not answer"
        case .overloaded: "The service is overloaded"
        case .contentUnavailable: "The content is not available at the moment"
        case .notReady: "The service is not ready"
        case .versionNotSupported: "The HTTP version is not supported"
        case .uploadConflict: "The upload does not take these bytes"
        case .checksumMismatch: "The bytes do not have their checksum"
        case .digestMismatch: "The file does not have its digest"
        case .insufficientStorage: "The disk has no room for the upload"
        }
    }

    /// The path of the page about it.
    package var path: String { "/problems/" + rawValue }
}
