// The words for what goes wrong with a download: a closed list, so that each can be proved.

/// The stable codes of `error.code`; those of the transport are Apple's `URLError.Code`.
///
/// A code that is added here needs its row in `openapi.yaml` and its proof in the worker's tests,
/// which fail until both are there.
package enum FailureCode: String, Sendable, CaseIterable {
    /// No address for the name.
    case cannotFindHost = "cannot_find_host"
    /// The name server did not answer.
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
    /// The server wants a certificate of the client, or another one.
    case clientCertificateRequired = "client_certificate_required"
    /// The client's certificate and key cannot be used.
    case clientCertificateRejected = "client_certificate_rejected"
    /// The proxy wants credentials, or others.
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
    /// A status that is no content.
    case httpStatus = "http_status"
    /// 401, 403 or 407.
    case userAuthenticationRequired = "user_authentication_required"
    /// The time of a signed URL is over.
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
    /// Another length than was announced.
    case sizeMismatch = "size_mismatch"
    /// Another length than the client demands.
    case expectedLengthMismatch = "expected_length_mismatch"
    /// Another digest than was said.
    case digestMismatch = "digest_mismatch"
    /// Nothing proves where the body ends.
    case lengthUnverified = "length_unverified"
    /// The source is another version.
    case sourceChanged = "source_changed"
    /// Nobody knows what came of a POST.
    case requestOutcomeUnknown = "request_outcome_unknown"
    /// What the request is sent with could not be read from the database.
    case credentialsUnavailable = "credentials_unavailable"
    /// What the request is sent with was sealed with a key that is not here.
    case credentialsUnreadable = "credentials_unreadable"
    /// The disk is full.
    case insufficientStorage = "insufficient_storage"
    /// The file could not be written.
    case cannotWriteToFile = "cannot_write_to_file"
    /// The store refuses a value of the answer.
    case cannotRecord = "cannot_record"
}
