// The time limits in the unit of the loop's clock.

/// Time limits in nanoseconds, computed once.
struct ServerTimeouts: Sendable {
    let header: Int64
    let body: Int64
    let writeStall: Int64
    let keepAlive: Int64
    let age: Int64
    let linger: Int64

    init(_ limits: ServerLimits) {
        header = Self.nanoseconds(limits.header)
        body = Self.nanoseconds(limits.body)
        writeStall = Self.nanoseconds(limits.writeStall)
        keepAlive = Self.nanoseconds(limits.keepAlive)
        age = Self.nanoseconds(limits.age)
        linger = Self.nanoseconds(limits.linger)
    }

    /// A duration in nanoseconds, at most a century, so that it can be added to any clock.
    static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return min(seconds, 3_155_760_000) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
