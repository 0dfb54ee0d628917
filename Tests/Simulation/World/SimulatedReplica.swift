import Core

/// A replica: the real conductor, and what its shell keeps.
struct SimulatedReplica {
    struct Run {
        let fence: Int64
        /// When the claim that brought it was sent.
        var claimedAt: Timestamp
        /// It is not this replica's any more, and writes nothing.
        var isGivenUp = false
        /// It has ended here, and its report is on its way.
        var isEnding = false
        var order: RunOrder?
        /// It was let through to try whether its origin is reached.
        var isProbe = false
        /// Nothing is known of its origin yet.
        var isAwaited = true
        /// Its origin has answered.
        var isReached = false
    }

    let place: Int
    var conductor: Conductor
    /// The number under which it is registered.
    var number: Int64?
    /// A registration is on its way; like the shell, a replica sends no heartbeat meanwhile.
    var isRegistering = false
    var runs: [Identifier: Run] = [:]
    /// A claim got no answer.
    var isClaimUncertain = false
    /// When the last heartbeat that was answered was sent.
    var renewedAt: Timestamp
    /// The lease was over by the clock.
    var isOver = false
    var pausedUntil: Timestamp?
    /// What came while it was paused.
    var held: [Happening] = []
    /// When its volume was read last.
    var diskReadAt: Timestamp?
    /// When the last claim was sent.
    var claimedAt = Timestamp.epoch
    /// Whether it had room then.
    var hasRoom = false
    /// What its clock says beyond the store's.
    var skew = Duration.zero
    /// Rises with every crash: what older ones sent and awaited is void.
    var incarnation = 0
    var isUp = true
    var nextWake = Timestamp.epoch
}
