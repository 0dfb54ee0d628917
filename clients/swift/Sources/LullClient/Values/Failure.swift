// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `Failure` of the API.
public struct Failure: Codable, Hashable, Sendable {
    /// The kind of failure, which decides what follows.
    public var `class`: Class
    /// A stable name; those of the transport are Apple's `URLError.Code` in snake_case.
    ///
    /// | Class | Codes | What follows |
    /// |---|---|---|
    /// | `network` | `cannot_find_host` (no address), `dns_lookup_failed` (no answer from the name server), `cannot_connect_to_host`, `secure_connection_failed` (TLS), `timed_out` (silence after the request), `stalled` (too few bytes for too long), `proxy_connection_failed` (it could not open a tunnel: 408, 425, 429, 5xx or no answer), `network_connection_lost` (the connection broke), `http_status` (408, 421, 423, 425, 449, all of 500 to 599 but 503), `bad_server_response` (ranges that make no sense), `size_mismatch`, `destination_unavailable` (a link is on the way to the file; after the last try it is of the class `attention`), `digest_mismatch` (not the digest of the origin in `Repr-Digest`, `Content-Digest`, `Digest`, `Content-MD5`, trailers and parts included; twice) | tried again; attempts without progress are counted |
    /// | `pushback` | `http_status` (429, 503; 202 of a GET; 3xx, 404, 413 with a told time), `user_authentication_required` (403 with one) | tried again when the told time is over, 1 s to 24 h and up to a tenth more; a 202 without a time after waits that grow to 5 min.
    ///
    /// That costs no attempt up to 24 h in all or 1,000 waits without a new byte, a 202 none. After 429, 503 and where nothing remains of a limit the origin is not asked for this app, and for no app where it answers three apps so within a minute |
    /// | `server` | `bad_server_response` (contradictory framing; tried again), `resource_unavailable` (404, 410), `http_status` (any other: 1xx, 2xx but 200, 202, 203 and 206, 3xx without a usable Location, 4xx, 600 to 999), `length_unverified`, `expected_length_mismatch` (`require_expected_length`), `content_type_not_accepted` (`accept_content_types`), `content_too_short` (`min_bytes`), `source_changed` (`on_source_change: fail`), `http_too_many_redirects`, `redirect_to_non_existent_location`, `app_transport_security_requires_secure_connection` (https to http) | over, but for the first |
    /// | `attention` | `user_authentication_required` (401, 403, 407; `detail` says where credentials were withheld from the origin), `url_expired` (401, 403, 404, 410 and a signed URL whose time is over, or 400 and these with a text that says so, after `url` was requested once more where a redirect led there), `resource_unavailable` (404, 410 after bytes were received), `source_changed`, `data_length_exceeds_maximum`, `proxy_authentication_required` (407 of the proxy), `proxy_refused` (any other answer of the proxy to CONNECT), `credentials_unreadable` (encrypted with a key that is missing), `destination_conflict` (a file or object has the name that `destination` gives), `destination_unavailable` (the folder or the path cannot be used, or the store refuses the file: `detail` has its code), `destination_refused` (the receiver of the file answered 3xx, or 4xx but 408, 425 and 429), `destination_outcome_unknown` (a POST was sent to the receiver and its answer lost), `content_lost` (the file of an upload is lost: resume, then bring it again) | bytes are kept; `PATCH` what it takes and `resume` |
    /// | `permanent` | `digest_mismatch` (yours), `data_length_exceeds_maximum` (more than 2^53 bytes announced), `timed_out` (the whole time is over), `unsupported_url`, `destination_not_allowed`, `server_certificate_untrusted`, `client_certificate_required` (none was shown, or another is wanted), `client_certificate_rejected` (certificate and key of the session cannot be used), `bad_request_header`, `request_outcome_unknown` (a POST was sent and its attempt lost), `content_expired` (the client of an upload did not bring all bytes within `content_retention`) | over |
    /// | `internal` | `insufficient_storage`, `cannot_write_to_file`, `credentials_unavailable` (the database did not give them), `resource_unavailable` (no memory, descriptor or place in the queue of look-ups for the transfer, or the service is being stopped), `cannot_record` | tried again, but for the last |
    public var code: String
    /// `detail` of the API.
    public var detail: String
    /// `retryable` of the API.
    public var retryable: Bool
    /// `http_status` of the API.
    public var httpStatus: Int?

    /// Makes one of its members; those that are left out are nil.
    public init(
        class: Class,
        code: String,
        detail: String,
        retryable: Bool,
        httpStatus: Int? = nil
    ) {
        self.class = `class`
        self.code = code
        self.detail = detail
        self.retryable = retryable
        self.httpStatus = httpStatus
    }

    private enum CodingKeys: String, CodingKey {
        case `class`
        case code
        case detail
        case retryable
        case httpStatus = "http_status"
    }

    /// The kind of failure, which decides what follows.
    public struct Class: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `network`.
        public static let network = Class(rawValue: "network")

        /// `pushback`.
        public static let pushback = Class(rawValue: "pushback")

        /// `server`.
        public static let server = Class(rawValue: "server")

        /// `permanent`.
        public static let permanent = Class(rawValue: "permanent")

        /// `attention`.
        public static let attention = Class(rawValue: "attention")

        /// `internal`.
        public static let `internal` = Class(rawValue: "internal")
    }
}
