// Instants on the boot clock.

/// Arithmetic of deadlines without overflow.
enum Deadline {
    /// A duration in nanoseconds, at least 0, at most about 146 years.
    static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        guard seconds < 4_611_686_018 else { return Int64.max / 2 }
        return max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
