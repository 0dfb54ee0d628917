// What went wrong, in words that the API can repeat.

/// The failure of a transfer: a value, because failures are expected.
package struct TransferFailure: Sendable, Equatable, CustomStringConvertible {
    /// Stable codes: the snake_case of Apple's `URLError.Code` where there is one, else ours.
    package enum Code: String, Sendable, CaseIterable {
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
        /// More redirects than allowed.
        case tooManyRedirects = "http_too_many_redirects"
        /// A redirect whose Location is not a URL.
        case redirectToNonExistentLocation = "redirect_to_non_existent_location"
        /// A redirect from https to http.
        case requiresSecureConnection = "app_transport_security_requires_secure_connection"
        /// An answer that contradicts itself or is not HTTP.
        case badServerResponse = "bad_server_response"
        /// More bytes than allowed.
        case dataLengthExceedsMaximum = "data_length_exceeds_maximum"
        /// The operator does not allow the address.
        case destinationNotAllowed = "destination_not_allowed"
        /// A URL with another scheme, as a redirect may hold.
        case unsupportedURL = "unsupported_url"
        /// A request header that is not allowed.
        case badRequestHeader = "bad_request_header"
        /// The caller cancelled.
        case cancelled
        /// The sink refused.
        case abortedBySink = "aborted_by_sink"
        /// The engine is closed, has no room, or failed.
        case resourceUnavailable = "resource_unavailable"
    }

    /// Who is to act; the classes of the API's `error.class`.
    package enum Class: String, Sendable {
        /// The network between; another attempt may work.
        case network
        /// The other server's answer.
        case server
        /// Nothing will change by itself.
        case permanent
        /// The client's request has to change.
        case attention
        /// Ours.
        case `internal`
    }

    /// The stable code.
    package let code: Code
    /// One sentence for people; holds no address that was looked up.
    package let description: String
    /// For the operator's log: the denial's reason, libcurl's words, the sink's reason.
    package let detail: String

    /// A failure with its sentence.
    package init(_ code: Code, detail: String = "") {
        self.init(code, sentence: code.sentence, detail: detail)
    }

    /// A failure with a sentence of its own.
    init(_ code: Code, sentence: String, detail: String = "") {
        self.code = code
        self.detail = detail
        description = sentence
    }

    /// The part of ``detail`` that the client may read as well, at most 300 bytes.
    ///
    /// It is what libcurl, or our reading of the head or of the chunks, said of the other side.
    package var words: String? {
        switch code {
        case .destinationNotAllowed, .abortedBySink, .cancelled, .badRequestHeader: nil
        default: detail.isEmpty ? nil : detail
        }
    }

    /// A length that no file has.
    static let lengthBeyondCounting = TransferFailure(
        .dataLengthExceedsMaximum, sentence: "The server announces a body of 10^18 bytes or more.")

    /// Who is to act.
    package var `class`: Class { code.traits.0 }
    /// Whether another attempt may end differently.
    package var isRetryable: Bool { code.traits.1 }
}

extension TransferFailure.Code {
    var traits: (TransferFailure.Class, Bool) {
        switch self {
        case .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .networkConnectionLost,
            .timedOut, .stalled, .secureConnectionFailed, .proxyConnectionFailed:
            (.network, true)
        case .badServerResponse: (.server, true)
        case .tooManyRedirects, .redirectToNonExistentLocation, .requiresSecureConnection:
            (.server, false)
        case .serverCertificateUntrusted, .clientCertificateRequired,
            .clientCertificateRejected, .dataLengthExceedsMaximum, .destinationNotAllowed,
            .unsupportedURL, .badRequestHeader, .cancelled:
            (.permanent, false)
        case .proxyAuthenticationRequired, .proxyRefused: (.attention, true)
        case .abortedBySink: (.internal, false)
        case .resourceUnavailable: (.internal, true)
        }
    }

    var sentence: String {
        switch self {
        case .cannotFindHost: "The host name has no address."
        case .dnsLookupFailed: "The host name could not be looked up."
        case .cannotConnectToHost: "No connection to the host could be made."
        case .networkConnectionLost: "The connection ended before the body was complete."
        case .timedOut: "The server sent nothing for too long, or took too long in all."
        case .stalled: "The server sent too little for too long."
        case .secureConnectionFailed: "The TLS handshake with the server failed."
        case .serverCertificateUntrusted: "The server's certificate is not trusted for this host."
        case .clientCertificateRequired:
            "The server asks for a client certificate; give the session one in tls."
        case .clientCertificateRejected:
            "The client certificate and key of the session's tls cannot be used."
        case .proxyAuthenticationRequired: "The proxy wants credentials, or others."
        case .proxyRefused: "The proxy opens no tunnel to the host."
        case .proxyConnectionFailed: "The proxy could not open a tunnel to the host."
        case .tooManyRedirects: "The server redirected more often than is followed."
        case .redirectToNonExistentLocation: "The server redirected to something that is no URL."
        case .requiresSecureConnection: "The server redirected from https to http."
        case .badServerResponse: "The server's answer contradicts itself or is not HTTP."
        case .dataLengthExceedsMaximum: "The body is longer than the limit of this request."
        case .destinationNotAllowed: "The operator of this service does not allow the destination."
        case .unsupportedURL: "The server redirected to a URL that is neither http nor https."
        case .badRequestHeader: "A request header is malformed or reserved for the service."
        case .cancelled: "The transfer was cancelled."
        case .abortedBySink: "The transfer was stopped by the receiver of its bytes."
        case .resourceUnavailable: "The service had no room for the transfer."
        }
    }
}
