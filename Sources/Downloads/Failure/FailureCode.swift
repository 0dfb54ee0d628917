// The failures of a download or a delivery: a closed list, so that a test proves each code.

/// The stable codes of `error.code`; those of the transport are named after Apple's
/// `URLError.Code`.
///
/// For a new code the compiler demands its properties below and its proof in
/// `FailureRowTests.proof(of:)`; that test then demands its row in `openapi.yaml`.
package enum FailureCode: String, Sendable, CaseIterable, MemberValue {
    /// No address for the name.
    case cannotFindHost = "cannot_find_host"
    /// No name server answered.
    case dnsLookupFailed = "dns_lookup_failed"
    /// No connection to any address.
    case cannotConnectToHost = "cannot_connect_to_host"
    /// The connection ended before the body did.
    case networkConnectionLost = "network_connection_lost"
    /// Too long without a byte, or too long in all.
    case timedOut = "timed_out"
    /// Too few bytes for too long.
    case stalled
    /// The TLS handshake failed.
    case secureConnectionFailed = "secure_connection_failed"
    /// The certificate is not trusted for the host.
    case serverCertificateUntrusted = "server_certificate_untrusted"
    /// The server wants a client certificate, or another one.
    case clientCertificateRequired = "client_certificate_required"
    /// The client's certificate and key cannot be used.
    case clientCertificateRejected = "client_certificate_rejected"
    /// The proxy wants credentials, or other ones.
    case proxyAuthenticationRequired = "proxy_authentication_required"
    /// The proxy opens no tunnel to the origin.
    case proxyRefused = "proxy_refused"
    /// The proxy could not open a tunnel to the origin.
    case proxyConnectionFailed = "proxy_connection_failed"
    /// More redirects than are followed.
    case tooManyRedirects = "http_too_many_redirects"
    /// A redirect whose Location is not a URL.
    case redirectToNonExistentLocation = "redirect_to_non_existent_location"
    /// A redirect from https to http.
    case requiresSecureConnection = "app_transport_security_requires_secure_connection"
    /// An answer that contradicts itself or is not HTTP.
    case badServerResponse = "bad_server_response"
    /// A status without content.
    case httpStatus = "http_status"
    /// 401, 403 or 407.
    case userAuthenticationRequired = "user_authentication_required"
    /// A signed URL has expired.
    case urlExpired = "url_expired"
    /// 404 or 410; or Lull had no room for the transfer.
    case resourceUnavailable = "resource_unavailable"
    /// The operator does not allow the address.
    case destinationNotAllowed = "destination_not_allowed"
    /// A URL with another scheme.
    case unsupportedURL = "unsupported_url"
    /// A request header that is not allowed.
    case badRequestHeader = "bad_request_header"
    /// More bytes than allowed.
    case dataLengthExceedsMaximum = "data_length_exceeds_maximum"
    /// Content of a type that the client does not accept.
    case contentTypeNotAccepted = "content_type_not_accepted"
    /// Fewer bytes than the client demands.
    case contentTooShort = "content_too_short"
    /// The length differs from the announced one.
    case sizeMismatch = "size_mismatch"
    /// The length differs from the one that the client demands.
    case expectedLengthMismatch = "expected_length_mismatch"
    /// The digest differs from the announced one.
    case digestMismatch = "digest_mismatch"
    /// There is no proof of where the body ends.
    case lengthUnverified = "length_unverified"
    /// The source has changed to another version.
    case sourceChanged = "source_changed"
    /// It is unknown whether the origin acted on a request that must not be repeated.
    case requestOutcomeUnknown = "request_outcome_unknown"
    /// The secrets of the request could not be read from the database.
    case credentialsUnavailable = "credentials_unavailable"
    /// The secrets of the request were sealed with a key that is not configured.
    case credentialsUnreadable = "credentials_unreadable"
    /// The disk is full.
    case insufficientStorage = "insufficient_storage"
    /// The file could not be written.
    case cannotWriteToFile = "cannot_write_to_file"
    /// The store refuses a value of the origin's answer.
    case cannotRecord = "cannot_record"
    /// Another file has the name that the download's file was to get.
    case destinationConflict = "destination_conflict"
    /// The file could not be put into the folder of its destination.
    case destinationUnavailable = "destination_unavailable"
    /// The receiver of the file refused it.
    case destinationRefused = "destination_refused"
    /// It is unknown whether the receiver took a file whose request must not be repeated.
    case destinationOutcomeUnknown = "destination_outcome_unknown"
    /// The file of an upload is lost.
    case contentLost = "content_lost"
    /// The client of an upload did not bring the whole file in time.
    case contentExpired = "content_expired"
}

extension FailureCode {
    /// The usual class of the failure, and whether a retry may help.
    ///
    /// A `DownloadFailure` may differ from it, because of the status or of who announced the
    /// digest.
    package var usual: (failureClass: FailureClass, isRetryable: Bool) {
        switch self {
        case .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .networkConnectionLost,
            .timedOut, .stalled, .secureConnectionFailed, .proxyConnectionFailed, .sizeMismatch,
            .digestMismatch:
            (.network, true)
        case .badServerResponse: (.server, true)
        case .tooManyRedirects, .redirectToNonExistentLocation, .requiresSecureConnection,
            .httpStatus, .expectedLengthMismatch, .lengthUnverified, .sourceChanged,
            .contentTypeNotAccepted, .contentTooShort:
            (.server, false)
        case .serverCertificateUntrusted, .clientCertificateRequired, .clientCertificateRejected,
            .dataLengthExceedsMaximum, .destinationNotAllowed, .unsupportedURL, .badRequestHeader:
            (.permanent, false)
        case .proxyAuthenticationRequired, .proxyRefused, .userAuthenticationRequired, .urlExpired,
            .requestOutcomeUnknown, .credentialsUnreadable, .destinationConflict,
            .destinationUnavailable, .destinationRefused, .destinationOutcomeUnknown, .contentLost:
            (.attention, true)
        case .contentExpired: (.permanent, false)
        case .cannotRecord: (.internal, false)
        case .resourceUnavailable, .credentialsUnavailable, .insufficientStorage,
            .cannotWriteToFile:
            (.internal, true)
        }
    }

    /// Whether the cause lies in the request or in this service, so that other mirrors would fail
    /// as well.
    package var isAlikeAtMirrors: Bool {
        switch self {
        case .dataLengthExceedsMaximum, .credentialsUnreadable, .credentialsUnavailable,
            .requestOutcomeUnknown, .badRequestHeader, .clientCertificateRejected,
            .proxyAuthenticationRequired, .insufficientStorage, .cannotWriteToFile, .cannotRecord,
            .destinationConflict, .destinationUnavailable, .destinationRefused,
            .destinationOutcomeUnknown, .contentLost, .contentExpired:
            true
        case .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .networkConnectionLost,
            .timedOut, .stalled, .secureConnectionFailed, .serverCertificateUntrusted,
            .clientCertificateRequired, .proxyRefused, .proxyConnectionFailed, .tooManyRedirects,
            .redirectToNonExistentLocation, .requiresSecureConnection, .badServerResponse,
            .httpStatus, .userAuthenticationRequired, .urlExpired, .resourceUnavailable,
            .destinationNotAllowed, .unsupportedURL, .sizeMismatch, .expectedLengthMismatch,
            .digestMismatch, .lengthUnverified, .sourceChanged, .contentTypeNotAccepted,
            .contentTooShort:
            false
        }
    }

    /// Whether the beginning of the content is kept, because it shows why the content is not
    /// wanted.
    package var keepsExcerpt: Bool { self == .contentTypeNotAccepted || self == .contentTooShort }

    /// Whether the transport's own message goes to the log only: it names a resolved address, or a
    /// header of the client.
    package var hidesTransportWords: Bool {
        self == .destinationNotAllowed || self == .badRequestHeader
    }

    /// The failure in a sentence for clients, without resolved addresses.
    package var sentence: String {
        switch self {
        case .cannotFindHost: "The host name has no address."
        case .dnsLookupFailed: "The host name could not be looked up."
        case .cannotConnectToHost: "No connection to the host could be made."
        case .networkConnectionLost: "The connection ended before the body was complete."
        case .timedOut: "The server sent nothing for too long, or took too long in all."
        case .stalled: "The server sent too few bytes a second for too long."
        case .secureConnectionFailed: "The TLS handshake with the server failed."
        case .serverCertificateUntrusted: "The server's certificate is not trusted for this host."
        case .clientCertificateRequired:
            "The server demands a client certificate: give the session one in tls."
        case .clientCertificateRejected:
            "The client certificate and key of the session's tls cannot be used."
        case .proxyAuthenticationRequired:
            "The proxy demands credentials, or refuses those that were sent."
        case .proxyRefused: "The proxy refuses to open a tunnel to the host."
        case .proxyConnectionFailed: "The proxy could not open a tunnel to the host."
        case .tooManyRedirects: "The server redirected too many times."
        case .redirectToNonExistentLocation: "The server redirected to something that is not a URL."
        case .requiresSecureConnection: "The server redirected from https to http."
        case .badServerResponse: "The server's answer contradicts itself or is not HTTP."
        case .httpStatus: "The server answered with a status that has no content."
        case .userAuthenticationRequired:
            "The server demands credentials, or refuses those that were sent."
        case .urlExpired: "The signature of the URL has expired."
        case .resourceUnavailable: "The service did not have the resources for the transfer."
        case .destinationNotAllowed: "The operator of this service does not allow the destination."
        case .unsupportedURL: "The server redirected to a URL that is neither http nor https."
        case .badRequestHeader: "A request header is malformed or reserved for the service."
        case .dataLengthExceedsMaximum: "The body is longer than the limit of this request."
        case .contentTypeNotAccepted: "The content has a type that the client does not accept."
        case .contentTooShort: "The content has fewer bytes than the client demands."
        case .sizeMismatch: "The content has another length than was announced."
        case .expectedLengthMismatch: "The content has another length than the client demands."
        case .digestMismatch: "The content has another digest than was announced."
        case .lengthUnverified: "Nothing in the answer proves where the content ends."
        case .sourceChanged: "The source has another version than the kept bytes."
        case .requestOutcomeUnknown: "It is unknown whether the server acted on the request."
        case .credentialsUnavailable: "The request's credentials could not be read."
        case .credentialsUnreadable: "The request's credentials were sealed with another key."
        case .insufficientStorage: "The disk is full."
        case .cannotWriteToFile: "The file could not be written."
        case .cannotRecord: "The result could not be stored."
        case .destinationConflict: "The folder already has a file of that name."
        case .destinationUnavailable: "The file could not be put into its folder."
        case .destinationRefused: "The receiver of the file refused it."
        case .destinationOutcomeUnknown: "It is unknown whether the receiver took the file."
        case .contentLost: "The file that the client brought is lost."
        case .contentExpired: "The client did not bring the whole file in time."
        }
    }
}
