internal import Platform

/// The limits of a pool.
package struct PoolLimits: Sendable {
    /// The longest time that a task waits for a connection, in milliseconds.
    package var waitMilliseconds: Int64 = 5_000
    /// The most tasks that may wait at once.
    package var waitersMax = 1_024
    /// The pause after the first failed attempt to connect, in milliseconds; it doubles.
    package var backoffMilliseconds: Int64 = 100
    /// The longest pause, in milliseconds.
    package var backoffMaxMilliseconds: Int64 = 5_000

    /// Creates the defaults.
    package init() {}
}
