// Attempts that do not reach their origins, and the rules about outages.
import Base
import Downloads
import Scheduling

extension World {
    /// The knowledge of an observer about an origin's outages.
    struct Misses {
        /// The number of attempts that did not reach it.
        var count = 0
        /// The number of times that it was reached again.
        var opens = 0
    }

    /// One more than the probes of the longest outage, because the pauses between them double.
    private static let probesAtMost = 8

    /// Begins an attempt: decides whether it reaches its origin, and reports that if others wait
    /// for it.
    ///
    /// - Returns: whether it does.
    mutating func reach(_ id: Identifier, at place: Int) -> Bool {
        guard let row = store.rows[id] else { return true }
        let origin = row.key.origin
        guard outages.isReached(origin, from: place, at: now) else { return false }
        let isAwaited = replicas[place].runs[id]?.isProbe ?? false
        guard isAwaited || replicas[place].conductor.network.isDoubtful else { return true }
        send(.reached(origin), from: place)
        tellReached(origin, at: place)
        return true
    }

    private mutating func tellReached(_ origin: Int64, at place: Int) {
        for id in Array(replicas[place].runs.keys) where store.rows[id]?.key.origin == origin {
            replicas[place].runs[id]?.isAwaited = false
        }
        handle(.told(.reached, origin: origin), at: place)
    }

    /// The finding of a run about its origin.
    func reach(_ run: SimulatedReplica.Run, _ outcome: RunReport.Outcome) -> OriginReach? {
        if outcome == .unreached { return run.isProbe ? .probeMissed : .missed }
        if run.isReached { return .reached }
        return run.isProbe && mutant != .probeStopIsNotSaid ? .probeStopped : nil
    }

    /// Tells a replica the finding when the end of its run is recorded.
    mutating func learn(_ report: RunReport, at place: Int) {
        guard let origin = store.rows[report.id]?.key.origin else { return }
        if report.outcome == .unreached {
            let hasRoute = outages.hasNetwork(place, at: now)
            return handle(.told(.missed(hasRoute: hasRoute), origin: origin), at: place)
        }
        guard report.isProbe || replicas[place].conductor.network.isDoubtful else { return }
        if report.reach == .reached {
            tellReached(origin, at: place)
        } else if report.isProbe {
            handle(.told(.probeStopped, origin: origin), at: place)
        }
    }

    // MARK: rules

    /// Checks that a claim lets one download probe an unreachable origin, when it is time.
    mutating func judgeProbes(
        _ runs: [ClaimedRun], of order: ClaimOrder, before: [Int64: ModelOutage]
    ) {
        var probes: [Int64: Int] = [:]
        for run in runs {
            guard let outage = before[run.flow.origin] else { continue }
            probes[run.flow.origin, default: 0] += 1
            if outage.probeAt > storeNow { fail("claimed of an origin that is not reached") }
        }
        if probes.values.contains(where: { $0 > 1 }) { fail("two try for one origin at once") }
        if probes.values.reduce(0, +) > order.probes { fail("more try than may") }
    }

    /// Checks that an end that did not reach its origin costs no attempt and makes others wait, and
    /// that a stopped one leaves its turn to another.
    mutating func judgeReach(_ report: RunReport, before: ModelRow, after: ModelRow) {
        let origin = before.key.origin
        let outage = store.outages[origin]
        switch (report.outcome, report.reach) {
        case (.unreached, _):
            if after.attempts != before.attempts { fail("a miss costs an attempt") }
            if after.runAt != before.runAt { fail("a miss costs the place in the queue") }
            misses[origin, default: Misses()].count += 1
            let seen = misses[origin] ?? Misses()
            // The attempts in progress when the outage began, and then one at a time.
            let most = (plan.limits.origin + 2 + World.probesAtMost) * (1 + seen.opens)
            if seen.count > most { fail("\(seen.count) attempts at an origin in an outage") }
        case (_, .reached):
            if outage != nil { fail("an origin is reached and others wait") }
        default:
            if before.isProbe, let outage, outage.probeAt > storeNow {
                fail("a probe was stopped and others wait for it")
            }
        }
    }

    /// Checks that one download at a time probes an origin.
    mutating func judgeOutages() {
        guard !store.outages.isEmpty else { return }
        var probes: [Int64: Int] = [:]
        for row in store.rows.values where row.isProbe && row.state == .running {
            // A probe that says nothing for that long counts as lost.
            guard storeNow - row.claimedAt < Outage.longestPause - .seconds(10) else { continue }
            probes[row.key.origin, default: 0] += 1
        }
        for (origin, count) in probes where count > 1 && store.outages[origin] != nil {
            fail("\(count) try for origin \(origin)")
        }
        for replica in replicas where replica.isUp {
            let count = replica.runs.values.count { $0.isProbe && $0.isAwaited }
            if count > max(1, plan.slots / 8) { fail("\(count) of \(plan.slots) slots try") }
        }
    }
}
