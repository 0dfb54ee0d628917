// One run of the queue into the future.

/// One possible future: what begins when, from the facts of now on.
///
/// Seed 0 takes medians; others draw rates and unknown sizes from what was learned. Transfers have
/// their own rates as long as the link carries them; else all are slower by the same part, which
/// one clock for all of them counts.
package struct ForecastSeed: Sendable {
    /// Some downloads of a lane that begin one after the other.
    package struct Begin: Equatable, Sendable {
        /// How many of the lane begin before them.
        package var position: Int32
        /// The begins of a future are numbered in their order.
        var number: Int32
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
    static let quarter = 21_600.0

    struct Run {
        var gates: (Int32, Int32, Int32)
        var classNumber: Int
        /// Bytes a second, at its own rate.
        var rate: Double
        /// When it ends, by the clock of transfers.
        var end: Double
        /// The lane, and its begin; -1 for what ran at the start.
        var lane: Int32
        var begin: Int32
        var isOver = false
    }

    /// What was stopped at a closing.
    struct Rest {
        /// Seconds at its own rate.
        var left: Double
        var rate: Double
        var begin: Int32
    }

    /// What waits for a place of a gate.
    struct Parking {
        /// Flows by class, each class first come first served.
        var flows = ForecastHeap()
        /// Lanes that are guarded, by deadline.
        var guarded = ForecastHeap()
    }

    /// Where a lane is.
    enum Home: Equatable {
        /// It has nothing that waits.
        case none
        /// It waits for an instant, or at a gate.
        case away
        /// It is open, in a class.
        case tree(Int)
    }

    let field: ForecastField
    var openings: ForecastOpenings
    var dice: ForecastDice
    let isMedian: Bool
    var now = 0.0
    /// Seconds that a transfer at its own rate would have had.
    var clock = 0.0
    /// How fast the clock goes: the part of their own rates that transfers get.
    var pace = 1.0
    /// What runs would take together.
    var demand = 0.0
    /// What the link carries in each hour of a week from now on, in bytes a second.
    var links: [Double] = []
    /// The quantile of its rates at which each origin is in this future.
    var lucks: [Double] = []
    /// Hours from now.
    var hour = 0
    let firstQuarter: (number: Int, left: Double)
    var tree: ForecastTree
    var rooms: [Int32]
    /// What waits for a place of each gate.
    var parked: [Parking]
    /// How often something was parked.
    var parkings = 0
    /// The batch of each lane that is next, and how many of it have begun.
    var places: [(batch: Int32, begun: Int32, position: Int32)]
    var homes: [Home]
    /// By what each lane stands in its flow; other entries of it are old.
    var keys: [Double]
    var rests: [Int32: [Rest]] = [:]
    /// What comes, by lane from `field.waiting` on.
    var coming: [[ForecastField.Batch]]
    /// Until when each lane that is in the tree is open, and whether what runs stops then.
    var closes: [(at: Double, stops: Bool)]
    var wakes = ForecastHeap()
    /// When lanes that are in the tree are guarded, or have waited for long enough to come before
    /// others.
    var turns = ForecastHeap()
    var ends = ForecastHeap()
    var stops = ForecastHeap()
    var runs: [Run] = []
    var free: Int
    var running: [Int]
    var prepared = 0
    var lastNumber: Int32 = 0
    /// The begins of each lane, in order.
    package internal(set) var begins: [[Begin]]
    /// Lanes of which nothing more is known to begin.
    package internal(set) var unknown: Set<Int> = []
    /// What was done so far.
    package internal(set) var events = 0

    init(_ field: ForecastField, openings: ForecastOpenings, seed: Int) {
        self.field = field
        self.openings = openings
        isMedian = seed == 0
        dice = ForecastDice(seed: UInt64(seed))
        tree = field.tree
        rooms = field.rooms
        parked = Array(repeating: Parking(), count: rooms.count)
        places = Array(repeating: (0, 0, 0), count: field.lanes.count)
        homes = Array(repeating: .none, count: field.lanes.count)
        keys = Array(repeating: .infinity, count: field.lanes.count)
        closes = Array(repeating: (0, false), count: field.lanes.count)
        begins = Array(repeating: [], count: field.lanes.count)
        coming = ForecastSeed.comers(field, isMedian: isMedian, &dice)
        free = max(0, field.slots - field.running.count)
        running = Array(repeating: 0, count: ServingClass.allCases.count)
        let micros = field.situation.now.microseconds % 21_600_000_000
        firstQuarter = (
            LearnedKey.quarter(of: field.situation.now),
            ForecastSeed.quarter - Double(micros) / 1e6
        )
        // One draw for all hours: a slow day is slow from morning to night.
        let luck = isMedian ? 0.5 : dice.unit()
        lucks = field.paces.map { _ in isMedian ? 0.5 : dice.unit() }
        links = field.links.map { link in
            link.map { max(1, $0.quantile(luck)) * Double(field.replicas) } ?? .infinity
        }
        for run in field.running {
            // Their places are taken already; they are given back at their end.
            let gates = run.gates + [-1, -1, -1]
            begin(
                Run(
                    gates: (gates[0], gates[1], gates[2]), classNumber: run.classNumber,
                    rate: run.rate, end: max(0.001, run.left), lane: run.lane, begin: -1))
            guard run.lane >= 0 else { continue }
            places[Int(run.lane)] = (1, 1, 1)
            let candidate = field.lanes[Int(run.lane)].candidate
            // What runs while its rule is closed is not stopped by it.
            if let span = self.openings.span(of: candidate, from: field.situation.now),
                span.stops, span.from <= field.situation.now, let until = span.until
            {
                stops.insert(Int32(runs.count - 1), at: seconds(to: until))
            }
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
            // All that happens at an instant is known before slots are given away.
            if upcoming.next > now { fill() }
            let (next, end, stop, due) = upcoming
            guard next < ForecastSeed.horizon else { return true }
            events += 1
            let nextHour = Double(hour + 1) * 3600
            if demand > 0, nextHour < next {
                advance(to: nextHour)
                hour += 1
                setPace()
                continue
            }
            advance(to: next)
            if end == next {
                release()
            } else if stop == next {
                stopRun()
            } else if due == next {
                moveLane()
            } else {
                wakeLane()
            }
        }
        return false
    }

    /// When something happens next: anything, an end, a stop, a lane's turn.
    private var upcoming: (next: Double, end: Double, stop: Double, due: Double) {
        let wake = wakes.first?.key ?? .infinity
        let end = ends.first.map { now + max(0, $0.key - clock) / pace } ?? .infinity
        let stop = stops.first?.key ?? .infinity
        let due = turns.first?.key ?? .infinity
        return (min(wake, end, stop, due), end, stop, due)
    }

    mutating func advance(to instant: Double) {
        guard instant > now else { return }
        clock += (instant - now) * pace
        now = instant
    }

    mutating func setPace() {
        hour = Int(now / 3600)
        let link = links[hour % links.count]
        pace = demand > link ? link / demand : 1
    }

    /// What it has found of when the policy is open, for the next seed.
    var knownOpenings: ForecastOpenings { openings }
}
