// A transfer: what to fetch, with timeouts and bounds.
package import Base
package import Downloads
package import Scheduling

/// One HTTP request with its bounds; with its redirects it is one run.
package struct TransferRequest: Sendable {
    /// The HTTP methods of requests.
    package enum Method: String, Sendable {
        /// Fetch a resource.
        case get = "GET"
        /// Send a body.
        case post = "POST"
        /// Send a body; idempotent.
        case put = "PUT"
        /// Send a body that changes a resource; the next bytes of an upload with tus.
        case patch = "PATCH"
        /// Fetch the head only.
        case head = "HEAD"
        /// Remove a resource; idempotent.
        case delete = "DELETE"
    }

    /// The target.
    package var url: SourceURL
    /// The method of the first hop.
    package var method: Method = .get
    /// The caller's headers in order, sent to the origin of `url` only; fields of `secrets`
    /// override them.
    ///
    /// Framing and connection headers are refused.
    package var headers: [(name: String, value: String)] = []
    /// The secrets of the run; each hop gets those for its own origin; nil for none.
    package var secrets: OutgoingSecrets?
    /// The cookies and challenges of earlier requests of the attempt; nil for none.
    package var memory: AttemptMemory?
    /// The body of a POST, PUT or PATCH.
    package var body: [UInt8]?
    /// The body of a POST, PUT or PATCH that is read while it is sent; takes the place of `body`.
    package var source: TransferSource?
    /// Whether libcurl may send it again if a kept connection turns out to be dead.
    package var isRepeatable = true
    /// The caller's own certificates; nil for the engine's.
    package var tls: TransferTLS?
    /// The HTTP proxy for all hops; nil for none.
    package var proxy: TransferProxy?
    /// N >= 0 to send `Range: bytes=N-`; nil for no range.
    package var rangeStart: Int64?
    /// The last byte of that range; nil for the end of the file.
    package var rangeEnd: Int64?
    /// The validator for `If-Range`, sent only with a range: a strong ETag or an HTTP-date.
    package var ifRange: FieldValue?
    /// The longest wait for the addresses of a hop's host.
    package var lookupTimeout: Duration = .seconds(15)
    /// The longest wait for connection and TLS of a hop, once there is an address.
    package var connectTimeout: Duration = .seconds(15)
    /// The longest time without a byte, from the start on; a paused transfer is exempt.
    package var idleTimeout: Duration = .seconds(60)
    /// The speed below which the transfer fails, while it is not paused here; nil for no bound.
    package var lowSpeed: LowSpeed?
    /// The longest time for the whole run; nil for no bound.
    package var totalTimeout: Duration?
    /// The most body bytes of the final answer; nil for no bound.
    package var maximumBodyBytes: Int64?
    /// The receive buffer in bytes: 16,384 for slow, small or many transfers, 131,072 for fast
    /// ones.
    package var bufferBytes: Int = 16_384
    /// The scopes of shared limits that it belongs to, the narrow ones first; an origin is that of
    /// the first hop.
    package var rateScopes: [RateScope] = []
    /// Its own limit in bytes a second, above 0; nil for none.
    package var maximumBytesPerSecond: Int64?
    /// The rank at a shared rate limit: 0, the most urgent, to 3.
    package var rank = 0
    /// The most redirects that are followed; 0 delivers the 3xx itself.
    package var followsRedirects: Int = 10
    /// Whether https may redirect to http.
    package var allowsDowngrade = false
    /// Reads the time that a redirect asks to wait before it is followed; nil for none.
    package var redirectWait: @Sendable (ResponseHead) -> Duration? = { _ in nil }

    /// Creates a GET of a URL with the default bounds.
    package init(url: SourceURL) { self.url = url }
}
