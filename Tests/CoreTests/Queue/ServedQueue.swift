// A conductor and a store, by a clock of their own: downloads last as long as their sizes say.
import Base
import Testing

@testable import Downloads
@testable import PolicyWorlds
@testable import Scheduling
@testable import Simulation

/// A queue that is served: each download lasts as long as its size says, more or less.
struct ServedQueue {
    static let start = Timestamp(seconds: 1_800_000_000)

    struct Run {
        let id: Identifier
        let fence: Int64
        let lane: CrowdStore.Lane
        let begins: Timestamp
        let ends: Timestamp
    }

    var random: SeededRandom
    var store: CrowdStore
    var conductor: Conductor
    let policy: Policy
    let slots: Int
    var now = ServedQueue.start
    var wakeAt = ServedQueue.start
    var runs: [Run] = []
    /// Bytes of downloads that have ended, by app.
    private var ended: [Int64: Double] = [:]
    /// The lanes of all begins, in order.
    var begins: [Int64] = []

    /// - Parameters:
    ///   - seed: the seed of all random numbers.
    ///   - sizes: the numbers of slots from which one is drawn.
    ///   - shares: the parts of apps and sessions.
    init(seed: UInt64, slots sizes: [Int] = [8, 16, 32, 64], shares: PolicyShares = PolicyShares())
    {
        var random = SeededRandom(seed: seed)
        slots = sizes.randomElement(using: &random) ?? 8
        var policy = Policy(limits: PolicyLimits(perOrigin: 6, perSession: 64))
        policy.shares = shares
        self.policy = policy
        store = CrowdStore(limits: policy.limits)
        store.need = ServedQueue.bytes
        conductor = Conductor(
            policy: policy, zone: .utc, slots: slots, pollInterval: .seconds(60))
        self.random = random
    }

    /// The sizes of files differ by origin, such as a host of large files beside one of small
    /// files.
    static func bytes(_ lane: CrowdStore.Lane) -> Int64 {
        [65_536, 262_144, 1_048_576, 4_194_304][Int(lane.origin % 4)]
    }

    /// The time that a download is forecast to take if nothing was learned.
    private func length(_ lane: CrowdStore.Lane) -> Duration {
        let seconds = 0.5 + Double(ServedQueue.bytes(lane)) / Double(TransferNeed.assumedRate)
        return .seconds(seconds)
    }

    mutating func add(apps: ClosedRange<Int64>, depth: ClosedRange<Int>) {
        for app in apps {
            for session in 0..<Int64.random(in: 1...3, using: &random) {
                for _ in 0..<Int.random(in: 1...12, using: &random) {
                    store.add(
                        1, app: app, session: 10 * app + session,
                        firstOrigin: Int64.random(in: 1...60, using: &random),
                        class: random.isOne(in: 4) ? .discretionary : .normal,
                        rank: Int.random(in: 1...2, using: &random), at: now,
                        depth: Int.random(in: depth, using: &random))
                }
            }
        }
        deliver(.hinted)
    }

    /// Adds lanes that do not run dry; each app has files of one size.
    mutating func addBacklogs(ofApps apps: Int64, depth: Int) {
        for app in 1...apps {
            for place in 0..<16 as Range<Int64> {
                store.add(
                    1, app: app, session: app,
                    firstOrigin: 100 * app + 4 * place + app % 4, at: now, depth: depth)
            }
        }
        deliver(.hinted)
    }

    /// Serves for a time.
    mutating func run(for time: Duration) {
        let end = now + time
        while now < end { step() }
    }

    /// Received bytes by app.
    var bytes: [Int64: Double] {
        runs.reduce(into: ended) { sums, run in
            let part = (now - run.begins) / (run.ends - run.begins)
            sums[run.lane.app, default: 0] += min(1, part) * Double(ServedQueue.bytes(run.lane))
        }
    }

    mutating func step() {
        guard let first = runs.indices.min(by: { runs[$0].ends < runs[$1].ends }),
            runs[first].ends <= wakeAt
        else {
            now = max(now, wakeAt)
            return deliver(.ticked)
        }
        let run = runs.remove(at: first)
        now = max(now, run.ends)
        store.count(
            LaneFlow(app: run.lane.app, session: run.lane.session, origin: run.lane.origin),
            by: -1)
        ended[run.lane.app, default: 0] += Double(ServedQueue.bytes(run.lane))
        deliver(.ended(run.id, fence: run.fence, bytes: ServedQueue.bytes(run.lane)))
    }

    mutating func deliver(_ event: ConductorEvent) {
        var events = [event]
        while let event = events.popLast() {
            for action in conductor.handle(event, at: now) {
                switch action {
                case .look(let cursor):
                    events.append(
                        .lanesLoaded(store.page(from: cursor, wanted: 256, at: now)))
                case .claim(let order):
                    let answer = store.claim(order, at: now)
                    if case .claimed(let claims, _) = answer { claims.forEach { begin($0) } }
                    events.append(answer)
                case .wake(let instant): wakeAt = instant
                case .start, .stop: break
                }
            }
        }
    }

    private mutating func begin(_ claim: ClaimedRun) {
        let lane = store.lanes[Int(claim.lane - 1)]
        begins.append(lane.number)
        let spread = Double.random(in: 0.7...1.4, using: &random)
        runs.append(
            Run(
                id: claim.id, fence: claim.fence, lane: lane, begins: now,
                ends: now + length(lane) * spread))
    }

    /// A forecast for the waiting downloads, by the conductor's facts.
    func outlook() throws -> ForecastOutlook {
        let lanes = store.lanes.filter { $0.depth > 0 }.map { lane in
            var candidate = store.head(lane).candidate
            candidate.need = ServedQueue.bytes(lane)
            return ForecastLane(
                number: lane.number,
                flow: LaneFlow(app: lane.app, session: lane.session, origin: lane.origin),
                candidate: candidate,
                batches: [
                    ForecastLane.Batch(
                        runAt: lane.nextAt, count: lane.depth,
                        bytes: Double(lane.depth) * Double(ServedQueue.bytes(lane)), unsized: 0)
                ])
        }
        let running = runs.map { run in
            let part = Double((now - run.begins).wholeMicroseconds) / 1e6
            let left = Double(ServedQueue.bytes(run.lane)) - part * Double(TransferNeed.assumedRate)
            return ForecastRun(
                flow: LaneFlow(
                    app: run.lane.app, session: run.lane.session, origin: run.lane.origin),
                schedulingClass: run.lane.schedulingClass, bytesLeft: Int64(max(1, left)),
                rate: nil)
        }
        var forecast = Forecast(
            ForecastInput(
                situation: Situation(now: now, policy: policy, zone: .utc), lanes: lanes,
                runs: running, slots: slots, shares: conductor.shares))
        while forecast.seeds < 1, !forecast.step(1000) {}
        return try #require(forecast.outlook)
    }
}
