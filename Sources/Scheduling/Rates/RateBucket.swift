// A token bucket and its waiting transfers.

/// One limit: fills at its rate and grants turns to the waiting ranks, by their weights.
struct RateBucket: Sendable {
    /// The burst of an idle bucket: a tenth of a second's bytes, at least a chunk.
    private static let idleSeconds = 0.1
    /// The most that waiting transfers are granted if the loop is late, in seconds of the rate.
    private static let lateSeconds = 1.0
    /// The weights of the ranks, the most urgent first.
    static let weights = [8.0, 4, 2, 1]

    let scope: RateScope
    /// Bytes a second.
    private(set) var rate: Double
    /// Bytes that may pass; negative after a turn that was granted in advance.
    private(set) var tokens = 0.0
    /// The number of transfers that draw from it.
    var users = 0
    /// Whether the heap has an entry for this bucket.
    var isScheduled = false

    private var filledAt: Int64
    /// The time until which every transfer has to queue, in nanoseconds since boot; see `contend`.
    private var contendedUntil = Int64.min
    private var lines = Array(repeating: RateHeap<RateTurn>(), count: RateScheduler.ranks)
    /// The bytes that each rank got, divided by its weight: the rank with the least has the next
    /// turn (start-time fair queueing).
    private var starts = Array(repeating: 0.0, count: RateScheduler.ranks)
    private var virtual = 0.0

    init(_ scope: RateScope, bytesPerSecond: Int64, now: Int64) {
        self.scope = scope
        rate = Double(bytesPerSecond)
        filledAt = now
    }

    /// The bytes of one turn: a millisecond of the rate, between a chunk and 256 KiB.
    var quantum: Double {
        min(max(rate / 1000, RateScheduler.chunkBytes), 16 * RateScheduler.chunkBytes)
    }

    /// Whether a transfer waits.
    var hasWaiting: Bool { lines.contains { !$0.isEmpty } }

    /// Adds the tokens up to an instant.
    mutating func fill(now: Int64) {
        let passed = Double(max(0, now - filledAt)) / 1_000_000_000
        filledAt = max(now, filledAt)
        let seconds = hasWaiting ? RateBucket.lateSeconds : RateBucket.idleSeconds
        let most = rate == 0 ? 0 : max(rate * seconds, RateScheduler.chunkBytes)
        tokens = max(tokens, min(most, tokens + passed * rate))
    }

    /// Changes the rate; tokens saved or owed under the old one are dropped.
    mutating func change(bytesPerSecond: Int64) {
        rate = Double(bytesPerSecond)
        let most = rate == 0 ? 0 : max(rate * RateBucket.idleSeconds, RateScheduler.chunkBytes)
        tokens = min(max(tokens, -quantum), most)
    }

    /// Draws a turn.
    mutating func draw(_ bytes: Double) { tokens -= bytes }

    /// Refunds the unused bytes of a turn.
    mutating func refund(_ bytes: Double) { tokens += bytes }

    /// Whether a turn can be granted.
    var hasTokens: Bool { rate > 0 && tokens > 0 }

    /// Whether a transfer that asks now need not queue.
    func isFree(now: Int64) -> Bool {
        hasTokens && !hasWaiting && (users == 1 || now >= contendedUntil)
    }

    /// Notes that transfers queued: for two ticks a transfer that happens to ask first gets no more
    /// than transfers that ask at the next tick.
    mutating func contend(now: Int64) { contendedUntil = now + 2 * RateScheduler.tick }

    /// The bytes for a queued transfer of each rank, at least a chunk: the tokens bring the waiting
    /// ranks to one level of bytes by weight, with equal parts for the transfers of a rank.
    var shares: [Double] {
        let waiting = lines.indices.filter { !lines[$0].isEmpty }
            .map { (rank: $0, start: max(starts[$0], virtual)) }.sorted { $0.start < $1.start }
        var level = waiting.first?.start ?? 0
        var (rest, weight) = (max(0, tokens), 0.0)
        for (rank, start) in waiting {
            let missing = (start - level) * weight
            if missing > rest { break }
            rest -= missing
            level = start
            weight += RateBucket.weights[rank]
        }
        if weight > 0 { level += rest / weight }
        return lines.indices.map { rank in
            let part = max(0, level - max(starts[rank], virtual)) * RateBucket.weights[rank]
            return max(part / Double(max(1, lines[rank].count)), RateScheduler.chunkBytes)
        }
    }

    /// Queues a transfer in its rank.
    mutating func enqueue(_ turn: RateTurn, rank: Int) { lines[rank].insert(turn) }

    /// The next turn and its rank.
    mutating func next() -> (turn: RateTurn, rank: Int)? {
        let waiting = lines.indices.filter { !lines[$0].isEmpty }
        let rank = waiting.min { max(starts[$0], virtual) < max(starts[$1], virtual) }
        guard let rank, let turn = lines[rank].popFirst() else { return nil }
        virtual = max(starts[rank], virtual)
        return (turn, rank)
    }

    /// Counts the bytes that a rank got.
    mutating func serve(_ rank: Int, _ bytes: Double) {
        starts[rank] = max(starts[rank], virtual) + bytes / RateBucket.weights[rank]
        // Numbers that only rise would lose their last digits in the end.
        guard virtual > 1e15 else { return }
        for place in starts.indices { starts[place] = max(0, starts[place] - virtual) }
        virtual = 0
    }

    /// Empties the queues.
    mutating func clear() { lines = Array(repeating: RateHeap(), count: lines.count) }

    /// Nanoseconds until a turn can be granted again; nil at rate 0.
    var nanosecondsUntilFree: Int64? {
        guard rate > 0 else { return nil }
        guard tokens <= 0 else { return 0 }
        return Int64(min((1 - tokens) / rate * 1_000_000_000, 3_600_000_000_000))
    }
}
