// Decides whose connections are worth keeping.
internal import Base

/// Distinguishes origins that were used shortly before from those that are used once among very
/// many.
///
/// At the end of every transfer libcurl looks at all kept connections, once their number has
/// reached its limit, to close the oldest. With thousands of origins that are used once each, no
/// connection is worth that: while more origins than connections can be kept are used within a
/// minute, a new origin's first connection ends with its transfer, and the kept ones stay.
struct ConnectionRetention {
    /// The number of different origins from which on connections are not kept.
    private let most: Int
    /// The origins of the current generation, by their hashes; below, those of the previous one.
    private var current: Set<Int> = []
    private var previous: Set<Int> = []
    /// The time at which the current generation began; nanoseconds since boot.
    private var startedAt: Int64?
    private var isCrowd = false

    /// The longest duration of a generation, in nanoseconds: as long as an idle connection is kept.
    private static let lifetime: Int64 = 60_000_000_000

    /// - Parameter most: up to how many different origins connections are kept.
    init(most: Int = TransferLimits.connectionsMax) { self.most = most }

    /// Notes that an origin is used.
    ///
    /// - Parameters:
    ///   - url: what is asked.
    ///   - now: nanoseconds since boot.
    /// - Returns: true for one of very many origins that was not asked shortly before.
    mutating func closesAfterUse(_ url: SourceURL, now: Int64) -> Bool {
        let isOver = now - (startedAt ?? now) > ConnectionRetention.lifetime
        if startedAt == nil || isOver || current.count >= most {
            isCrowd = current.count >= most && !isOver
            previous = current
            current.removeAll(keepingCapacity: true)
            startedAt = now
        }
        var hasher = Hasher()
        hasher.combine(url.scheme)
        hasher.combine(url.host)
        hasher.combine(url.port)
        let origin = hasher.finalize()
        let isNew = current.insert(origin).inserted && !previous.contains(origin)
        return isCrowd && isNew
    }
}
