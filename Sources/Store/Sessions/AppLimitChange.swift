/// A change to the limits of an app: those that are not named stay.
package struct AppLimitChange: Sendable, Equatable {
    /// A change to one limit.
    package enum Limit<Value: Sendable & Equatable>: Sendable, Equatable {
        /// It stays as it is.
        case unchanged
        /// There is no limit any more.
        case none
        /// At most this.
        case most(Value)

        /// Whether the limit changes.
        var isChanged: Bool { self != .unchanged }

        /// The new limit; nil for none.
        var value: Value? {
            guard case .most(let value) = self else { return nil }
            return value
        }
    }

    /// Requests a second, above 0.
    package var requestsPerSecond = Limit<Double>.unchanged
    /// Downloads and uploads that have not ended, from 0.
    package var queued = Limit<Int64>.unchanged
    /// Downloads that run at once over all replicas, from 0.
    package var running = Limit<Int32>.unchanged
    /// Bytes of uploads that have not ended, from 0.
    package var stagedBytes = Limit<Int64>.unchanged

    /// Creates a change of nothing.
    package init() {}

    /// Creates a change of all limits.
    package init(to limits: AppLimits) {
        requestsPerSecond = limits.requestsPerSecond.map { .most($0) } ?? .none
        queued = limits.queued.map { .most($0) } ?? .none
        running = limits.running.map { .most($0) } ?? .none
        stagedBytes = limits.stagedBytes.map { .most($0) } ?? .none
    }
}
