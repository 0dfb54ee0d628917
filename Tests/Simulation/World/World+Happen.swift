// The effects of the events of a world.
import Base
import Downloads
import Scheduling

extension World {
    /// The store's clock.
    var storeNow: Timestamp { now + storeSkew }

    mutating func happen(_ next: Happening) {
        if let place = next.replica {
            guard next.incarnation == replicas[place].incarnation else { return }
            if case .restart = next.kind { return restart(place) }
            guard replicas[place].isUp else { return }
            if case .goOn = next.kind { return goOn(place) }
            guard replicas[place].pausedUntil == nil else {
                replicas[place].held.append(next)
                return
            }
            return happen(next.kind, at: place)
        }
        switch next.kind {
        case .statement(let statement, let place, let incarnation, let isLost):
            perform(statement, of: place, incarnation, answerIsLost: isLost)
        case .create(let index): create(plan.downloads[index])
        case .order(let id, let order): self.order(order, id)
        case .resumeDownload(let id):
            store.resume(id, at: storeNow)
            hint()
        case .jump(let change): storeSkew += change
        case .diskBreaks(let place): disks[place].isBroken = true
        case .diskFills(let place, let share):
            disks[place].filledAt = now
            disks[place].foreign = Int64(Double(max(0, disks[place].free)) * share)
        case .diskMends(let place):
            disks[place].isBroken = false
            disks[place].foreign = 0
        case .expire(let id): expire(id)
        case .reap:
            if store.reap(at: storeNow) { hint() }
            add(.reap, in: .seconds(5))
        default: break
        }
    }

    private mutating func happen(_ kind: Happening.Kind, at place: Int) {
        switch kind {
        case .tick(let instant):
            guard replicas[place].nextWake == instant else { return }
            handle(.ticked, at: place)
        case .runEnds(let id, let fence): endRun(id, fence, at: place)
        case .heartbeat:
            if replicas[place].number != nil, !replicas[place].isRegistering {
                send(.heartbeat, from: place)
                if mutant != .lostClaimIsForgotten {
                    send(.compare(knownRuns(place, age: World.lease)), from: place)
                }
            }
            add(.heartbeat, in: World.beat, to: place)
        case .watch: watch(place)
        case .answer(let statement, let answer): take(answer, to: statement, at: place)
        case .pause:
            let length = random.span(1_000_000...90_000_000)
            replicas[place].pausedUntil = now + length
            add(.goOn, in: length, to: place)
        case .crash: crash(place)
        case .drain:
            handle(.drained, at: place)
            // Work that has not ended by then is left to the lease.
            add(.crash, in: .seconds(10), to: place)
        case .jump(let change): replicas[place].skew += change
        default: break
        }
    }

    private mutating func crash(_ place: Int) {
        replicas[place].isUp = false
        replicas[place].incarnation += 1
        replicas[place].runs = [:]
        disks[place].recover()
        // One of several replicas may go for good.
        if place > 0, random.isOne(0.2) { return }
        add(.restart, in: random.span(100_000...60_000_000), to: place)
    }

    private mutating func goOn(_ place: Int) {
        replicas[place].pausedUntil = nil
        let held = replicas[place].held
        replicas[place].held = []
        for next in held {
            // An event that arrived may have paused it again, or ended it.
            guard replicas[place].isUp, next.incarnation == replicas[place].incarnation else {
                return
            }
            if replicas[place].pausedUntil == nil {
                happen(next.kind, at: place)
            } else {
                replicas[place].held.append(next)
            }
        }
    }

    private mutating func restart(_ place: Int) {
        var fresh = SimulatedReplica(
            place: place, conductor: makeConductor(), renewedAt: now - World.lease)
        fresh.incarnation = replicas[place].incarnation
        replicas[place] = fresh
        register(place)
        add(.heartbeat, in: World.beat, to: place)
        add(.watch, in: .seconds(1), to: place)
    }

    /// Registers a replica: its data directory tells whose runs it takes back.
    mutating func register(_ place: Int) {
        replicas[place].isRegistering = true
        send(.register(asked: storeNow), from: place)
    }

    // MARK: clients

    private mutating func create(_ row: ModelRow) {
        store.create(row, at: storeNow)
        // The replica that took the order knows it; others find it.
        let place = Int.random(in: replicas.indices, using: &random)
        guard isAwake(place) else { return }
        handle(row.runAt > storeNow ? .awaited(row.runAt) : .hinted, at: place)
    }

    private mutating func order(_ order: RunOrder, _ id: Identifier) {
        let before = store.rows[id]?.state
        store.order(order, id, at: storeNow)
        let after = store.rows[id]?.state
        if order == .cancel, before == .waiting || before == .suspended, after != .ended {
            fail("a canceled download goes on waiting")
        }
        let place = Int.random(in: replicas.indices, using: &random)
        if isAwake(place), mutant != .cancelIsNotPassedOn { handle(.ordered(id, order), at: place) }
    }

    private mutating func hint() {
        let place = Int.random(in: replicas.indices, using: &random)
        if isAwake(place) { handle(.hinted, at: place) }
    }

    private func isAwake(_ place: Int) -> Bool {
        replicas[place].isUp && replicas[place].pausedUntil == nil && replicas[place].number != nil
    }

    // MARK: the lease

    func leaseLeft(_ place: Int) -> Duration {
        World.lease - World.margin - (now - replicas[place].renewedAt)
    }

    private mutating func watch(_ place: Int) {
        add(.watch, in: .seconds(1), to: place)
        watchDisk(place)
        sweep(place)
        guard mutant != .watchIsAsleep, !replicas[place].runs.isEmpty, leaseLeft(place) <= .zero,
            !replicas[place].isOver
        else { return }
        replicas[place].isOver = true
        replicas[place].isClaimUncertain = true
        if mutant != .lostLeaseRunsOn { handle(.leaseLost, at: place) }
    }
}
