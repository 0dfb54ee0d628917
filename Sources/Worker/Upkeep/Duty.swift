// What a replica does beside its runs: one small type for each duty.
internal import Core
internal import Platform
internal import Store
internal import Synchronization

/// When a duty is done again.
enum Rest: Sendable {
    /// After a time, whatever happens; earlier only when it is called.
    case after(Duration)
    /// At an instant of the database's clock, when it is called, or after the healing interval.
    case until(Timestamp)
    /// When it is called, or after the healing interval.
    case untilCalled
}

/// One duty.
///
/// `turn` runs on the worker's actor; what it stores in itself is its own.
protocol Duty: Sendable {
    /// What the log calls it.
    var name: String { get }
    /// The least time between two turns, however often it is called.
    var spacing: Duration { get }
    /// Whether it ends what nobody can bring back by the database's clock: it rests while that
    /// clock is not steady.
    var endsByTheClock: Bool { get }
    /// Does what is due.
    ///
    /// - Returns: when it is to be done again.
    /// - Throws: what the store answered; the turn is repeated after a second.
    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest
}

extension Duty {
    var spacing: Duration { .zero }
    var endsByTheClock: Bool { false }
}

/// Where one duty sleeps.
final class DutyBell: Sendable {
    private let alarm = Alarm()
    private let stopped = Alarm()
    /// When it wakes by itself, in microseconds of the database's clock.
    private let wakesAt = Atomic(Int64.max)

    /// Ends the sleep, or the next one at once.
    func ring() { alarm.ring() }

    /// Ends the sleep if it would last beyond an instant.
    func ring(ifAsleepAt instant: Timestamp) {
        guard instant.microseconds < wakesAt.load(ordering: .acquiring) else { return }
        alarm.ring()
    }

    /// Ends the sleep and the pause, finally.
    func stop() {
        alarm.ring()
        stopped.ring()
    }

    /// Waits, called or not, unless the worker stops.
    func pause(_ duration: Duration) async { await stopped.wait(upTo: duration) }

    /// Sleeps for a time that ends at an instant, as the database's clock has it.
    func sleep(_ duration: Duration, until instant: Timestamp) async {
        wakesAt.store(instant.microseconds, ordering: .releasing)
        await alarm.wait(upTo: duration)
        wakesAt.store(.max, ordering: .releasing)
    }
}

/// The bells of all duties, by their types.
struct DutyBells: Sendable {
    private let bells: [ObjectIdentifier: DutyBell]

    init(_ duties: [any Duty]) {
        bells = Dictionary(
            duties.map { (ObjectIdentifier(type(of: $0)), DutyBell()) },
            uniquingKeysWith: { _, _ in preconditionFailure("a duty is listed once") })
    }

    subscript(_ duty: any Duty.Type) -> DutyBell {
        guard let bell = bells[ObjectIdentifier(duty)] else {
            preconditionFailure("every duty is listed")
        }
        return bell
    }

    /// Ends every sleep and pause, finally.
    func stop() { for bell in bells.values { bell.stop() } }
}
