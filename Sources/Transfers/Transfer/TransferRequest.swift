// A transfer: what to fetch, and its timeouts and bounds.
package import Core

/// One HTTP request with its bounds; redirects included, one run.
package struct TransferRequest: Sendable {
    /// The methods that are sent.
    package enum Method: String, Sendable {
        /// Fetch.
        case get = "GET"
        /// Send a body.
        case post = "POST"
        /// Send a body; idempotent.
        case put = "PUT"
        /// Only the head.
        case head = "HEAD"
    }

    /// Where to.
    package var url: SourceURL
    /// The method of the first hop.
    package var method: Method = .get
    /// The caller's headers in order, for the origin of `url` alone; fields of `secrets` win.
    ///
    /// Framing and connection headers are refused.
    package var headers: [(name: String, value: String)] = []
    /// The secrets of the run, of which each hop gets those for its own origin; nil for none.
    package var secrets: OutgoingSecrets?
    /// Words of the origins to earlier requests of the attempt; nil to repeat nothing.
    package var memory: AttemptMemory?
    /// The body of a POST or PUT.
    package var body: [UInt8]?
    /// Whether libcurl may send it again when a kept connection turns out to be dead.
    package var isRepeatable = true
    /// Certificates of the caller's own; nil for the engine's.
    package var tls: TransferTLS?
    /// The HTTP proxy for all hops; nil for none.
    package var proxy: TransferProxy?
    /// Sends `Range: bytes=N-` when set; N >= 0.
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
    /// The longest time for everything, or nil for no bound.
    package var totalTimeout: Duration?
    /// The most body bytes of the final answer, or nil for no bound.
    package var maximumBodyBytes: Int64?
    /// The receive buffer: 16,384 for slow, small or many transfers, 131,072 for fast ones.
    package var bufferBytes: Int = 16_384
    /// What it belongs to as far as shared limits go, the narrow scopes first; an origin is that of
    /// the first hop.
    package var rateScopes: [RateScope] = []
    /// Its own limit in bytes a second, above 0; nil for none.
    package var maximumBytesPerSecond: Int64?
    /// The priority where a rate limit is shared: 0, the most urgent, to 3.
    package var rank = 0
    /// How many redirects are followed; 0 delivers the 3xx itself.
    package var followsRedirects: Int = 10
    /// Whether https may redirect to http.
    package var allowsDowngrade = false
    /// The time that a redirect tells to be waited for before it is followed; nil for none.
    package var redirectWait: @Sendable (ResponseHead) -> Duration? = { _ in nil }

    /// A GET of a URL with the usual bounds.
    package init(url: SourceURL) { self.url = url }
}
