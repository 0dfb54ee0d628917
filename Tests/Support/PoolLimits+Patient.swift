// Pools of tests that are not about how long a pool waits.
package import Postgres

extension PoolLimits {
    /// Waits two minutes for a connection: many tests open theirs at once, on a busy machine.
    package static var patient: PoolLimits {
        var limits = PoolLimits()
        limits.waitMilliseconds = 120_000
        return limits
    }
}
