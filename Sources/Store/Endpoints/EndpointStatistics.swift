package import Core

/// How an endpoint answers.
package struct EndpointStatistics: Sendable {
    /// Tries that were answered with 2xx; nil for `default`, of which they are not counted.
    package var succeeded: Int64?
    /// Tries that were not; nil for `default`.
    package var failed: Int64?
    /// Deliveries that wait, up to `countedAtMost`; nil for `default`.
    package var pending: Int64?
    /// Deliveries that were given up and are kept, up to `countedAtMost`.
    package var exhausted: Int64
    /// Deliveries that were abandoned and are kept, up to `countedAtMost`.
    package var abandoned: Int64
    /// When the last 2xx came.
    package var lastSuccessAt: Timestamp?
    /// When the last try failed.
    package var lastFailureAt: Timestamp?
    /// The first failure since the last 2xx.
    package var failingSince: Timestamp?

    /// Rows are counted up to this number.
    package static let countedAtMost = 10_000
}
