// The bounds of a piece of work at a store, and its end from outside.
package import Downloads
package import Scheduling
internal import Synchronization

/// What the requests of one piece of work have in common.
package final class StoreCall: Sendable {
    /// Bounds of each request.
    package struct Bounds: Sendable {
        /// The scopes of shared rate limits.
        package var rateScopes: [RateScope] = []
        /// The rank at a shared limit: 0, the most urgent, to 3.
        package var rank = 0
        /// The limit of each request in bytes a second; nil for none.
        package var maximumBytesPerSecond: Int64?
        /// The longest time without a byte.
        package var idleTimeout: Duration = .seconds(60)
        /// The speed below which a request fails; nil for none.
        package var lowSpeed: LowSpeed?
        /// The longest time of a request; nil for no bound.
        package var totalTimeout: Duration?

        /// Creates bounds with their defaults.
        package init() {}
    }

    private let bounds: Mutex<(bounds: Bounds, isCancelled: Bool)>

    /// Creates a call.
    package init(_ bounds: Bounds = Bounds()) { self.bounds = Mutex((bounds, false)) }

    /// Whether it was cancelled.
    package var isCancelled: Bool { bounds.withLock { $0.isCancelled } }

    /// Ends the requests that run, and refuses further ones.
    package func cancel() { bounds.withLock { $0.isCancelled = true } }

    /// Changes the limit of running and later requests in bytes a second; nil for none.
    package func limit(to rate: Int64?) {
        bounds.withLock { $0.bounds.maximumBytesPerSecond = rate }
    }
}
