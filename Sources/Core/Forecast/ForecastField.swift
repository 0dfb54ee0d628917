// The queue of a forecast with small numbers in place of keys: what every seed shares.

/// Lanes, gates and sizes of a forecast, prepared once.
struct ForecastField: Sendable {
    /// One waiting batch of a lane.
    struct Batch: Sendable {
        let runAt: Timestamp
        let count: Int
        /// Bytes of those whose size is known.
        let bytes: Double
        let unsized: Int
        /// Downloads that are begun as one, one after the other in one slot.
        let chunk: Int
    }

    /// Where a lane stands among the others.
    struct Place: Sendable {
        /// The class in which it is served while its deadline is not near.
        let classNumber: Int
        /// Its flow there.
        let flow: Int32
        /// The class in which it is served from then on.
        var guardedClass: Int
        /// Its flow there; -1 without a deadline.
        var guardedFlow: Int32
        /// From when on it is guarded, in seconds from now; infinite for never.
        let guardedFrom: Double
        /// Its deadline in seconds from now; infinite without one.
        let deadline: Double
        /// Of what comes: seconds from its creation to its deadline, and until it is guarded;
        /// infinite without one.
        var life = Double.infinity
        var guardedLife = Double.infinity
        let weights: (app: Double, session: Double)
    }

    /// What a lane's downloads pass through and need.
    struct Lane: Sendable {
        let candidate: AdmissionCandidate
        let batches: [Batch]
        var place: Place
        /// Places of its gates: origin, session, app; -1 for none.
        let gates: (origin: Int32, session: Int32, app: Int32)
        let sizes: LearnedEstimate?
        /// The place of its origin's rates.
        let pace: Int
    }

    /// How fast an origin is, by quarter of the day.
    struct Pace: Sendable {
        let rates: [LearnedEstimate?]
        let progress: Double
        let setup: Double
    }

    /// What runs at the start.
    struct Running: Sendable {
        /// Seconds that are left at its own rate.
        let left: Double
        /// Bytes a second.
        let rate: Double
        let gates: [Int32]
        let classNumber: Int
        /// The lane in which it goes on after a stop; -1 for none.
        var lane: Int32 = -1
    }

    let lanes: [Lane]
    /// How many of the lanes have downloads that wait now; behind them are those of what comes.
    let waiting: Int
    let paces: [Pace]
    /// How many more each gate lets through at the start.
    let rooms: [Int32]
    let tree: ForecastTree
    let running: [Running]
    let slots: Int
    /// The part of them that a lower class keeps.
    let floor: Double
    let situation: Situation
    /// What the link of a replica carries in each hour of a week from now on.
    let links: [LearnedEstimate?]
    /// How many downloads are expected to come in each of the next hours, by class.
    let arrivals: [[Double]]
    /// The lanes for what comes, each with its class and its part of that.
    let comers: [(lane: Int32, kind: Int, share: Double)]
    let replicas: Int

    /// Batches are cut into about so many pieces in all.
    private static let pieces = 20_000

    init(_ input: ForecastInput) {
        var builder = Builder(input)
        let chunk = max(1, input.waiting / ForecastField.pieces)
        var lanes = input.lanes.map { builder.lane($0, chunk: chunk) }
        running = input.runs.map { builder.run($0, &lanes) }
        waiting = lanes.count
        comers = builder.comers(&lanes)
        self.lanes = lanes
        rooms = builder.rooms
        paces = builder.paces
        tree = ForecastTree(builder.shape)
        slots = max(1, input.slots)
        floor = input.situation.policy.shares.discretionaryFloor
        situation = input.situation
        replicas = max(1, input.replicas)
        let now = situation.now
        let learned = situation.learned
        let factor = Double(replicas)
        // What comes is learned at its first begin: what waits has come as well.
        var waits: [SchedulingClass: Int] = [:]
        for lane in input.lanes {
            waits[lane.candidate.schedulingClass, default: 0] +=
                lane.batches.reduce(0) { $0 + $1.count }
        }
        arrivals = SchedulingClass.allCases.map { kind in
            let begun = max(1, learned.arrivals(of: kind, now: now))
            let factor = factor * (1 + min(1, Double(waits[kind] ?? 0) / begun))
            return (0..<ForecastField.hoursOfArrivals).map {
                factor * learned.arrivals(of: kind, at: now + .seconds(3600 * $0), now: now)
            }
        }
        links = learned.links(from: now)
    }

    /// What comes later than this is left out.
    static let hoursOfArrivals = 72

    /// An instant in each quarter of the day.
    static func quarters(from now: Timestamp) -> [Timestamp] {
        let first = LearnedKey.quarter(of: now)
        return (0..<4).map { now + .seconds(21_600 * (($0 - first + 4) % 4)) }
    }
}
