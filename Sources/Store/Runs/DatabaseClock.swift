// The database's clock, computed without asking the database.
package import Base
internal import Platform
internal import Synchronization

/// The database's clock, continued by the boot clock and corrected by every heartbeat.
package final class DatabaseClock: Sendable {
    private let offset: Atomic<Int64>
    private let steadiness: Mutex<ClockSteadiness>
    private let boot = MachineReading.bootIdentifier()

    /// Creates a clock from a reading.
    ///
    /// - Parameters:
    ///   - now: the database's clock.
    ///   - steadyFor: how long the clock has to be steady behind a jump.
    ///   - record: what earlier processes saw of the clock.
    package init(
        now: Timestamp, steadyFor: Duration = .seconds(600), record: ClockRecord? = nil
    ) {
        offset = Atomic(DatabaseClock.offset(of: now))
        steadiness = Mutex(
            ClockSteadiness(
                steadyFor: steadyFor, now: now, bootTime: DatabaseClock.bootTime, boot: boot,
                record: record))
    }

    /// Starts anew from a reading of another database's clock.
    package func restart(
        now: Timestamp, steadyFor: Duration = .seconds(600), record: ClockRecord? = nil
    ) {
        offset.store(DatabaseClock.offset(of: now), ordering: .relaxed)
        steadiness.withLock {
            $0 = ClockSteadiness(
                steadyFor: steadyFor, now: now, bootTime: DatabaseClock.bootTime, boot: boot,
                record: record)
        }
    }

    /// Corrects the clock.
    ///
    /// - Returns: whether it has jumped since the last reading.
    @discardableResult
    package func set(now: Timestamp) -> Bool {
        // Judged before it is used.
        let hasJumped = steadiness.withLock { $0.note(now, bootTime: DatabaseClock.bootTime) }
        offset.store(DatabaseClock.offset(of: now), ordering: .relaxed)
        return hasJumped
    }

    /// Corrects the clock, unless it has jumped: that is reported by the next heartbeat.
    package func setUnlessJumped(now: Timestamp) {
        guard !ClockSteadiness.isJump(now - self.now) else { return }
        set(now: now)
    }

    /// The database's time, as this process computes it.
    package var now: Timestamp {
        Timestamp(
            microseconds: offset.load(ordering: .relaxed) + SystemClock.bootNanoseconds() / 1000)
    }

    /// The latest instant by which content and rows may expire for good; nil while the clock is not
    /// steady.
    ///
    /// A statement that compares rows with the database's clock itself gets this as a bound,
    /// because the clock may have jumped since it was read.
    package var steadyNow: Timestamp? {
        let isSteady = steadiness.withLock { $0.isSteady(bootTime: DatabaseClock.bootTime) }
        return isSteady ? now + .seconds(60) : nil
    }

    /// The bound of `steadyNow` for statements: the beginning of time while nothing may expire.
    package var endsUntil: Timestamp { steadyNow ?? .epoch }

    /// The record for later processes.
    package var record: ClockRecord { steadiness.withLock { $0.record(boot: boot) } }

    private static var bootTime: Duration { .nanoseconds(SystemClock.bootNanoseconds()) }

    private static func offset(of now: Timestamp) -> Int64 {
        now.microseconds - SystemClock.bootNanoseconds() / 1000
    }
}
