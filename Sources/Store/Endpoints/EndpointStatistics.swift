package import Base

/// The results of an endpoint's deliveries.
package struct EndpointStatistics: Sendable {
    /// Tries that were answered with 2xx; nil for `default`, for which they are not counted.
    package var succeeded: Int64?
    /// Tries without a 2xx; nil for `default`.
    package var failed: Int64?
    /// Waiting deliveries, up to `countedAtMost`; nil for `default`.
    package var pending: Int64?
    /// Kept deliveries that were given up, up to `countedAtMost`.
    package var exhausted: Int64
    /// Kept deliveries that were abandoned, up to `countedAtMost`.
    package var abandoned: Int64
    /// The time at which the last 2xx came.
    package var lastSuccessAt: Timestamp?
    /// The time at which the last try failed.
    package var lastFailureAt: Timestamp?
    /// The first failure since the last 2xx.
    package var failingSince: Timestamp?

    /// The bound up to which rows are counted.
    package static let countedAtMost = 10_000
}
