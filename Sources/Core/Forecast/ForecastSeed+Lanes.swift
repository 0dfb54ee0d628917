// Lanes of a forecast: when they are open, and where they wait.

extension ForecastSeed {
    /// Puts a lane where its next batch belongs: among the open ones, or to sleep.
    mutating func open(_ lane: Int32) {
        let place = places[Int(lane)]
        let batches = batches(of: lane)
        guard let last = batches.indices.last,
            Int(place.batch) <= last || rests[lane] != nil
        else {
            homes[Int(lane)] = .none
            return
        }
        var candidate = field.lanes[Int(lane)].candidate
        let batch = batches[min(Int(place.batch), last)]
        if candidate.runAt != batch.runAt {
            candidate.createdAt = min(candidate.createdAt, batch.runAt)
            candidate.runAt = batch.runAt
        }
        let instant = field.situation.now + .microseconds(Int64((now * 1e6).rounded()))
        guard let span = openings.span(of: candidate, from: instant) else {
            homes[Int(lane)] = .none
            unknown.insert(Int(lane))
            return
        }
        let from = seconds(to: span.from)
        closes[Int(lane)] = (span.until.map { seconds(to: $0) } ?? .infinity, span.stops)
        if from > now {
            homes[Int(lane)] = .away
            wakes.insert(lane, at: from)
        } else {
            enter(lane)
        }
    }

    func seconds(to instant: Timestamp) -> Double {
        Double((instant - field.situation.now).wholeMicroseconds) / 1e6
    }

    func batches(of lane: Int32) -> [ForecastField.Batch] {
        let place = Int(lane)
        return place < field.waiting
            ? field.lanes[place].batches : coming[place - field.waiting]
    }

    /// Puts a lane among the open ones of its class.
    mutating func enter(_ lane: Int32) {
        let own = field.lanes[Int(lane)]
        guard own.place.guardedFrom > now else {
            let number = ServingClass.guarded.rawValue
            homes[Int(lane)] = .tree(number)
            return tree.insert(
                lane, into: own.place.guardedFlow, rank: 0, instant: own.place.deadline)
        }
        let batches = batches(of: lane)
        let batch = batches[min(Int(places[Int(lane)].batch), batches.count - 1)]
        let runAt = seconds(to: batch.runAt)
        homes[Int(lane)] = .tree(own.place.classNumber)
        tree.insert(
            lane, into: own.place.flow,
            rank: LaneHead.agedRank(own.candidate.rank, waited: .seconds(Int64(now - runAt))),
            instant: own.place.deadline < .infinity
                ? own.place.deadline : runAt + Double(LaneHead.undated.wholeMicroseconds) / 1e6)
        if own.place.guardedFrom < .infinity { guards.insert(lane, at: own.place.guardedFrom) }
    }

    mutating func wakeLane() {
        guard let lane = wakes.pop()?.place else { return }
        if closes[Int(lane)].at <= now { open(lane) } else { enter(lane) }
    }

    /// A lane's deadline is near: it is served before others from now on.
    mutating func guardLane() {
        guard let lane = guards.pop()?.place, case .tree(let number) = homes[Int(lane)],
            number != ServingClass.guarded.rawValue
        else { return }
        // Where it was it is found to be gone.
        enter(lane)
    }
}
