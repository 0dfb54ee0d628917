// The wall clock, and the boot clock for leases and logs.
internal import Glibc

/// The machine's clocks as numbers; deadlines inside a process use `ContinuousClock`.
package enum SystemClock {
    /// Microseconds since 1970-01-01 UTC (CLOCK_REALTIME).
    package static func wallMicroseconds() -> Int64 {
        let time = read(CLOCK_REALTIME)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// Nanoseconds since boot, suspended time included (CLOCK_BOOTTIME), for leases.
    package static func bootNanoseconds() -> Int64 {
        let time = read(CLOCK_BOOTTIME)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        let result = unsafe clock_gettime(clock, &time)
        precondition(result == 0, "clock_gettime cannot fail with a clock of this kernel")
        return time
    }
}
