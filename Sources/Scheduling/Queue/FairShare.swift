// Start-time fair queueing (Goyal, Vin, Cheng, 1997): shares by weight, for any speed of service.

/// The virtual time of one level, in bytes of a flow of weight 1.
///
/// The flow with the least start is served next. If two flows always wait, their bytes divided by
/// their weights differ by at most one piece of each.
package struct FairShare: Equatable, Sendable {
    /// The most flows that are kept: only those that are ahead, and of too many the ones that are
    /// ahead most; other flows start at `now`, known or not.
    package static let flowsAtMost = 131_072
    private static let forgetsFrom = 1024

    /// The start of the piece that was served last.
    private(set) package var now = 0.0
    private var starts: [Int64: Double] = [:]
    /// The greatest start so far.
    private var latest = 0.0
    /// The number of rests that were applied.
    private(set) var rests = 0
    /// The number of flows at which those that are not ahead are forgotten.
    private var forgetsAt = FairShare.forgetsFrom

    /// Creates a level of which nothing was served.
    package init() {}

    /// The start of a flow's next piece: a flow that did not wait gets no credit for that time.
    package func start(of flow: Int64) -> Double { max(now, starts[flow] ?? 0) }

    /// The position of a flow among others: the start after its last piece.
    ///
    /// Of flows that are behind, the one that was served least recently comes first.
    func place(of flow: Int64) -> Double { starts[flow] ?? 0 }

    /// Applies rests up to a number.
    ///
    /// At a rest no download waited that could be served, so flows that were served alone before it
    /// are not ahead of any other, as at the end of a busy period of fair queueing.
    mutating func rest(upTo count: Int) {
        guard rests < count else { return }
        rests = count
        now = max(now, latest)
    }

    /// The virtual time once rests up to a number are applied.
    func now(afterRests count: Int) -> Double { rests < count ? max(now, latest) : now }

    /// Serves a piece.
    ///
    /// - Parameters:
    ///   - flow: whose it is.
    ///   - bytes: its size, or what it is expected to be.
    ///   - weight: the flow's part, above 0.
    ///   - least: by what the first of those stands that wait beside it. Pieces that are given away
    ///     together are larger or smaller than was expected: who got less is not passed by.
    package mutating func serve(
        _ flow: Int64, bytes: Double, weight: Double = 1, beside least: Double? = nil
    ) {
        precondition(weight > 0, "a share has a weight above 0")
        let start = start(of: flow)
        now = max(now, min(start, least ?? start))
        starts.updateValue(start + bytes / weight, forKey: flow)
        latest = max(latest, start + bytes / weight)
        if starts.count > forgetsAt { forget() }
    }

    /// Forgets flows that are not ahead.
    ///
    /// If very many are ahead, a quarter of the maximum stays, so that the cost of a piece does not
    /// depend on the number of flows.
    private mutating func forget() {
        starts = starts.filter { $0.value > now }
        if starts.count > FairShare.flowsAtMost / 2 {
            let ahead = starts.sorted { ($0.value, $0.key) > ($1.value, $1.key) }
            starts = Dictionary(
                uniqueKeysWithValues: ahead.prefix(FairShare.flowsAtMost / 4).map {
                    ($0.key, $0.value)
                })
        }
        forgetsAt = max(FairShare.forgetsFrom, 2 * starts.count)
    }

    /// Corrects the expected size of a served piece.
    package mutating func correct(_ flow: Int64, by bytes: Double, weight: Double = 1) {
        guard let start = starts[flow] else {
            // The flow was behind and was forgotten: bytes beyond the estimate count from now on.
            if bytes > 0 { starts.updateValue(now + bytes / weight, forKey: flow) }
            latest = max(latest, now + bytes / weight)
            return
        }
        starts.updateValue(start + bytes / weight, forKey: flow)
        latest = max(latest, start + bytes / weight)
    }
}
