internal import Platform

/// How a pool behaves when it is short of connections.
package struct PoolLimits: Sendable {
    /// How long a task waits for a connection, in milliseconds.
    package var waitMilliseconds: Int64 = 5_000
    /// How many tasks may wait at once.
    package var waitersMax = 1_024
    /// The first pause after a failed attempt to connect, in milliseconds; it doubles.
    package var backoffMilliseconds: Int64 = 100
    /// The longest pause, in milliseconds.
    package var backoffMaxMilliseconds: Int64 = 5_000

    /// The defaults.
    package init() {}
}
