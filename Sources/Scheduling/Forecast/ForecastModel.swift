// The queue of a forecast with small numbers in place of keys: the part that all futures share.
internal import Base
internal import Downloads

/// Lanes, gates and sizes of a forecast, prepared once.
struct ForecastModel: Sendable {
    /// One waiting batch of a lane.
    struct Batch: Sendable {
        let runAt: Timestamp
        let count: Int
        /// The bytes of the downloads whose size is known.
        let bytes: Double
        let unsized: Int
        /// The number of downloads that are begun together and run one after the other in one slot.
        let chunk: Int
    }

    /// The position of a lane in the order of serving.
    struct Place: Sendable {
        /// The class in which the lane is served while its deadline is not near.
        let classNumber: Int
        /// Its flow in that class.
        let flow: Int32
        /// The class in which it is served when its deadline is near.
        var guardedClass: Int
        /// Its flow in the guarded class; -1 without a deadline.
        var guardedFlow: Int32
        /// The time at which the lane becomes guarded, in seconds from now; infinite for never.
        let guardedFrom: Double
        /// Its deadline in seconds from now; infinite without one.
        let deadline: Double
        /// For future arrivals: seconds from creation to the deadline, and seconds from creation
        /// until they are guarded; infinite without a deadline.
        var life = Double.infinity
        var guardedLife = Double.infinity
        let weights: (app: Double, session: Double)
    }

    /// A lane with its gates, sizes and rates.
    struct Lane: Sendable {
        let candidate: AdmissionCandidate
        let batches: [Batch]
        var place: Place
        /// The indices of its gates: origin, session, app; -1 for a gate without a limit.
        let gates: (origin: Int32, session: Int32, app: Int32)
        let sizes: LearnedEstimate?
        /// The index of its origin's rates.
        let pace: Int
    }

    /// The speed of an origin by quarter of the day.
    struct Pace: Sendable {
        let rates: [LearnedEstimate?]
        let progress: Double
        let setup: Double
    }

    /// A download that runs at the start.
    struct Running: Sendable {
        /// Seconds until its end at its own rate.
        let left: Double
        /// Its rate in bytes a second.
        let rate: Double
        let gates: [Int32]
        let classNumber: Int
        /// The lane in which it continues after a stop; -1 for none.
        var lane: Int32 = -1
    }

    let lanes: [Lane]
    /// The number of lanes with downloads that wait now; the lanes of future arrivals are behind
    /// them.
    let waiting: Int
    let paces: [Pace]
    /// The number of further downloads that each gate lets through at the start.
    let rooms: [Int32]
    let tree: ForecastTree
    let running: [Running]
    let slots: Int
    /// The share of the slots that lower classes keep.
    let floor: Double
    let situation: Situation
    /// The capacity of one replica's link in each hour of a week from now on.
    let links: [LearnedEstimate?]
    /// The expected number of new downloads in each of the next hours, by class.
    let arrivals: [[Double]]
    /// The lanes of future arrivals, each with its class and its share of the arrivals.
    let comers: [(lane: Int32, kind: Int, share: Double)]
    let replicas: Int

    /// The approximate number of pieces into which all batches are cut.
    private static let pieces = 20_000

    init(_ input: ForecastInput) {
        var builder = Builder(input)
        let chunk = max(1, input.waiting / ForecastModel.pieces)
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
        // Arrivals are learned at the first begin of a download, so those that still wait are
        // added.
        var waits: [SchedulingClass: Int] = [:]
        for lane in input.lanes {
            waits[lane.candidate.schedulingClass, default: 0] +=
                lane.batches.reduce(0) { $0 + $1.count }
        }
        arrivals = SchedulingClass.allCases.map { kind in
            let begun = max(1, learned.arrivals(of: kind, now: now))
            let factor = factor * (1 + min(1, Double(waits[kind] ?? 0) / begun))
            return (0..<ForecastModel.hoursOfArrivals).map {
                factor * learned.arrivals(of: kind, at: now + .seconds(3600 * $0), now: now)
            }
        }
        links = learned.links(from: now)
    }

    /// The number of hours from now for which arrivals are simulated.
    static let hoursOfArrivals = 72

    /// An instant in each quarter of the day.
    static func quarters(from now: Timestamp) -> [Timestamp] {
        let first = LearnedKey.quarter(of: now)
        return (0..<4).map { now + .seconds(21_600 * (($0 - first + 4) % 4)) }
    }
}
