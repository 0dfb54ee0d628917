// Slots and gates of a forecast: simulates begins, ends, and stops at a closing.

extension ForecastFuture {
    mutating func fill() {
        while free > 0, let root = nextClass(), let (lane, key) = tree.first(ofClass: root) {
            events += 1
            guard locations[Int(lane)] == .tree(root), keys[Int(lane)] == key else {
                tree.removeFirst(ofClass: root)
                unpark(gatesOf: lane)
                continue
            }
            if closes[Int(lane)].at <= now {
                tree.removeFirst(ofClass: root)
                locations[Int(lane)] = .none
                open(lane)
                unpark(gatesOf: lane)
                continue
            }
            if let gate = fullGate(of: lane) {
                park(lane, root, at: gate)
                // The lane did not take the place for which it was woken: another one may.
                unpark(gatesOf: lane)
                continue
            }
            start(lane, root)
        }
    }

    /// Parks the flow of the first lane of a class until a gate has a place.
    ///
    /// Its lanes keep their order. A guarded lane is parked by itself, because guarded lanes of
    /// many origins share a flow.
    private mutating func park(_ lane: Int32, _ root: Int, at gate: Int) {
        guard root != model.lanes[Int(lane)].place.guardedClass else {
            tree.removeFirst(ofClass: root)
            locations[Int(lane)] = .away
            return parked[gate].guarded.insert(lane, at: deadline(lane))
        }
        guard let flow = tree.blockFirst(ofClass: root) else { return }
        parkings += 1
        parked[gate].flows.insert(
            flow, at: Double(root) * ForecastFuture.classStep + Double(parkings))
    }

    /// The weight of a class in the key of a parked flow, above any count of parkings.
    private static let classStep = 1e9

    /// The next class to serve: the first with open lanes, unless the last free slots are kept for
    /// a lower class.
    func nextClass() -> Int? {
        guard let first = running.indices.first(where: { tree.hasLanes(ofClass: $0) }) else {
            return nil
        }
        let held = Int(model.floor * Double(model.slots))
        let discretionary = running[ServingClass.guarded.rawValue...].reduce(0, +)
        var reserved = 0
        var lacking: Int?
        for root in running.indices where root > first && tree.hasLanes(ofClass: root) {
            let isDiscretionary = root >= ServingClass.guarded.rawValue
            let lacks = held - (isDiscretionary ? discretionary : running[root])
            guard lacks > 0 else { continue }
            lacking = lacking ?? root
            reserved += lacks
            if isDiscretionary { break }
        }
        return free <= reserved ? lacking ?? first : first
    }

    func gates(of lane: Int32) -> [Int32] {
        let gates = model.lanes[Int(lane)].gates
        return [gates.origin, gates.session, gates.app]
    }

    func fullGate(of lane: Int32) -> Int? {
        let gates = model.lanes[Int(lane)].gates
        if gates.origin >= 0, rooms[Int(gates.origin)] <= 0 { return Int(gates.origin) }
        if gates.session >= 0, rooms[Int(gates.session)] <= 0 { return Int(gates.session) }
        if gates.app >= 0, rooms[Int(gates.app)] <= 0 { return Int(gates.app) }
        return nil
    }

    mutating func start(_ lane: Int32, _ root: Int) {
        if let stopped = takeStoppedRun(of: lane) { return resume(lane, root, stopped) }
        let own = model.lanes[Int(lane)]
        let place = places[Int(lane)]
        let batch = batches(of: lane)[Int(place.batch)]
        let bytes = size(batch, own)
        let rate = rate(own)
        let origin = model.paces[own.pace]
        let length = origin.setup + bytes / origin.progress / rate
        var count = min(batch.chunk, batch.count - Int(place.begun))
        if count > 1, closes[Int(lane)].at < .infinity {
            // Downloads that would begin behind the closing begin later.
            let fitting = (closes[Int(lane)].at - now) * pace / max(0.001, length)
            count = max(1, min(count, Int(fitting) + 1))
        }
        let number = Int32(begins[Int(lane)].count)
        lastNumber += 1
        begins[Int(lane)].append(
            Begin(
                position: place.position, number: lastNumber, count: Int32(count), at: Float(now),
                length: Float(length), bytes: Float(bytes)))
        places[Int(lane)].position += Int32(count)
        places[Int(lane)].begun += Int32(count)
        let isEmpty = Int(place.begun) + count >= batch.count
        tree.serveFirst(
            ofClass: root, cost: max(FairShares.leastBytes, bytes) * Double(count),
            weights: own.place.weights, keepsLane: !isEmpty)
        take(
            Run(
                gates: own.gates, classNumber: root, rate: rate,
                end: clock + max(0.001, length * Double(count)), lane: lane, begin: number))
        guard isEmpty else { return }
        // The next batch may be open at another time.
        places[Int(lane)].batch += 1
        places[Int(lane)].begun = 0
        open(lane)
    }

    mutating func takeStoppedRun(of lane: Int32) -> StoppedRun? {
        guard var list = stoppedRuns[lane], let stopped = list.popLast() else { return nil }
        stoppedRuns[lane] = list.isEmpty ? nil : list
        return stopped
    }

    /// Continues a download that was stopped at a closing.
    mutating func resume(_ lane: Int32, _ root: Int, _ stopped: StoppedRun) {
        let own = model.lanes[Int(lane)]
        let isEmpty =
            stoppedRuns[lane] == nil && Int(places[Int(lane)].batch) >= batches(of: lane).count
        tree.serveFirst(
            ofClass: root, cost: max(FairShares.leastBytes, stopped.left * stopped.rate),
            weights: own.place.weights, keepsLane: !isEmpty)
        if isEmpty { locations[Int(lane)] = .none }
        take(
            Run(
                gates: own.gates, classNumber: root, rate: stopped.rate,
                end: clock + max(0.001, stopped.left), lane: lane, begin: stopped.begin))
    }

    mutating func take(_ run: Run) {
        let gates = run.gates
        for gate in [gates.0, gates.1, gates.2] where gate >= 0 { rooms[Int(gate)] -= 1 }
        free -= 1
        begin(run)
        let close = closes[Int(run.lane)]
        if close.stops, close.at < .infinity {
            stops.insert(Int32(runs.count - 1), at: close.at)
        }
    }

    mutating func begin(_ run: Run) {
        running[run.classNumber] += 1
        demand += run.rate
        ends.insert(Int32(runs.count), at: run.end)
        runs.append(run)
        setPace()
    }

    mutating func release() {
        guard let place = ends.pop()?.place, !runs[Int(place)].isOver else { return }
        finish(Int(place))
        let run = runs[Int(place)]
        guard run.lane >= 0, run.begin >= 0 else { return }
        let begin = begins[Int(run.lane)][Int(run.begin)]
        begins[Int(run.lane)][Int(run.begin)].length =
            (Float(now) - begin.at) / Float(max(1, begin.count))
    }

    /// Frees the slot and the gates of a run.
    mutating func finish(_ place: Int) {
        runs[place].isOver = true
        let run = runs[place]
        running[run.classNumber] -= 1
        demand = max(0, demand - run.rate)
        setPace()
        free += 1
        for gate in [run.gates.0, run.gates.1, run.gates.2] where gate >= 0 {
            rooms[Int(gate)] += 1
            unpark(Int(gate))
        }
    }

    /// Stops a run at a closing: it continues when its lane is open again.
    mutating func stopRun() {
        guard let place = stops.pop().map({ Int($0.place) }), !runs[place].isOver else { return }
        let run = runs[place]
        // From its latest begin on a run is not stopped.
        guard guardedFrom(run.lane) > now else { return }
        finish(place)
        stoppedRuns[run.lane, default: []].append(
            StoppedRun(left: max(0.001, run.end - clock), rate: run.rate, begin: run.begin))
        if locations[Int(run.lane)] == .none { open(run.lane) }
    }

    /// Wakes the lanes that are parked at these gates, where a place is free.
    private mutating func unpark(gatesOf lane: Int32) {
        for gate in gates(of: lane) where gate >= 0 && rooms[Int(gate)] > 0 { unpark(Int(gate)) }
    }

    private mutating func unpark(_ gate: Int) {
        if let lane = parked[gate].guarded.first?.place {
            let own = Double(model.lanes[Int(lane)].place.guardedClass)
            let isHigher =
                parked[gate].flows.first.map { $0.key < own * ForecastFuture.classStep } ?? false
            if !isHigher {
                _ = parked[gate].guarded.pop()
                return enter(lane)
            }
        }
        if let flow = parked[gate].flows.pop()?.place { tree.unblock(flow) }
    }
}
