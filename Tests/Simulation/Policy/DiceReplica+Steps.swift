// The events of the dice world.
import Base
import Downloads
import Scheduling
import Simulation

extension DiceReplica {
    /// Makes one event happen.
    mutating func step() {
        switch Int.random(in: 0..<20, using: &random) {
        case 0...3: create()
        case 4...8: answer()
        case 9...11: endRun()
        case 12: order()
        case 13: heartbeat()
        case 14...16: pass()
        case 17: resume()
        case 18: isCalm ? answer() : misfortune()
        default: changePolicy()
        }
    }

    private mutating func create() {
        let lane = Int.random(in: DiceStore.lanes.indices, using: &random)
        let delay = Int.random(in: -3...3, using: &random)
        store.create(lane: lane, at: now + .seconds(max(0, delay)))
        if !isCalm, random.isOne(in: 5) { return }
        deliver(.hinted)
    }

    /// Lets the store answer, or fail to.
    mutating func answer() {
        let fails = !isCalm && random.isOne(in: 8)
        if let page = look {
            look = nil
            deliver(fails ? .storeFailed : .lanesLoaded(page))
            return
        }
        switch claim {
        case .none:
            break
        case .sent(let order):
            if fails {
                claim = .none
                deliver(.storeFailed)
            } else {
                claim = .committed(
                    store.claim(order, at: now, conductor.policy.limits))
            }
        case .committed(let answer):
            claim = .none
            if case .claimed(let claims, _) = answer, claims.isEmpty { seen.insert("empty claim") }
            if fails {
                // The outcome of the claim is unknown: the lease must not cover its downloads any
                // more.
                seen.insert("claim of unknown outcome")
                loseLease()
                deliver(.storeFailed)
            } else {
                deliver(answer)
            }
        }
    }

    mutating func endRun() {
        let list = runs.keys.sorted { ($0.id, $0.fence) < ($1.id, $1.fence) }
        guard let run = list.randomElement(using: &random) else { return }
        let told = runs.removeValue(forKey: run) ?? []
        let place = Int(run.id.low)
        let isOurs =
            store.jobs[place].fence == run.fence
            && store.jobs[place].place == .here(lease: store.lease)
        if isOurs {
            record(place, told: told)
        } else {
            seen.insert("late end")
        }
        deliver(.ended(run.id, fence: run.fence))
    }

    private mutating func record(_ place: Int, told: Set<RunOrder>) {
        let order = store.jobs[place].order
        store.jobs[place].order = nil
        if order == .cancel {
            store.move(place, to: .ended)
        } else if told.contains(.suspend) {
            store.move(place, to: .suspended)
        } else if !told.isEmpty || random.isOne(in: 3) {
            store.move(place, to: .waiting)
            store.jobs[place].fence += 1
            store.jobs[place].runAt = now + .milliseconds(Int.random(in: 0...4000, using: &random))
            if random.isOne(in: 4) { store.cool(place, until: now + .seconds(2)) }
        } else {
            store.move(place, to: .ended)
        }
    }

    /// Cancels or suspends a running download for a client; the order may overtake the claim's
    /// answer.
    private mutating func order() {
        let running = store.jobs.indices.filter {
            store.jobs[$0].place == .here(lease: store.lease)
        }
        guard let place = running.randomElement(using: &random) else { return }
        let order: RunOrder = random.isOne(in: 2) ? .cancel : .suspend
        store.jobs[place].order = order
        let run = Run(id: store.jobs[place].id, fence: store.jobs[place].fence)
        if runs[run] == nil { seen.insert("early order") }
        if isCalm || !random.isOne(in: 4) { deliver(.ordered(run.id, order)) }
    }

    private mutating func heartbeat() {
        for job in store.jobs where job.place == .here(lease: store.lease) {
            if let order = job.order { deliver(.ordered(job.id, order)) }
        }
    }

    /// Lets time pass, at most to the next wake, which may be late.
    private mutating func pass() {
        let left = max(.zero, wakeAt - now)
        if random.isOne(in: 3) {
            now += .microseconds(Int64.random(in: 0...left.wholeMicroseconds, using: &random))
        } else {
            now += left
        }
        if !isCalm, random.isOne(in: 4) { now += .milliseconds(200) }
        if now >= wakeAt { deliver(.ticked) }
    }

    private mutating func resume() {
        guard let place = store.jobs.firstIndex(where: { $0.place == .suspended }) else { return }
        store.jobs[place].runAt = now
        store.move(place, to: .waiting)
        deliver(.hinted)
    }

    private mutating func changePolicy() {
        guard random.isOne(in: 4), let policy = policies.randomElement(using: &random) else {
            return
        }
        deliver(.policyChanged(policy, .utc))
    }

    private mutating func misfortune() {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: crash()
        case 1: loseLease()
        case 2:
            // The database's clock is set back.
            now = now - .seconds(3)
        case 3:
            // Another replica takes a download, ...
            let due = store.jobs.indices.filter {
                store.jobs[$0].place == .waiting && store.jobs[$0].runAt <= now
            }
            guard let place = due.randomElement(using: &random),
                store.hasRoom(store.jobs[place].lane, at: now, conductor.policy.limits)
            else { return }
            store.jobs[place].fence += 1
            store.move(place, to: .elsewhere)
        default:
            // ... and ends it, without a notification to this one.
            endElsewhere()
        }
    }

    mutating func endElsewhere() {
        guard let place = store.jobs.firstIndex(where: { $0.place == .elsewhere }) else { return }
        store.move(place, to: .ended)
    }

    private mutating func loseLease() {
        if case .committed = claim { seen.insert("void claim") }
        store.giveBack(at: now)
        deliver(.leaseLost)
    }
}
