// Statements on their way, and the rules that are checked after every step.
import Base
import Scheduling

extension World {
    mutating func send(_ kind: Statement.Kind, from place: Int) {
        let statement = Statement(
            kind: kind, sentAt: now, replica: replicas[place].number ?? 0)
        let isCalm = now >= World.calm
        if !isCalm, random.isOne(plan.loss / 2) {
            return add(.answer(statement, nil), in: World.timeLimit, to: place)
        }
        let isLost = !isCalm && random.isOne(plan.loss / 2)
        // A few statements are slow: later ones overtake them, and their sender has given them up.
        let most: Int64 = isCalm ? 20_000 : random.isOne(0.05) ? 3_000_000 : 20_000
        var delay = random.span(500...most)
        if !isCalm, random.isOne(plan.loss / 4) { delay = random.span(5_000_000...60_000_000) }
        let isLate = isLost || delay >= World.timeLimit
        if isLate { add(.answer(statement, nil), in: World.timeLimit, to: place) }
        // The statement reaches the store even if its sender has ended.
        number += 1
        agenda.add(
            Happening(
                at: now + delay, number: number, replica: nil, incarnation: 0,
                kind: .statement(statement, of: place, replicas[place].incarnation, isLate)))
    }

    mutating func perform(
        _ statement: Statement, of place: Int, _ incarnation: Int, answerIsLost: Bool
    ) {
        let answer = perform(statement, at: place)
        guard incarnation == replicas[place].incarnation else { return }
        if answerIsLost {
            return
        } else {
            add(.answer(statement, answer), in: random.span(500...20_000), to: place)
        }
    }

    private mutating func perform(_ statement: Statement, at place: Int) -> Answer {
        let replica = statement.replica
        switch statement.kind {
        case .look(let cursor, let known):
            if let known { store.releaseUnknown(replica, known, at: storeNow) }
            return .page(store.look(from: cursor, at: storeNow))
        case .claim(let order, let room):
            let before = store.outages
            guard let claim = store.claim(order, room: room, by: replica, at: storeNow) else {
                return .leaseLost
            }
            judge(claim.runs, of: order, by: replica)
            judgeProbes(claim.runs, of: order, before: before)
            return .claimed(claim.runs, due: claim.due)
        case .compare(let known):
            store.releaseUnknown(replica, known, at: storeNow)
            return .done
        case .finish(let report):
            let before = store.rows[report.id]
            let outages = store.outages
            store.finish(report, by: replica, at: storeNow)
            let after = store.rows[report.id]
            if let before, let after, before.state == .running, before.fence == report.fence,
                before.replica == replica
            {
                let origin = before.key.origin
                if outages[origin] != nil, store.outages[origin] == nil {
                    misses[origin, default: Misses()].opens += 1
                }
                judgeReach(report, before: before, after: after)
            }
            if before?.state != after?.state,
                before?.fence != report.fence || before?.replica != replica
            {
                fail("a report of an old attempt changed a download")
            }
            if after?.contentFence != before?.contentFence {
                judgeContent(report.id)
                expireLater(report.id)
            }
            return .done
        case .reached(let origin):
            if store.outages[origin] != nil { misses[origin, default: Misses()].opens += 1 }
            store.open(origin)
            if store.outages[origin] != nil { fail("an origin is reached and others wait") }
            return .done
        case .heartbeat:
            return store.heartbeat(replica, at: storeNow).map { .orders($0) } ?? .leaseLost
        case .register(let asked):
            guard let number = store.register(place, asked: asked, at: storeNow) else {
                return .refused
            }
            if store.holdsRuns(place, but: number) {
                fail("a replica that came back does not take its runs back")
            }
            return .registered(number)
        }
    }

    mutating func fail(_ words: String) { violation = violation ?? words }

    private mutating func judge(_ runs: [ClaimedRun], of order: ClaimOrder, by replica: Int64) {
        if runs.count > order.total { fail("a claim of \(order.total) gave \(runs.count)") }
        if let until = store.leases[replica], until > storeNow {
        } else if !runs.isEmpty {
            fail("a replica without a lease claimed")
        }
        for run in runs {
            if let row = store.rows[run.id], row.runAt > storeNow {
                fail("claimed \((row.runAt - storeNow)) before its time")
            }
            if !claimed.insert(Claim(id: run.id, fence: run.fence)).inserted {
                fail("two claims have the same fence")
            }
        }
    }

    /// Checks the rules that hold after every step.
    mutating func judge() {
        var running: [GateKey: Int] = [:]
        for row in store.rows.values {
            if row.ends > 1 { fail("a download ended \(row.ends) times") }
            if (row.state == .running) != (row.replica != nil) { fail("who runs it is not said") }
            guard row.state == .running else { continue }
            for gate in row.gates { running[gate, default: 0] += 1 }
        }
        judgeReplicas()
        judgeOutages()
        for (gate, count) in store.running where count != running[gate, default: 0] {
            fail("\(gate) counts \(count) of \(running[gate, default: 0])")
        }
        for (gate, count) in running where count > limit(gate) {
            fail("\(count) run through \(gate), which lets \(limit(gate)) through")
        }
    }

    /// Checks forbidden and missing actions of replicas.
    private mutating func judgeReplicas() {
        // By index: a copy of a replica would copy its conductor at every step.
        for place in replicas.indices
        where replicas[place].isUp && replicas[place].pausedUntil == nil {
            guard leaseLeft(place) < .seconds(-2) else { continue }
            if replicas[place].runs.values.contains(where: { !$0.isGivenUp && !$0.isEnding }) {
                fail("replica \(place) runs without a lease")
            }
        }
        let isCalm = now > World.calm + World.lease * 2
        let served = replicas.indices.filter {
            isCalm && replicas[$0].isUp && replicas[$0].conductor.freeSlots > 0
                && !replicas[$0].isOver && replicas[$0].conductor.network.outage == nil
        }.map { (place: $0, promised: promised($0)) }
        judgeRows(served)
    }

    /// Checks that no download waits in a lane that sleeps, stays where it could run, or keeps an
    /// order.
    private mutating func judgeRows(_ served: [(place: Int, promised: Int64)]) {
        for id in store.order {
            guard let row = store.rows[id] else { continue }
            let isOver = row.state == .ended && row.orderedAt == nil && row.openSince == nil
            if isOver { continue }
            if let nextAt = store.lanes.first(where: { $0.key == row.key })?.nextAt ?? nil {
                if row.state == .waiting, nextAt > row.runAt { fail("a lane sleeps too long") }
            } else if row.state == .waiting {
                fail("a lane with a download sleeps")
            }
            let couldRun =
                !served.isEmpty && row.state == .waiting && row.runAt <= storeNow
                && (store.notBefore[row.key.origin] ?? .epoch) <= storeNow
                && (store.outages[row.key.origin]?.probeAt ?? .epoch) <= storeNow
                && row.gates.allSatisfy { store.running[$0, default: 0] < limit($0) }
                && served.contains { disks[$0.place].admits(row.bytes, promised: $0.promised) }
            let since = couldRun ? row.openSince ?? now : nil
            if since != row.openSince { store.rows[id]?.openSince = since }
            if let since, now - since > .seconds(60) { fail("it could run and is not taken") }
            if let since = row.orderedAt, now > World.calm + World.lease * 2,
                storeNow - max(since, World.calm + World.lease * 2) > .seconds(30)
            {
                fail("an order is not carried out")
            }
        }
    }

    private func limit(_ gate: GateKey) -> Int {
        switch gate {
        case .origin: plan.limits.origin
        case .session: plan.limits.session
        case .app: plan.limits.app
        case .deployment: plan.limits.deployment
        // No session of these worlds limits its connections.
        case .connections: .max
        }
    }

    /// Checks the end of the world: every download has ended, once.
    mutating func judgeTheEnd() {
        for row in store.rows.values.sorted(by: { $0.id < $1.id }) {
            guard row.state == .ended else {
                let waits = now - row.runAt
                return fail("\(row.state) at the end, due for \(waits), \(row.key)")
            }
            if row.ends != 1 { fail("it ended \(row.ends) times") }
            if !row.isDone, !row.isCanceled { fail("it ended and was never fetched") }
        }
        if store.rows.count != plan.downloads.count { fail("not every download was created") }
    }
}
