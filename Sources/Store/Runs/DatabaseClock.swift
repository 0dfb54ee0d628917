// The database's clock, read without asking it.
package import Core
internal import Platform
internal import Synchronization

/// The database's clock carried on by the boot clock, set right by every heartbeat.
package final class DatabaseClock: Sendable {
    private let offset: Atomic<Int64>

    /// Starts from a reading.
    package init(now: Timestamp) { offset = Atomic(DatabaseClock.offset(of: now)) }

    /// Sets the clock right.
    package func set(now: Timestamp) {
        offset.store(DatabaseClock.offset(of: now), ordering: .relaxed)
    }

    /// The database's time, as far as this process knows.
    package var now: Timestamp {
        Timestamp(
            microseconds: offset.load(ordering: .relaxed) + SystemClock.bootNanoseconds() / 1000)
    }

    private static func offset(of now: Timestamp) -> Int64 {
        now.microseconds - SystemClock.bootNanoseconds() / 1000
    }
}
