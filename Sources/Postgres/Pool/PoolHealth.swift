internal import Platform

/// The state of a pool at one moment.
package struct PoolHealth: Sendable, Equatable {
    /// Open connections, in use or not.
    package let open: Int
    /// Idle connections.
    package let idle: Int
    /// Tasks that wait.
    package let waiting: Int
    /// Failed attempts to connect since the last good one.
    package let failures: Int
    /// Why the last attempt failed, nil after a good one.
    package let lastError: PostgresError?
}
