// Lanes of a forecast: when they are open, and where they wait.
internal import Base

extension ForecastFuture {
    /// Puts a lane into the tree of open lanes, or lets it sleep until it opens.
    mutating func open(_ lane: Int32) {
        let place = places[Int(lane)]
        let batches = batches(of: lane)
        guard let last = batches.indices.last,
            Int(place.batch) <= last || stoppedRuns[lane] != nil
        else {
            locations[Int(lane)] = .none
            return
        }
        var candidate = model.lanes[Int(lane)].candidate
        let batch = batches[min(Int(place.batch), last)]
        if candidate.runAt != batch.runAt {
            candidate.createdAt = min(candidate.createdAt, batch.runAt)
            candidate.runAt = batch.runAt
        }
        let instant = model.situation.now + .microseconds(Int64((now * 1e6).rounded()))
        guard let span = openings.span(of: candidate, from: instant) else {
            locations[Int(lane)] = .none
            unknown.insert(Int(lane))
            return
        }
        var from = seconds(to: span.from)
        closes[Int(lane)] = (span.until.map { seconds(to: $0) } ?? .infinity, span.stops)
        // A future arrival with a deadline does not wait for a soft rule beyond its latest begin.
        if model.lanes[Int(lane)].place.life < .infinity {
            let latest = max(now, seconds(to: batch.runAt), guardedFrom(lane))
            if latest < from {
                from = latest
                closes[Int(lane)] = (.infinity, false)
            }
        }
        if from > now {
            locations[Int(lane)] = .away
            wakes.insert(lane, at: from)
        } else {
            enter(lane)
        }
    }

    func seconds(to instant: Timestamp) -> Double {
        Double((instant - model.situation.now).wholeMicroseconds) / 1e6
    }

    func batches(of lane: Int32) -> [ForecastModel.Batch] {
        let place = Int(lane)
        return place < model.waiting
            ? model.lanes[place].batches : coming[place - model.waiting]
    }

    private func runAt(_ lane: Int32) -> Double {
        let batches = batches(of: lane)
        return seconds(to: batches[min(Int(places[Int(lane)].batch), batches.count - 1)].runAt)
    }

    /// The deadline of a lane's next batch; infinite without one.
    func deadline(_ lane: Int32) -> Double {
        let place = model.lanes[Int(lane)].place
        return place.life < .infinity ? runAt(lane) + place.life : place.deadline
    }

    /// The time at which a lane's next batch becomes guarded.
    func guardedFrom(_ lane: Int32) -> Double {
        let place = model.lanes[Int(lane)].place
        return place.life < .infinity ? runAt(lane) + place.guardedLife : place.guardedFrom
    }

    /// Puts an open lane into the tree.
    mutating func enter(_ lane: Int32) {
        let own = model.lanes[Int(lane)]
        let guardedFrom = guardedFrom(lane)
        guard guardedFrom > now else {
            return put(
                lane, into: own.place.guardedFlow, of: own.place.guardedClass,
                at: ForecastTree.key(rank: 0, instant: deadline(lane)))
        }
        let runAt = runAt(lane)
        let rank = LaneHead.agedRank(own.candidate.rank, waited: .seconds(Int64(now - runAt)))
        let deadline = deadline(lane)
        let instant =
            deadline < .infinity
            ? deadline : runAt + Double(LaneHead.undated.wholeMicroseconds) / 1e6
        if rank > 0 {
            let aged = LaneHead.agedFully(own.candidate.rank).wholeMicroseconds
            turns.insert(lane, at: max(now, runAt) + Double(aged) / 1e6 + 1)
        }
        if guardedFrom < .infinity { turns.insert(lane, at: guardedFrom) }
        put(
            lane, into: own.place.flow, of: own.place.classNumber,
            at: ForecastTree.key(rank: rank, instant: instant))
    }

    private mutating func put(_ lane: Int32, into flow: Int32, of kind: Int, at key: Double) {
        guard locations[Int(lane)] != .tree(kind) || keys[Int(lane)] != key else { return }
        locations[Int(lane)] = .tree(kind)
        keys[Int(lane)] = key
        tree.insert(lane, into: flow, at: key)
    }

    mutating func wakeLane() {
        guard let lane = wakes.pop()?.place else { return }
        if closes[Int(lane)].at <= now { open(lane) } else { enter(lane) }
    }

    /// Moves a lane ahead because its deadline is near, or because it has waited for long.
    mutating func moveLane() {
        guard let lane = turns.pop()?.place, case .tree(let number) = locations[Int(lane)],
            number != model.lanes[Int(lane)].place.guardedClass
        else { return }
        // The entry at its old place is recognized as outdated and dropped.
        enter(lane)
    }
}
