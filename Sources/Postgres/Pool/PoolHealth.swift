internal import Platform

/// The state of a pool at one moment.
package struct PoolHealth: Sendable, Equatable {
    /// The number of open connections, in use or idle.
    package let open: Int
    /// The number of idle connections.
    package let idle: Int
    /// The number of waiting tasks.
    package let waiting: Int
    /// The number of failed attempts to connect since the last successful one.
    package let failures: Int
    /// The error of the last attempt; nil after a success.
    package let lastError: PostgresError?
}
