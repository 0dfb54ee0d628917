// Decides whether content and rows may expire by the database's clock.

/// Compares the database's clock with a boot clock, which does not jump.
///
/// A clock that moved by more than an hour against the boot clock has jumped: nothing expires by it
/// until it was steady for some time.
package struct ClockSteadiness: Sendable, Equatable {
    /// The most that the clock may move against the boot clock within `steadyFor`.
    package static let tolerance = Duration.seconds(3600)

    /// The time for which the clock has to be steady after a jump.
    package let steadyFor: Duration
    private var seenAt: Timestamp
    private var bootTime: Duration
    /// The reading that later ones are compared with; not much older than `steadyFor`.
    private var reference: (clock: Timestamp, boot: Duration)
    /// The last jump, in time of the boot clock.
    private var jump: Duration?

    /// Takes the first reading of the process.
    ///
    /// - Parameters:
    ///   - steadyFor: how long it has to be steady behind a jump.
    ///   - now: the database's clock.
    ///   - bootTime: the boot clock at the same time.
    ///   - boot: names the start of this machine.
    ///   - record: what was known before; nil in a new database.
    package init(
        steadyFor: Duration, now: Timestamp, bootTime: Duration, boot: String = "",
        record: ClockRecord? = nil
    ) {
        self.steadyFor = steadyFor
        seenAt = now
        self.bootTime = bootTime
        reference = (now, bootTime)
        guard let record else { return }
        let passed = now - record.seenAt
        // After a reboot or on another machine the passed time is unknown.
        let expected = record.boot == boot ? bootTime - record.bootTime : .zero
        if ClockSteadiness.isJump(passed - expected) {
            jump = bootTime
        } else if let jumpedAt = record.jumpedAt {
            let since = now - jumpedAt
            if since < steadyFor { jump = bootTime - max(.zero, since) }
        }
    }

    /// Whether a difference to the boot clock is a jump.
    package static func isJump(_ difference: Duration) -> Bool {
        difference > tolerance || difference < .zero - tolerance
    }

    /// Notes a reading.
    ///
    /// - Parameters:
    ///   - now: the database's clock.
    ///   - bootTime: the boot clock at the same time.
    /// - Returns: whether the clock has jumped since the reading before.
    @discardableResult
    package mutating func note(_ now: Timestamp, bootTime: Duration) -> Bool {
        seenAt = now
        self.bootTime = bootTime
        let moved = (now - reference.clock) - (bootTime - reference.boot)
        if ClockSteadiness.isJump(moved) {
            jump = bootTime
            reference = (now, bootTime)
            return true
        }
        if bootTime - reference.boot >= steadyFor { reference = (now, bootTime) }
        return false
    }

    /// Whether content and rows may expire by the clock at this time.
    package func isSteady(bootTime: Duration) -> Bool {
        jump.map { bootTime - $0 >= steadyFor } ?? true
    }

    /// The record for processes that begin later.
    ///
    /// - Parameter boot: names the start of this machine.
    /// - Returns: the last reading, and the last jump.
    package func record(boot: String) -> ClockRecord {
        ClockRecord(
            seenAt: seenAt, boot: boot, bootTime: bootTime,
            jumpedAt: jump.map { seenAt - (bootTime - $0) })
    }

    /// Whether both have seen equal readings of the clock.
    package static func == (one: ClockSteadiness, other: ClockSteadiness) -> Bool {
        one.steadyFor == other.steadyFor && one.seenAt == other.seenAt
            && one.bootTime == other.bootTime && one.reference == other.reference
            && one.jump == other.jump
    }
}
