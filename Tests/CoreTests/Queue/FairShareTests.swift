// Fair queueing: the service of flows that always wait differs by at most one piece of each.
import Scheduling
import Testing

@Suite struct FairShareTests {
    /// Random sizes and weights; flows come and go.
    ///
    /// If two flows waited all the time since a moment, their service since then, by weight,
    /// differs by at most the largest piece of each.
    @Test(arguments: 0..<200)
    func backloggedFlowsDifferByAPieceOfEachAtMost(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var share = FairShare()
        let weights: [Double] = (0..<5).map { _ in
            [0.25, 1, 1, 3, 8].randomElement(using: &random) ?? 1
        }
        let largest: [Double] = weights.map { _ in Double(Int.random(in: 1...1000, using: &random))
        }
        var served = [Double](repeating: 0, count: 5)
        var waits = [Bool](repeating: true, count: 5)
        for _ in 0..<400 {
            if random.isOne(in: 20) {
                let flow = Int.random(in: 0..<5, using: &random)
                waits[flow].toggle()
                // Only spans in which both wait are compared.
                served = [Double](repeating: 0, count: 5)
            }
            let waiting = waits.indices.filter { waits[$0] }
            let next = waiting.min {
                (share.start(of: Int64($0)), $0) < (share.start(of: Int64($1)), $1)
            }
            guard let next else { continue }
            let bytes = largest[next] * Double(Int.random(in: 1...4, using: &random)) / 4
            share.serve(Int64(next), bytes: bytes, weight: weights[next])
            served[next] += bytes
            for one in waiting {
                for other in waiting where other != one {
                    let gap = served[one] / weights[one] - served[other] / weights[other]
                    let bound = largest[one] / weights[one] + largest[other] / weights[other]
                    #expect(gap <= bound + 0.001, "seed \(seed): \(one) and \(other)")
                }
            }
        }
    }

    @Test func aFlowThatDidNotWaitHasSavedNothing() {
        var share = FairShare()
        for _ in 0..<100 { share.serve(1, bytes: 10) }
        #expect(share.start(of: 2) == share.now)
        share.serve(2, bytes: 10)
        #expect(share.start(of: 2) <= share.start(of: 1) + 10)
    }

    /// The end of a busy period: a large file by night is no debt by day.
    @Test func whatWasServedAloneIsOwedToNobody() {
        let (one, other) = (
            LaneFlow(app: 1, session: 1, origin: 1), LaneFlow(app: 2, session: 2, origin: 2)
        )
        var shares = FairShares()
        shares.serve(one, bytes: 1e11)
        var busy = shares
        shares.rest()
        shares.serve(other, bytes: 1e6)
        #expect(shares.place(ofApp: 1) <= shares.place(ofApp: 2))
        // While other flows wait, it is a debt.
        busy.serve(other, bytes: 1e6)
        #expect(busy.place(ofApp: 1) > busy.place(ofApp: 2))
    }

    @Test(arguments: [(100.0, 30.0), (30, 100), (64, 64)])
    func aCorrectionCountsLikeTheRightEstimate(_ estimate: Double, _ actual: Double) {
        var guessed = FairShare()
        var known = FairShare()
        for share in [2.0, 1.0] {
            guessed.serve(1, bytes: estimate, weight: share)
            guessed.correct(1, by: actual - estimate, weight: share)
            known.serve(1, bytes: actual, weight: share)
        }
        #expect(abs(guessed.start(of: 1) - known.start(of: 1)) < max(estimate, actual))
        guessed.serve(2, bytes: 1)
        #expect(guessed.start(of: 2) <= known.start(of: 1))
    }

    @Test func whatIsRememberedIsBounded() {
        var share = FairShare()
        let flows = Int64(0)..<Int64(2 * FairShare.flowsAtMost)
        for flow in flows { share.serve(flow, bytes: 1000) }
        // Forgotten flows start at the service level of the present: none of them is ahead.
        let ahead = flows.count { share.start(of: $0) > share.now }
        #expect(ahead <= FairShare.flowsAtMost)
    }
}
