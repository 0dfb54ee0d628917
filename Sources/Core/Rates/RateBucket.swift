// A token bucket and those who wait at it.

/// One limit: fills at its rate, and lends a turn to who comes first in the most urgent rank.
struct RateBucket: Sendable {
    /// Bytes that an idle bucket keeps: a tenth of a second's worth, at least a chunk.
    private static let idleSeconds = 0.1
    /// Seconds' worth that those who wait are owed when the loop comes late.
    private static let lateSeconds = 1.0
    /// One turn in so many goes to a less urgent rank that waits.
    private static let courtesy = 16

    let scope: RateScope
    /// Bytes a second.
    private(set) var rate: Double
    /// Bytes that may pass; below zero after a turn that was lent.
    private(set) var tokens = 0.0
    /// Transfers that draw from it.
    var users = 0
    /// Whether the heap knows when those who wait are looked at.
    var isScheduled = false

    private var filledAt: Int64
    /// Until when nobody passes without standing in line; see `contend`.
    private var contendedUntil = Int64.min
    private var lines = Array(repeating: RateHeap<RateTurn>(), count: RateScheduler.ranks)
    private var turns = 0

    init(_ scope: RateScope, bytesPerSecond: Int64, now: Int64) {
        self.scope = scope
        rate = Double(bytesPerSecond)
        filledAt = now
    }

    /// The bytes of one turn: a millisecond's worth, between a chunk and 256 KiB.
    var quantum: Double {
        min(max(rate / 1000, RateScheduler.chunkBytes), 16 * RateScheduler.chunkBytes)
    }

    /// Whether somebody waits.
    var hasWaiting: Bool { lines.contains { !$0.isEmpty } }

    /// Fills up to an instant.
    mutating func fill(now: Int64) {
        let passed = Double(max(0, now - filledAt)) / 1_000_000_000
        filledAt = max(now, filledAt)
        let seconds = hasWaiting ? RateBucket.lateSeconds : RateBucket.idleSeconds
        let most = rate == 0 ? 0 : max(rate * seconds, RateScheduler.chunkBytes)
        tokens = max(tokens, min(most, tokens + passed * rate))
    }

    /// Takes another rate; neither a hoard nor a debt of the old one lasts.
    mutating func change(bytesPerSecond: Int64) {
        rate = Double(bytesPerSecond)
        let most = rate == 0 ? 0 : max(rate * RateBucket.idleSeconds, RateScheduler.chunkBytes)
        tokens = min(max(tokens, -quantum), most)
    }

    /// Lends a turn.
    mutating func draw(_ bytes: Double) { tokens -= bytes }

    /// Takes back what a turn did not use.
    mutating func refund(_ bytes: Double) { tokens += bytes }

    /// Whether a turn can be lent.
    var hasTokens: Bool { rate > 0 && tokens > 0 }

    /// Whether somebody who comes now passes at once.
    func isFree(now: Int64) -> Bool {
        hasTokens && !hasWaiting && (users == 1 || now >= contendedUntil)
    }

    /// Notes that turns were lent in line: for a while nobody who happens to come first takes more
    /// than those who come at the next tick.
    mutating func contend(now: Int64) { contendedUntil = now + 2 * RateScheduler.tick }

    /// The bytes that each of those in line gets: all there is in equal parts, at least a chunk.
    var share: Double {
        let waiting = lines.reduce(0) { $0 + $1.count }
        return max(tokens / Double(max(1, waiting)), RateScheduler.chunkBytes)
    }

    /// Lets somebody stand in the line of its rank.
    mutating func enqueue(_ turn: RateTurn, rank: Int) { lines[rank].insert(turn) }

    /// The next turn: the most urgent rank first, now and then each of the others.
    mutating func next() -> RateTurn? {
        turns &+= 1
        let isCourteous = turns % RateBucket.courtesy == 0
        let order = lines.indices.filter { !lines[$0].isEmpty }
        guard let urgent = order.first else { return nil }
        guard isCourteous, order.count > 1 else { return lines[urgent].popFirst() }
        return lines[order[1 + turns / RateBucket.courtesy % (order.count - 1)]].popFirst()
    }

    /// Forgets everybody who waits.
    mutating func clear() { lines = Array(repeating: RateHeap(), count: lines.count) }

    /// Nanoseconds until a turn can be lent again; nil at rate 0.
    var nanosecondsUntilFree: Int64? {
        guard rate > 0 else { return nil }
        guard tokens <= 0 else { return 0 }
        return Int64(min((1 - tokens) / rate * 1_000_000_000, 3_600_000_000_000))
    }
}
