/// The head of a lane: what waits first among downloads that have the same chance to run.
package struct LaneHead: Equatable, Sendable {
    /// The lane's key.
    package var lane: Int64
    /// When its first download may begin.
    package var runAt: Timestamp
    /// The session's key and identifier.
    package var sessionKey: Int64
    /// The session's identifier.
    package var session: String
    /// The origin's key.
    package var originKey: Int64
    /// What is served first.
    package var schedulingClass: SchedulingClass
    /// The priority's step, 0 the most urgent.
    package var rank: Int
    /// How the origin is used.
    package var origin: GateReading
    /// How the session is used.
    package var sessionGate: GateReading
    /// The origin, `scheme://host:port`; needed only where the policy may stop origins.
    package var originName: String?

    /// Names all of it but the origin's name.
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

    /// Priority with ageing and no writes: a download is overtaken only by what comes within its
    /// offset, so no wait is without end.
    package var order: Timestamp { runAt + LaneHead.offsets[min(rank, 3)] }

    private static let offsets: [Duration] = [.zero, .seconds(60), .seconds(300), .seconds(1800)]

    /// The step of a priority from 0.0 to 1.0.
    package static func rank(priority: Double) -> Int16 { Int16(min(3, (1 - priority) * 4)) }
}
