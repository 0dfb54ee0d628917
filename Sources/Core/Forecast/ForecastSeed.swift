// One run of the queue into the future.

/// One possible future: what begins when, from the facts of now on.
///
/// Seed 0 takes medians; others draw rates and unknown sizes from what was learned.
package struct ForecastSeed: Sendable {
    /// Some downloads of a lane that begin one after the other.
    package struct Begin: Equatable, Sendable {
        /// How many of the lane begin before them.
        package var position: Int32
        /// How many they are.
        package var count: Int32
        /// Seconds from now to the first of their begins.
        package var at: Float
        /// Seconds that each of them takes.
        package var length: Float
        /// Bytes that each of them brings.
        package var bytes: Float
    }

    /// Begins further ahead than this are not looked for.
    package static let horizon = 56.0 * 86_400

    private struct Run {
        var gates: (Int32, Int32, Int32)
        var classNumber: Int
    }

    private let field: ForecastField
    private var openings: ForecastOpenings
    private var dice: ForecastDice
    private let isMedian: Bool
    private var now = 0.0
    private var tree: ForecastTree
    private var rooms: [Int32]
    /// Lanes that wait for a place of a gate, first come first served.
    private var parked: [[Int32]]
    private var parkedStart: [Int]
    /// The batch of each lane that is next, and how many of it have begun.
    private var places: [(batch: Int32, begun: Int32, position: Int32)]
    /// Until when each lane that is in the tree is open.
    private var closes: [Double]
    private var wakes = ForecastHeap()
    private var ends = ForecastHeap()
    private var runs: [Run] = []
    private var freeRuns: [Int32] = []
    private var free: Int
    private var running: [Int]
    private var prepared = 0
    /// The begins of each lane, in order.
    package private(set) var begins: [[Begin]]
    /// Lanes of which nothing more is known to begin.
    package private(set) var unknown: Set<Int> = []
    /// What was done so far.
    package private(set) var events = 0

    init(_ field: ForecastField, openings: ForecastOpenings, seed: Int) {
        self.field = field
        self.openings = openings
        isMedian = seed == 0
        dice = ForecastDice(seed: UInt64(seed))
        tree = field.tree
        rooms = field.rooms
        parked = Array(repeating: [], count: rooms.count)
        parkedStart = Array(repeating: 0, count: rooms.count)
        places = Array(repeating: (0, 0, 0), count: field.lanes.count)
        closes = Array(repeating: 0, count: field.lanes.count)
        begins = Array(repeating: [], count: field.lanes.count)
        free = max(0, field.slots - field.running.count)
        running = Array(repeating: 0, count: field.classes.count)
        for run in field.running {
            // Their places are taken already; they are given back at their end.
            let gates = run.gates + [-1, -1, -1]
            begin(
                Run(gates: (gates[0], gates[1], gates[2]), classNumber: run.classNumber),
                length: run.left)
        }
    }

    /// Goes on for a number of events.
    ///
    /// - Returns: whether it has come to its end.
    package mutating func step(_ count: Int) -> Bool {
        let last = events + count
        while events < last, prepared < field.lanes.count {
            open(Int32(prepared))
            prepared += 1
            events += 1
        }
        guard prepared == field.lanes.count else { return false }
        while events < last {
            fill()
            let wake = wakes.first?.key ?? .infinity
            let end = ends.first?.key ?? .infinity
            let next = min(wake, end)
            guard next < ForecastSeed.horizon else { return true }
            events += 1
            now = max(now, next)
            if end <= wake { release() } else { wakeLane() }
        }
        return false
    }

    /// What it has found of when the policy is open, for the next seed.
    var knownOpenings: ForecastOpenings { openings }

    // MARK: - Lanes

    /// Puts a lane where its next batch belongs: among the open ones, or to sleep.
    private mutating func open(_ lane: Int32) {
        let place = places[Int(lane)]
        let batches = field.lanes[Int(lane)].batches
        guard Int(place.batch) < batches.count else { return }
        var candidate = field.lanes[Int(lane)].candidate
        let batch = batches[Int(place.batch)]
        if candidate.runAt != batch.runAt {
            candidate.createdAt = min(candidate.createdAt, batch.runAt)
            candidate.runAt = batch.runAt
        }
        let instant = field.situation.now + .microseconds(Int64(now * 1e6))
        guard let span = openings.span(of: candidate, from: instant) else {
            unknown.insert(Int(lane))
            return
        }
        let from = seconds(to: span.from)
        closes[Int(lane)] = span.until.map { seconds(to: $0) } ?? .infinity
        if from > now {
            wakes.insert(lane, at: from)
        } else {
            tree.insert(lane)
        }
    }

    private func seconds(to instant: Timestamp) -> Double {
        Double((instant - field.situation.now).wholeMicroseconds) / 1e6
    }

    private mutating func wakeLane() {
        guard let lane = wakes.pop()?.place else { return }
        if closes[Int(lane)] <= now { open(lane) } else { tree.insert(lane) }
    }

    // MARK: - Slots

    private mutating func fill() {
        while free > 0, let root = nextClass(), let lane = tree.first(ofClass: root) {
            events += 1
            if closes[Int(lane)] <= now {
                tree.removeFirst(ofClass: root)
                open(lane)
                continue
            }
            if let gate = fullGate(of: lane) {
                tree.removeFirst(ofClass: root)
                parked[gate].append(lane)
                // The place that it was woken for is another's.
                for other in gates(of: lane) where other >= 0 && rooms[Int(other)] > 0 {
                    unpark(Int(other))
                }
                continue
            }
            start(lane, root)
        }
    }

    /// Strictly in order, but for the part of the slots that a lower class keeps.
    private func nextClass() -> Int? {
        var first: Int?
        let held = Int(field.floor * Double(field.slots))
        for root in field.classes.indices where tree.hasLanes(ofClass: root) {
            guard first != nil else {
                first = root
                continue
            }
            if running[root] < held { return root }
        }
        return first
    }

    private func gates(of lane: Int32) -> [Int32] {
        let gates = field.lanes[Int(lane)].gates
        return [gates.origin, gates.session, gates.app]
    }

    private func fullGate(of lane: Int32) -> Int? {
        let gates = field.lanes[Int(lane)].gates
        if gates.origin >= 0, rooms[Int(gates.origin)] <= 0 { return Int(gates.origin) }
        if gates.session >= 0, rooms[Int(gates.session)] <= 0 { return Int(gates.session) }
        if gates.app >= 0, rooms[Int(gates.app)] <= 0 { return Int(gates.app) }
        return nil
    }

    private mutating func start(_ lane: Int32, _ root: Int) {
        let own = field.lanes[Int(lane)]
        let place = places[Int(lane)]
        let batch = own.batches[Int(place.batch)]
        let count = min(batch.chunk, batch.count - Int(place.begun))
        let bytes = size(batch, own)
        let length = own.setup + bytes / own.progress / rate(own)
        begins[Int(lane)].append(
            Begin(
                position: place.position, count: Int32(count), at: Float(now),
                length: Float(length), bytes: Float(bytes)))
        for gate in gates(of: lane) where gate >= 0 { rooms[Int(gate)] -= 1 }
        free -= 1
        begin(
            Run(gates: own.gates, classNumber: root), length: length * Double(count))
        let isEmpty = Int(place.begun) + count >= batch.count
        tree.serveFirst(
            ofClass: root, cost: max(FairShares.leastBytes, bytes) * Double(count),
            keepsLane: !isEmpty)
        places[Int(lane)].position += Int32(count)
        places[Int(lane)].begun += Int32(count)
        guard isEmpty else { return }
        // Another batch may be open at another time.
        places[Int(lane)].batch += 1
        places[Int(lane)].begun = 0
        open(lane)
    }

    private mutating func begin(_ run: Run, length: Double) {
        running[run.classNumber] += 1
        let place: Int32
        if let known = freeRuns.popLast() {
            place = known
            runs[Int(known)] = run
        } else {
            place = Int32(runs.count)
            runs.append(run)
        }
        ends.insert(place, at: now + max(0.001, length))
    }

    private mutating func release() {
        guard let place = ends.pop()?.place else { return }
        let run = runs[Int(place)]
        freeRuns.append(place)
        running[run.classNumber] -= 1
        free += 1
        for gate in [run.gates.0, run.gates.1, run.gates.2] where gate >= 0 {
            rooms[Int(gate)] += 1
            unpark(Int(gate))
        }
    }

    private mutating func unpark(_ gate: Int) {
        guard parkedStart[gate] < parked[gate].count else { return }
        let lane = parked[gate][parkedStart[gate]]
        parkedStart[gate] += 1
        if parkedStart[gate] == parked[gate].count {
            parked[gate] = []
            parkedStart[gate] = 0
        }
        tree.insert(lane)
    }

    // MARK: - Sizes and rates

    private mutating func size(
        _ batch: ForecastField.Batch, _ lane: ForecastField.Lane
    ) -> Double {
        let unsized = lane.sizes.map {
            isMedian ? $0.sketch.mean ?? 0 : $0.quantile(dice.unit())
        }
        let known = batch.bytes + Double(batch.unsized) * (unsized ?? FairShares.unknownBytes)
        return known / Double(batch.count)
    }

    private mutating func rate(_ lane: ForecastField.Lane) -> Double {
        guard let rates = lane.rates else { return Double(TransferNeed.assumedRate) }
        return max(1, rates.quantile(isMedian ? 0.5 : dice.unit()))
    }
}
