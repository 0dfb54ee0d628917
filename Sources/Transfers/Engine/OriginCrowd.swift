// Whose connections are not worth keeping.
internal import Core

/// Tells origins that were asked shortly before from those that pass by in a crowd.
///
/// At the end of every transfer libcurl looks at all connections that it keeps, once they are as
/// many as it may keep, to close the oldest. Of thousands of origins that are asked once each, no
/// connection is worth that: while more than it may keep are asked within a minute, a new origin's
/// first connection ends with its transfer, and those that are kept stay.
struct OriginCrowd {
    /// So many different origins at once are a crowd.
    private let most: Int
    /// Those of the generation that grows, by their hashes; and of the one before.
    private var current: Set<Int> = []
    private var previous: Set<Int> = []
    /// When the present generation began; nanoseconds since boot.
    private var startedAt: Int64?
    private var isCrowd = false

    /// The longest that a generation lasts, in nanoseconds: as long as an idle connection is kept.
    private static let lifetime: Int64 = 60_000_000_000

    /// - Parameter most: how many different origins are no crowd yet.
    init(most: Int = TransferLimits.connectionsMax) { self.most = most }

    /// Notes that an origin is asked.
    ///
    /// - Parameters:
    ///   - url: what is asked.
    ///   - now: nanoseconds since boot.
    /// - Returns: true for one of a crowd that was not asked shortly before.
    mutating func passes(_ url: SourceURL, now: Int64) -> Bool {
        let isOver = now - (startedAt ?? now) > OriginCrowd.lifetime
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
