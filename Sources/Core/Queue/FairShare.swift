// Start-time fair queueing (Goyal, Vin, Cheng, 1997): shares by weight, for any speed of service.

/// The virtual time of one level, in bytes of a flow of weight 1.
///
/// Served next is the flow whose start is the least. Of two flows that always wait, what they got
/// divided by their weights differs by at most one piece of each.
package struct FairShare: Equatable, Sendable {
    /// Flows that are ahead are kept, those that are ahead the most where they are too many; others
    /// start at `now` whether they are known or not.
    package static let flowsAtMost = 131_072
    private static let forgetsFrom = 1024

    /// The start of what was served last.
    private(set) package var now = 0.0
    private var starts: [Int64: Double] = [:]
    /// The greatest start so far.
    private var latest = 0.0
    /// How many rests were taken.
    private(set) var rests = 0
    /// With so many flows those that are not ahead are forgotten.
    private var forgetsAt = FairShare.forgetsFrom

    /// Nothing was served yet.
    package init() {}

    /// The start of a flow's next piece: one that did not wait gets nothing for that time.
    package func start(of flow: Int64) -> Double { max(now, starts[flow] ?? 0) }

    /// By what a flow stands among others: its start as it was left.
    ///
    /// Of flows that are behind, that which was served least recently comes first.
    func place(of flow: Int64) -> Double { starts[flow] ?? 0 }

    /// Takes rests up to a number: nothing waited then that could be served, so that who was served
    /// alone until then is ahead of nobody, as at the end of a busy period of fair queueing.
    mutating func rest(upTo count: Int) {
        guard rests < count else { return }
        rests = count
        now = max(now, latest)
    }

    /// Where the level stands once rests up to a number are taken.
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

    /// Forgets flows that are not ahead; of very many that are, half of those that are kept at most
    /// stay, so that a piece costs the same however many flows there are.
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

    /// Corrects what a served piece was expected to be.
    package mutating func correct(_ flow: Int64, by bytes: Double, weight: Double = 1) {
        guard let start = starts[flow] else {
            // It was behind and forgotten: what it got beyond the estimate counts from now on.
            if bytes > 0 { starts.updateValue(now + bytes / weight, forKey: flow) }
            latest = max(latest, now + bytes / weight)
            return
        }
        starts.updateValue(start + bytes / weight, forKey: flow)
        latest = max(latest, start + bytes / weight)
    }
}
