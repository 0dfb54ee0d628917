package import Base
package import Downloads

/// A proxy for one run; judged by the engine's `proxyDestinations`.
package struct TransferProxy: Sendable {
    /// The address, `http://host:port`.
    package var url: SourceURL
    /// The user's name and password, or nil.
    package var credentials: ProxyCredentials?

    /// Creates a pair of both values.
    package init(url: SourceURL, credentials: ProxyCredentials?) {
        self.url = url
        self.credentials = credentials
    }
}
