package import Base
package import Downloads

/// The facts about a waiting download, or about the first one of a lane, on which its admission
/// depends.
package struct AdmissionCandidate: Equatable, Sendable {
    /// Whether it is discretionary: begun at a time that the policy prefers.
    package var isDiscretionary: Bool
    /// Its session's identifier.
    package var session: String
    /// The time at which it was accepted.
    package var createdAt: Timestamp
    /// The time at which it began to wait.
    package var waitingSince: Timestamp
    /// The earliest begin: no attempt begins before this instant.
    package var runAt: Timestamp
    /// The time at which the delay of a download created in the background ends.
    package var wakeUntil: Timestamp?
    /// The shared transfer that it has joined and waits for.
    package var joined: JoinedFlight?
    /// The open question to its begin hook; it waits for nothing else meanwhile.
    package var question: OpenQuestion?
    /// The number of attempts so far.
    package var attempt: Int
    /// The use of its origin.
    package var origin: GateReading
    /// The use of its session.
    package var sessionGate: GateReading
    /// The connections from its session to its origin; nil where the session does not limit them.
    package var connections: GateReading?
    /// Missing bytes; 0 if unknown.
    package var need: Int64
    /// Bytes of its request that are expected to be sent.
    package var sends: Int64 = 0
    /// The failure of its last attempt; nil if there was no attempt or it did not fail.
    package var lastFailure: FailureCode?
    /// Its origin's number; nil if unknown.
    package var originKey: Int64?
    /// Its session's number; nil if unknown.
    package var sessionKey: Int64?
    /// Bytes that were received.
    package var received: Int64 = 0
    /// Whether the origin has announced the length.
    package var isAnnounced = false
    /// Its speed so far in bytes a second; nil while it waits, and at its begin.
    package var speed: Double?
    /// Whether there are bytes that the next attempt can continue.
    package var isResumable = false
    /// Its origin, `scheme://host:port`, where it is known.
    package var originName: String?
    /// Its app's name; empty if unknown, and rules about apps may then match.
    package var app = ""
    /// Its app's number, where it is known.
    package var appKey: Int64?
    /// The use of its app.
    package var appGate = GateReading()
    /// Its scheduling class.
    package var schedulingClass = SchedulingClass.normal
    /// The priority as a step, 0 for the most urgent one.
    package var rank = 2
    /// The flags of its lane: networks that it may use, how it waits for them, and its hook.
    package var laneFlags = LaneFlags.anyNetwork
    /// Whether its file waits to be sent by a replica that does not run.
    package var isHolderAway = false
    /// Its priority, from 0.0 to 1.0; nil for a whole lane.
    package var priority: Double?
    /// The number of downloads that run in all replicas, if known.
    package var running: Int?
    /// The lane in which it waits; nil if unknown.
    package var lane: Int64?
    /// The number of downloads of its lane before it, counted up to one above `beforeAtMost`; nil
    /// if unknown.
    package var before: Int?

    /// The bound of counting the downloads before it.
    package static let beforeAtMost = 100

    /// Members that its lane does not know; nil if unknown, and rules about them may then match.
    package var members: CandidateMembers?
    /// The lane's facet, which stands for the members that rules ask for.
    package var facet = Facet.none
    /// Its deadlines as its lane has them: in buckets, never later than asked for.
    package var deadline = CandidateDeadline()
    /// Its deadlines as the client asked for them; none for a lane.
    package var asked = CandidateDeadline()
    /// The most missing bytes of a download of its lane, if the lane has a deadline.
    package var laneNeed: Int64 = 0
    /// The latest begin of guarding that a shared bottleneck demands.
    package var guardAt: Timestamp?
    /// Whether the work that is due with it at a shared bottleneck does not fit before its
    /// deadline.
    package var isOverloaded = false

    /// Creates a candidate with the values that every one has.
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

    /// The later one of an instant of this process and the instants that the database has written,
    /// whose clock may be some milliseconds ahead.
    package func present(at now: Timestamp) -> Timestamp { max(now, createdAt, waitingSince) }
}
