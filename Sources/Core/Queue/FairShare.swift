// Start-time fair queueing (Goyal, Vin, Cheng, 1997): shares by weight, for any speed of service.

/// The virtual time of one level, in bytes of a flow of weight 1.
///
/// Served next is the flow whose start is the least. Of two flows that always wait, what they got
/// divided by their weights differs by at most one piece of each.
package struct FairShare: Equatable, Sendable {
    /// Flows that are ahead are kept; others start at `now` whether they are known or not.
    private static let flowsAtMost = 1024

    /// The start of what was served last.
    private(set) package var now = 0.0
    private var starts: [Int64: Double] = [:]

    /// Nothing was served yet.
    package init() {}

    /// The start of a flow's next piece: one that did not wait gets nothing for that time.
    package func start(of flow: Int64) -> Double { max(now, starts[flow] ?? 0) }

    /// Serves a piece.
    ///
    /// - Parameters:
    ///   - flow: whose it is.
    ///   - bytes: its size, or what it is expected to be.
    ///   - weight: the flow's part, above 0.
    package mutating func serve(_ flow: Int64, bytes: Double, weight: Double = 1) {
        precondition(weight > 0, "a share has a weight above 0")
        now = start(of: flow)
        starts[flow] = now + bytes / weight
        guard starts.count > FairShare.flowsAtMost else { return }
        starts = starts.filter { $0.value > now }
        while starts.count > FairShare.flowsAtMost {
            guard let least = starts.min(by: { $0.value < $1.value })?.key else { return }
            starts[least] = nil
        }
    }

    /// Corrects what a served piece was expected to be.
    package mutating func correct(_ flow: Int64, by bytes: Double, weight: Double = 1) {
        guard let start = starts[flow] else {
            // It was behind and forgotten: what it got beyond the estimate counts from now on.
            if bytes > 0 { starts[flow] = now + bytes / weight }
            return
        }
        starts[flow] = start + bytes / weight
    }
}
