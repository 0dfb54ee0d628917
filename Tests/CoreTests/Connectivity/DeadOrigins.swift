// A replica before many origins that are not reached and one that is: which downloads are claimed.
import Base
import Downloads
import Scheduling

/// Answers a conductor as a store would whose origins are all to be tried again.
struct DeadOrigins {
    private static let alive: Int64 = 100_000
    private var conductor: Conductor
    private var now = Timestamp(seconds: 1_800_000_000)
    private var outages: [Int64: Outage] = [:]
    private var pending: [ConductorAction] = []
    private var running: [ClaimedRun] = []
    private var number: UInt64 = 0
    /// The origins in the order in which they were tried.
    private(set) var tried: [Int64] = []
    /// The most downloads that tried at one time.
    private(set) var most = 0
    /// The number of claimed downloads of the origin that is reached.
    private(set) var alive = 0

    init(count: Int64, slots: Int) {
        conductor = ConductorTests.conductor(slots: slots)
        for origin in 1...count {
            outages[origin] = Outage(since: now - .seconds(2000), probeAt: now - .seconds(origin))
        }
        send(.ticked)
    }

    /// Runs a number of steps, each a statement's answer or the end of a download.
    mutating func run(steps: Int) {
        for _ in 0..<steps {
            now = now + .milliseconds(10)
            guard let action = pending.first else {
                endOne()
                continue
            }
            pending.removeFirst()
            switch action {
            case .look: send(.lanesLoaded(heads: heads()))
            case .claim(let order): claim(order)
            case .start, .stop, .wake: break
            }
        }
    }

    private mutating func send(_ event: ConductorEvent) {
        pending += conductor.handle(event, at: now)
    }

    private func heads() -> [LaneHead] {
        var heads = outages.sorted { $0.key < $1.key }.map { origin, outage in
            var head = ConductorTests.head(origin, at: now - .seconds(1))
            head.origin.outage = outage
            return head
        }
        heads.append(ConductorTests.head(DeadOrigins.alive, at: now - .seconds(1)))
        return heads
    }

    private mutating func claim(_ order: ClaimOrder) {
        var claims: [ClaimedRun] = []
        for quota in order.quotas {
            let origin = quota.head.originKey
            for _ in 0..<quota.count where claims.count < order.total {
                let isProbe = outages[origin].map { $0.probeAt <= now } ?? false
                guard isProbe || outages[origin] == nil,
                    !isProbe || claims.count(where: \.isProbe) < order.probes
                else { continue }
                number += 1
                var run = ConductorTests.run(number)
                run.lane = quota.head.lane
                run.isProbe = isProbe
                run.flow = LaneFlow(app: 1, session: 1, origin: origin)
                claims.append(run)
                guard isProbe else {
                    alive += 1
                    continue
                }
                tried.append(origin)
                outages[origin]?.probeAt = now + .seconds(300)
            }
        }
        running += claims
        most = max(most, running.count(where: \.isProbe))
        let due = Dictionary(order.quotas.map { ($0.head.lane, now) }, uniquingKeysWith: { $1 })
        send(.claimed(claims, due: due))
    }

    /// A download ends; one that tried did not reach its origin, and the network works.
    private mutating func endOne() {
        guard !running.isEmpty else { return send(.ticked) }
        let run = running.removeFirst()
        if run.isProbe {
            send(.told(.missed(hasRoute: true), origin: run.flow.origin))
            send(.told(.reached, origin: DeadOrigins.alive))
        }
        send(.ended(run.id, fence: run.fence))
    }
}
