// One simulation of the queue into the future.
internal import Base

/// One possible future: computes when each download begins, from the present situation on.
///
/// Seed 0 takes medians; other seeds draw rates and unknown sizes from the learned distributions.
/// Transfers have their own rates as long as the link carries them; beyond its capacity all are
/// slowed by one factor, which the common `clock` counts.
package struct ForecastFuture: Sendable {
    /// Downloads of a lane that run one after the other in one slot.
    package struct Begin: Equatable, Sendable {
        /// The number of downloads of the lane that begin before them.
        package var position: Int32
        /// The number of the begin in the order of this future.
        var number: Int32
        /// The number of downloads.
        package var count: Int32
        /// Seconds from now to the first of their begins.
        package var at: Float
        /// Seconds that each of them takes.
        package var length: Float
        /// Bytes of each of them.
        package var bytes: Float
    }

    /// The end of the simulation: eight weeks, in seconds from now.
    package static let horizon = 56.0 * 86_400
    static let quarter = 21_600.0

    struct Run {
        var gates: (Int32, Int32, Int32)
        var classNumber: Int
        /// Its rate in bytes a second while the link is not full.
        var rate: Double
        /// The time at which it ends, in time of `clock`.
        var end: Double
        /// The lane, and the index of its begin; -1 for a run from the start.
        var lane: Int32
        var begin: Int32
        var isOver = false
    }

    /// The rest of a run that was stopped at a closing.
    struct StoppedRun {
        /// Seconds that are missing at its own rate.
        var left: Double
        var rate: Double
        var begin: Int32
    }

    /// The flows and lanes that wait for a place of a gate.
    struct GateWaiters {
        /// Parked flows by class, within a class in the order of parking.
        var flows = ForecastHeap()
        /// Parked guarded lanes by deadline.
        var guarded = ForecastHeap()
    }

    /// The place of a lane in the simulation.
    enum Location: Equatable {
        /// It has no waiting download.
        case none
        /// It sleeps until an instant, or is parked at a gate.
        case away
        /// It is open, in the tree of a class.
        case tree(Int)
    }

    let model: ForecastModel
    var openings: ForecastOpenings
    var random: ForecastRandom
    let isMedian: Bool
    var now = 0.0
    /// The time of transfers: seconds that a transfer at its own rate would have had.
    var clock = 0.0
    /// The speed of `clock`: the share of their own rates that transfers get.
    var pace = 1.0
    /// The sum of the rates of all runs, in bytes a second.
    var demand = 0.0
    /// The capacity of the link in each hour of a week from now on, in bytes a second.
    var links: [Double] = []
    /// The quantile of its rates that each origin has in this future.
    var lucks: [Double] = []
    /// The hour of the simulation, counted from now.
    var hour = 0
    let firstQuarter: (number: Int, left: Double)
    var tree: ForecastTree
    var rooms: [Int32]
    /// The waiting flows and lanes of each gate.
    var parked: [GateWaiters]
    /// The number of times that a flow was parked, by which parked flows are ordered.
    var parkings = 0
    /// The next batch of each lane, how many downloads of it have begun, and how many of the lane.
    var places: [(batch: Int32, begun: Int32, position: Int32)]
    var locations: [Location]
    /// The key of each lane in its flow; entries with another key are outdated.
    var keys: [Double]
    var stoppedRuns: [Int32: [StoppedRun]] = [:]
    /// Future arrivals, by lane from `model.waiting` on.
    var coming: [[ForecastModel.Batch]]
    /// For each lane in the tree, when it closes, and whether running downloads are stopped then.
    var closes: [(at: Double, stops: Bool)]
    var wakes = ForecastHeap()
    /// The times at which lanes in the tree become guarded, or have aged enough to come before
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
    /// Lanes whose further begins are not known.
    package internal(set) var unknown: Set<Int> = []
    /// The number of simulated events.
    package internal(set) var events = 0

    init(_ model: ForecastModel, openings: ForecastOpenings, seed: Int) {
        self.model = model
        self.openings = openings
        isMedian = seed == 0
        random = ForecastRandom(seed: UInt64(seed))
        tree = model.tree
        rooms = model.rooms
        parked = Array(repeating: GateWaiters(), count: rooms.count)
        places = Array(repeating: (0, 0, 0), count: model.lanes.count)
        locations = Array(repeating: .none, count: model.lanes.count)
        keys = Array(repeating: .infinity, count: model.lanes.count)
        closes = Array(repeating: (0, false), count: model.lanes.count)
        begins = Array(repeating: [], count: model.lanes.count)
        coming = ForecastFuture.comers(model, isMedian: isMedian, &random)
        free = max(0, model.slots - model.running.count)
        running = Array(repeating: 0, count: ServingClass.allCases.count)
        let micros = model.situation.now.microseconds % 21_600_000_000
        firstQuarter = (
            LearnedKey.quarter(of: model.situation.now),
            ForecastFuture.quarter - Double(micros) / 1e6
        )
        // One draw for all hours: a slow day is slow from morning to night.
        let luck = isMedian ? 0.5 : random.unit()
        lucks = model.paces.map { _ in isMedian ? 0.5 : random.unit() }
        links = model.links.map { link in
            link.map { max(1, $0.quantile(luck)) * Double(model.replicas) } ?? .infinity
        }
        for run in model.running {
            // These runs hold their places already and give them back at their end.
            let gates = run.gates + [-1, -1, -1]
            begin(
                Run(
                    gates: (gates[0], gates[1], gates[2]), classNumber: run.classNumber,
                    rate: run.rate, end: max(0.001, run.left), lane: run.lane, begin: -1))
            guard run.lane >= 0 else { continue }
            places[Int(run.lane)] = (1, 1, 1)
            let candidate = model.lanes[Int(run.lane)].candidate
            // A run whose rule is closed already is not stopped by it.
            if let span = self.openings.span(of: candidate, from: model.situation.now),
                span.stops, span.from <= model.situation.now, let until = span.until
            {
                stops.insert(Int32(runs.count - 1), at: seconds(to: until))
            }
        }
    }

    /// Simulates a number of events.
    ///
    /// - Returns: whether it has come to its end.
    package mutating func step(_ count: Int) -> Bool {
        let last = events + count
        while events < last, prepared < model.lanes.count {
            open(Int32(prepared))
            prepared += 1
            events += 1
        }
        guard prepared == model.lanes.count else { return false }
        while events < last {
            // All events of an instant are handled before slots are given away.
            if upcoming.next > now { fill() }
            let (next, end, stop, due) = upcoming
            guard next < ForecastFuture.horizon else { return true }
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

    /// The time of the next event of any kind, and those of the next end, stop and lane's turn.
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

    /// The openings that were computed, for the next seed.
    var knownOpenings: ForecastOpenings { openings }
}
