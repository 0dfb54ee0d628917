package import Base
package import Downloads

/// The head of a lane, as a look read it: the values that its downloads share, and when the first
/// is due.
package struct LaneHead: Equatable, Sendable {
    /// The lane's number.
    package var lane: Int64
    /// The time at which its first download may begin, or an instant before.
    package var runAt: Timestamp
    /// The app's number.
    package var app: Int64 = 1
    /// The app's name.
    package var appName = ""
    /// The session's number.
    package var sessionKey: Int64
    /// The session's identifier.
    package var session: String
    /// The origin's number.
    package var originKey: Int64
    /// The origin, `scheme://host:port`.
    package var originName: String?
    /// Its scheduling class.
    package var schedulingClass: SchedulingClass
    /// The priority as a step, 0 for the most urgent one.
    package var rank: Int
    /// The networks that its downloads may use, how they wait for them, and their hooks.
    package var laneFlags = LaneFlags.anyNetwork
    /// The facts that its downloads share for rules over single downloads.
    package var facet = Facet.none
    /// The bucket of the `complete_by` of its downloads; nil for none.
    package var dueBucket: Timestamp?
    /// The bucket of their `begin_deadline`; nil for none.
    package var beginBucket: Timestamp?
    /// The most missing bytes of one of them; only kept with a `complete_by`.
    package var largestNeed: Int64 = 0
    /// The latest begin of guarding that a shared bottleneck demands; nil for none.
    package var guardAt: Timestamp?
    /// Whether none of its downloads fits before the deadline: it is served as normal work then.
    package var isOverloaded = false
    /// The use of the origin.
    package var origin: GateReading
    /// The use of the session.
    package var sessionGate: GateReading
    /// The use of the app.
    package var appGate = GateReading()
    /// The connections of the session to the origin; nil where the session does not limit them.
    package var connections: GateReading?

    /// Creates a head with the values that every lane has.
    package init(
        lane: Int64, runAt: Timestamp, sessionKey: Int64, session: String, originKey: Int64,
        schedulingClass: SchedulingClass, rank: Int, origin: GateReading, sessionGate: GateReading
    ) {
        self.lane = lane
        self.runAt = runAt
        self.sessionKey = sessionKey
        self.session = session
        self.originKey = originKey
        self.schedulingClass = schedulingClass
        self.rank = rank
        self.origin = origin
        self.sessionGate = sessionGate
    }

    /// The weight of its app by the policy, above 0; below, that of its session.
    private(set) var appWeight = 1.0
    private(set) var sessionWeight = 1.0

    /// Whether the begin hooks of its downloads are asked instead of a begin.
    package var isHooked: Bool { laneFlags.contains(oneOf: .hooked) }

    /// The flow whose shares its downloads take.
    package var flow: LaneFlow {
        var flow = LaneFlow(app: app, session: sessionKey, origin: originKey)
        (flow.weight, flow.sessionWeight) = (appWeight, sessionWeight)
        return flow
    }

    /// Takes the weights of a policy.
    mutating func weigh(by shares: PolicyShares) {
        appWeight = shares.apps.value(of: appName) ?? 1
        sessionWeight = shares.sessions.value(of: session) ?? 1
    }

    /// The connections of its session to its origin.
    var connectionsKey: GateKey { .connections(session: sessionKey, origin: originKey) }

    /// The due time by which lanes of an origin are ordered: the deadline or, without one, two days
    /// after the lane became due, so that deadlines do not starve other lanes.
    package var due: Timestamp {
        guard let begin = beginBucket else { return dueBucket ?? runAt + LaneHead.undated }
        return min(begin, dueBucket ?? begin)
    }

    /// The time for which a lane without a deadline waits before it comes before all later ones.
    package static let undated = SoftCurve.life(rank: 3)

    /// The rank after ageing: a lane can be overtaken only by lanes that become due within its
    /// offset, so no wait is endless, and the store is not written.
    package func agedRank(at now: Timestamp) -> Int {
        LaneHead.agedRank(rank, waited: now - runAt)
    }

    /// The time at which it reaches its next rank after an instant; nil if it has the first rank.
    func nextStep(after now: Timestamp) -> Timestamp? {
        let own = min(rank, 3)
        return (0..<own).map { runAt + (LaneHead.offsets[own] - LaneHead.offsets[$0]) }
            .filter { $0 > now }.min()
    }

    /// The rank after a wait, which is negative before the lane is due.
    package static func agedRank(_ rank: Int, waited: Duration) -> Int {
        let own = min(rank, 3)
        return (0...own).first { offsets[own] - offsets[$0] <= waited } ?? own
    }

    /// The wait after which a rank has become the first.
    package static func agedFully(_ rank: Int) -> Duration { offsets[min(rank, 3)] - offsets[0] }

    private static let offsets: [Duration] = [.zero, .seconds(60), .seconds(300), .seconds(1800)]

    /// The rank of a priority from 0.0 to 1.0.
    package static func rank(priority: Double) -> Int16 { Int16(min(3, (1 - priority) * 4)) }
}
