// Pool limits for tests that are not about the waits of a pool.
package import Postgres

extension PoolLimits {
    /// Limits that wait two minutes for a connection: many tests open theirs at once, on a busy
    /// machine.
    package static var patient: PoolLimits {
        var limits = PoolLimits()
        limits.waitMilliseconds = 120_000
        return limits
    }
}
