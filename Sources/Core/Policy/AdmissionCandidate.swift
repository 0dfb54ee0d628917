/// What admission looks at in a waiting download, or in the head of a lane.
package struct AdmissionCandidate: Equatable, Sendable {
    /// Whether it waits for the policy's moment.
    package var isDiscretionary: Bool
    /// Its session's identifier.
    package var session: String
    /// When it was accepted.
    package var createdAt: Timestamp
    /// Since when it waits.
    package var waitingSince: Timestamp
    /// Not before this instant.
    package var runAt: Timestamp
    /// When the limiter lets it begin, if it was created in the background.
    package var wakeUntil: Timestamp?
    /// The transfer that it waits for, where it shares one.
    package var joined: JoinedFlight?
    /// What its begin hook was asked and has not answered; it waits for nothing else meanwhile.
    package var question: OpenQuestion?
    /// How many attempts it has had.
    package var attempt: Int
    /// How its origin is used.
    package var origin: GateReading
    /// How its session is used.
    package var sessionGate: GateReading
    /// The connections of its session to its origin; nil where the session does not limit them.
    package var connections: GateReading?
    /// Bytes that it still expects; 0 if unknown.
    package var need: Int64
    /// Bytes that it expects to send.
    package var sends: Int64 = 0
    /// Why its last attempt failed; nil where it had none or it did not.
    package var lastFailure: FailureCode?
    /// Its origin's number; nil where it is not known.
    package var originKey: Int64?
    /// Its session's number; nil where it is not known.
    package var sessionKey: Int64?
    /// Bytes that are here already.
    package var received: Int64 = 0
    /// Whether the origin has said how many bytes there are.
    package var isAnnounced = false
    /// Bytes a second that its run has had so far; nil for what waits, and at its begin.
    package var speed: Double?
    /// Whether bytes of it are here that the next attempt goes on with.
    package var isResumable = false
    /// Its origin, `scheme://host:port`, where it is known.
    package var originName: String?
    /// Its app's name; empty where it is not known, which rules about apps may then match.
    package var app = ""
    /// Its app's number, where it is known.
    package var appKey: Int64?
    /// How its app is used.
    package var appGate = GateReading()
    /// What is served first.
    package var schedulingClass = SchedulingClass.normal
    /// The priority's step, 0 the most urgent.
    package var rank = 2
    /// The networks that it may use, as bits; see `LaneKey`.
    package var network = LaneKey.anyNetwork
    /// Its priority, from 0.0 to 1.0; nil for a whole lane.
    package var priority: Double?
    /// How many downloads run in all replicas, where it is known.
    package var running: Int?
    /// The lane in which it waits; nil where that is not known.
    package var lane: Int64?
    /// How many of its lane are before it, counted to one above `beforeAtMost`; nil if unknown.
    package var before: Int?

    /// The number to which the downloads before it are counted.
    package static let beforeAtMost = 100

    /// What its lane does not tell; nil where it is not known, which rules may then match.
    package var members: CandidateMembers?
    /// What its lane tells of them instead.
    package var facet = Facet.none
    /// By when it is wanted, as its lane has it: in buckets, never later than asked.
    package var deadline = CandidateDeadline()
    /// By when it is wanted, as the client has it; of a lane nothing.
    package var asked = CandidateDeadline()
    /// The most bytes that a download of its lane still expects, where the lane has a deadline.
    package var laneNeed: Int64 = 0
    /// When it is guarded at the latest because others need the same bottleneck.
    package var guardAt: Timestamp?
    /// Whether what is due with it at the same bottleneck does not fit before its deadline.
    package var isOverloaded = false

    /// Names what every candidate has.
    package init(
        isDiscretionary: Bool, session: String, createdAt: Timestamp, waitingSince: Timestamp,
        runAt: Timestamp, attempt: Int, origin: GateReading, sessionGate: GateReading,
        need: Int64 = 0, lastFailure: FailureCode? = nil
    ) {
        self.isDiscretionary = isDiscretionary
        self.session = session
        self.createdAt = createdAt
        self.waitingSince = waitingSince
        self.runAt = runAt
        self.attempt = attempt
        self.origin = origin
        self.sessionGate = sessionGate
        self.need = need
        self.lastFailure = lastFailure
    }

    /// An instant by the clock of this process, which may be some milliseconds behind that of the
    /// database: what that has written is past.
    package func present(at now: Timestamp) -> Timestamp { max(now, createdAt, waitingSince) }
}
