/// A lane that is due, as a look found it.
package struct LaneHead: Equatable, Sendable {
    /// The lane's number.
    package var lane: Int64
    /// When its first download may begin, or an instant before.
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
    /// What is served first.
    package var schedulingClass: SchedulingClass
    /// The priority's step, 0 the most urgent.
    package var rank: Int
    /// The networks that its downloads may use, as bits; see `LaneKey`.
    package var network = LaneKey.anyNetwork
    /// What its downloads share for rules over single downloads.
    package var facet = Facet.none
    /// The bucket of the `complete_by` of its downloads; nil for none.
    package var dueBucket: Timestamp?
    /// The bucket of their `begin_deadline`; nil for none.
    package var beginBucket: Timestamp?
    /// The most bytes that one of them still expects; kept only with a `complete_by`.
    package var largestNeed: Int64 = 0
    /// When it is guarded at the latest because others need the same bottleneck; nil for no sooner
    /// than by itself.
    package var guardAt: Timestamp?
    /// Whether nothing of it fits before its deadline: it is served as normal work then.
    package var isOverloaded = false
    /// How the origin is used.
    package var origin: GateReading
    /// How the session is used.
    package var sessionGate: GateReading
    /// How the app is used.
    package var appGate = GateReading()
    /// The connections of the session to the origin; nil where the session does not limit them.
    package var connections: GateReading?

    /// Names what every lane has.
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

    /// The parts of its app and its session by the policy, above 0.
    private(set) var appWeight = 1.0
    private(set) var sessionWeight = 1.0

    /// Whether the begin hooks of its downloads are asked in place of a claim.
    package var isHooked: Bool { network & LaneKey.hooked != 0 }

    /// Whose share its downloads take.
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

    /// By when it should begin or be complete, for the order inside an origin: its deadline, else
    /// two days after it was due, so that deadlines starve nothing.
    package var due: Timestamp {
        guard let begin = beginBucket else { return dueBucket ?? runAt + LaneHead.undated }
        return min(begin, dueBucket ?? begin)
    }

    /// After so long a lane without a deadline comes before all that come later.
    package static let undated = SoftCurve.life(rank: 3)

    /// The step that it has reached: it is overtaken only by what comes within its offset, so that
    /// no wait is without end, and nothing is written.
    package func agedRank(at now: Timestamp) -> Int {
        LaneHead.agedRank(rank, waited: now - runAt)
    }

    /// When it reaches the next step after an instant; nil where it has reached the first.
    func nextStep(after now: Timestamp) -> Timestamp? {
        let own = min(rank, 3)
        return (0..<own).map { runAt + (LaneHead.offsets[own] - LaneHead.offsets[$0]) }
            .filter { $0 > now }.min()
    }

    /// The step that a rank has reached after a wait, which is below zero before it is due.
    package static func agedRank(_ rank: Int, waited: Duration) -> Int {
        let own = min(rank, 3)
        return (0...own).first { offsets[own] - offsets[$0] <= waited } ?? own
    }

    /// After so long a rank has reached the first step.
    package static func agedFully(_ rank: Int) -> Duration { offsets[min(rank, 3)] - offsets[0] }

    private static let offsets: [Duration] = [.zero, .seconds(60), .seconds(300), .seconds(1800)]

    /// The step of a priority from 0.0 to 1.0.
    package static func rank(priority: Double) -> Int16 { Int16(min(3, (1 - priority) * 4)) }
}
