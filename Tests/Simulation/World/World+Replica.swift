// The work of a replica's shell with the conductor's actions and the store's answers.
import Base
import Downloads
import Scheduling

extension World {
    mutating func handle(_ event: ConductorEvent, at place: Int) {
        let clock = storeNow + replicas[place].skew
        for action in replicas[place].conductor.handle(event, at: clock) {
            perform(action, at: place)
        }
        let running = replicas[place].conductor.runningCount
        if running > plan.slots { fail("replica \(place) runs \(running) in \(plan.slots) slots") }
    }

    private mutating func perform(_ action: ConductorAction, at place: Int) {
        switch action {
        case .look(let cursor):
            let isUncertain = replicas[place].isClaimUncertain && leaseLeft(place) > .zero
            let known = knownRuns(place, age: .zero)
            send(.look(cursor, known: isUncertain ? known : nil), from: place)
        case .claim(let order):
            guard !replicas[place].isOver, leaseLeft(place) > .zero else {
                // The answer comes in a separate event.
                let statement = Statement(kind: .claim(order, room: nil), sentAt: now, replica: 0)
                return add(.answer(statement, .leaseLost), to: place)
            }
            readDiskIfOld(place)
            let room = replicas[place].conductor.disk?.room
            if let room, room <= 0, mutant != .fullDiskIsClaimedFor {
                let statement = Statement(
                    kind: .claim(order, room: room), sentAt: now, replica: 0)
                return add(.answer(statement, .claimed([], due: [:])), to: place)
            }
            if let since = disks[place].failedSince, let readAt = replicas[place].diskReadAt,
                readAt > since
            {
                fail("a claim for a disk that was read and does not work")
            }
            replicas[place].claimedAt = now
            send(.claim(order, room: room), from: place)
        case .start(let id, let fence): begin(id, fence, at: place)
        case .stop(let id, let fence, let order): stop(id, fence, order, at: place)
        case .wake(let instant):
            replicas[place].nextWake = instant
            let delay = instant - (storeNow + replicas[place].skew)
            add(.tick(instant), in: max(.milliseconds(1), delay), to: place)
        }
    }

    func knownRuns(_ place: Int, age: Duration) -> KnownRuns {
        KnownRuns(
            ids: Set(replicas[place].runs.filter { !$0.value.isGivenUp }.keys),
            at: storeNow + replicas[place].skew - age)
    }

    private mutating func begin(_ id: Identifier, _ fence: Int64, at place: Int) {
        guard !replicas[place].isOver, leaseLeft(place) > .zero else {
            replicas[place].runs[id] = nil
            return handle(.ended(id, fence: fence), at: place)
        }
        for other in replicas where other.place != place && other.isUp {
            guard other.pausedUntil == nil, let run = other.runs[id], !run.isGivenUp,
                !run.isEnding, leaseLeft(other.place) > .zero
            else { continue }
            fail("\(id.low) runs at replica \(place) and at \(other.place)")
        }
        replicas[place].runs[id] = SimulatedReplica.Run(
            fence: fence, claimedAt: replicas[place].claimedAt,
            isProbe: probes.contains(Claim(id: id, fence: fence)))
        let isReached = reach(id, at: place)
        guard replicas[place].runs[id]?.fence == fence else { return }
        replicas[place].runs[id]?.isReached = isReached
        let length = isReached ? plan.lengths[id] ?? .zero : random.span(10_000...15_000_000)
        add(.runEnds(id, fence: fence), in: length, to: place)
    }

    private mutating func stop(
        _ id: Identifier, _ fence: Int64, _ order: RunOrder, at place: Int
    ) {
        guard let run = replicas[place].runs[id], run.fence == fence else { return }
        replicas[place].runs[id]?.order = order
        if order == .abandon { replicas[place].runs[id]?.isGivenUp = !run.isEnding }
        guard !run.isEnding else { return }
        add(.runEnds(id, fence: fence), in: random.span(1000...300_000), to: place)
    }

    mutating func endRun(_ id: Identifier, _ fence: Int64, at place: Int) {
        guard let run = replicas[place].runs[id], run.fence == fence, !run.isEnding else { return }
        if run.isGivenUp {
            replicas[place].runs[id] = nil
            return handle(.ended(id, fence: fence), at: place)
        }
        replicas[place].runs[id]?.isEnding = true
        send(.finish(report(id, run, at: place)), from: place)
    }

    private mutating func report(
        _ id: Identifier, _ run: SimulatedReplica.Run, at place: Int
    ) -> RunReport {
        let outcome: RunReport.Outcome =
            switch run.order {
            case .cancel: .canceled
            case .suspend: .suspended
            case .release, .yield: .released
            case .abandon where !run.isReached, nil where !run.isReached: .unreached
            case .abandon, nil:
                (store.rows[id]?.failuresLeft ?? 0) > 0 || !publish(id, run, at: place)
                    ? .failed : .done
            }
        return RunReport(
            id: id, fence: run.fence, outcome: outcome, backoff: random.span(0...30_000_000),
            reach: reach(run, outcome), isProbe: run.isProbe)
    }

    mutating func take(_ answer: Answer?, to statement: Statement, at place: Int) {
        switch (statement.kind, answer) {
        case (.look(_, let known), .page(let page)):
            replicas[place].skew = .zero
            if known != nil { replicas[place].isClaimUncertain = false }
            handle(.lanesLoaded(page), at: place)
        case (.look, _): handle(.storeFailed, at: place)
        case (.claim, .claimed(let runs, let due)):
            for run in runs where run.isProbe { probes.insert(Claim(id: run.id, fence: run.fence)) }
            // Known from here on, so that nothing releases them.
            for run in runs where replicas[place].runs[run.id] == nil {
                replicas[place].runs[run.id] = SimulatedReplica.Run(
                    fence: run.fence, claimedAt: replicas[place].claimedAt, isProbe: run.isProbe)
            }
            handle(.claimed(runs, due: due), at: place)
        case (.claim, _):
            replicas[place].isClaimUncertain = mutant != .lostClaimIsForgotten
            handle(.storeFailed, at: place)
        case (.finish(let report), .done):
            guard replicas[place].runs[report.id]?.fence == report.fence else { return }
            replicas[place].runs[report.id] = nil
            learn(report, at: place)
            handle(.ended(report.id, fence: report.fence, bytes: 1000), at: place)
        case (.finish(let report), _):
            // Sent again until it is answered; the fence makes the second report harmless.
            if replicas[place].runs[report.id]?.isGivenUp == true {
                replicas[place].runs[report.id] = nil
                return handle(.ended(report.id, fence: report.fence), at: place)
            }
            send(.finish(report), from: place)
        case (.heartbeat, .orders(let orders)): renew(statement, orders, at: place)
        case (.heartbeat, .leaseLost):
            // An answer to a heartbeat of an earlier registration says nothing about the next
            // number.
            guard !replicas[place].isRegistering, statement.replica == replicas[place].number else {
                break
            }
            handle(.leaseLost, at: place)
            register(place)
        case (.heartbeat, _), (.compare, _), (.reached, _): break
        case (.register, .registered(let number)):
            replicas[place].number = number
            replicas[place].isRegistering = false
            replicas[place].isOver = false
            replicas[place].renewedAt = statement.sentAt
            replicas[place].skew = .zero
            readDisk(place)
            handle(.hinted, at: place)
        case (.register, _): register(place)
        }
    }

    private mutating func renew(
        _ statement: Statement, _ orders: [(Identifier, RunOrder)], at place: Int
    ) {
        let wasOver = replicas[place].isOver
        let at = mutant == .heartbeatRenewsLate ? now + .seconds(20) : statement.sentAt
        replicas[place].renewedAt = max(replicas[place].renewedAt, at)
        replicas[place].skew = .zero
        if leaseLeft(place) > .zero { replicas[place].isOver = false }
        for (id, order) in orders { handle(.ordered(id, order), at: place) }
        if wasOver, !replicas[place].isOver { handle(.hinted, at: place) }
    }
}
