import Base
import Downloads
import Scheduling

/// A replica: the real conductor, with the state of its shell.
struct SimulatedReplica {
    struct Run {
        let fence: Int64
        /// The time at which its claim was sent.
        var claimedAt: Timestamp
        /// Whether it belongs to this replica no more, and writes nothing.
        var isGivenUp = false
        /// Whether it has ended here, and its report is on the way.
        var isEnding = false
        var order: RunOrder?
        /// Whether it probes its unreachable origin.
        var isProbe = false
        /// Whether nothing is known of its origin yet.
        var isAwaited = true
        /// Whether its origin has answered.
        var isReached = false
    }

    let place: Int
    var conductor: Conductor
    /// The number under which it is registered.
    var number: Int64?
    /// Whether a registration is on its way; like the shell, a replica sends no heartbeat
    /// meanwhile.
    var isRegistering = false
    var runs: [Identifier: Run] = [:]
    /// Whether a claim got no answer.
    var isClaimUncertain = false
    /// The time at which the last answered heartbeat was sent.
    var renewedAt: Timestamp
    /// Whether the lease was over by the clock.
    var isOver = false
    var pausedUntil: Timestamp?
    /// The events that came while it was paused.
    var held: [Happening] = []
    /// The time of the last reading of its volume.
    var diskReadAt: Timestamp?
    /// The time at which the last claim was sent.
    var claimedAt = Timestamp.epoch
    /// Whether it had room then.
    var hasRoom = false
    /// The time by which its clock is ahead of the store's.
    var skew = Duration.zero
    /// Increases with every crash: messages of an older incarnation are void.
    var incarnation = 0
    var isUp = true
    var nextWake = Timestamp.epoch
}
