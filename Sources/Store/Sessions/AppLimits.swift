/// The limits of an app; nil for no limit.
package struct AppLimits: Sendable, Equatable {
    /// The most requests a second.
    package var requestsPerSecond: Double?
    /// The most downloads and uploads that have not ended.
    package var queued: Int64?
    /// The most downloads that run at once, over all replicas.
    package var running: Int32?
    /// The most bytes of uploads that have not ended.
    package var stagedBytes: Int64?

    /// Creates limits.
    package init(
        requestsPerSecond: Double? = nil, queued: Int64? = nil, running: Int32? = nil,
        stagedBytes: Int64? = nil
    ) {
        self.requestsPerSecond = requestsPerSecond
        self.queued = queued
        self.running = running
        self.stagedBytes = stagedBytes
    }
}
