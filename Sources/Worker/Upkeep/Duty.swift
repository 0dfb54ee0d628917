// The duties of a replica beside its runs: one small type for each.
internal import Base
internal import Platform
internal import Store
internal import Synchronization

/// The time at which a duty has its next turn.
enum NextTurn: Sendable {
    /// After a time, whether called or not; earlier calls end it.
    case after(Duration)
    /// At an instant of the database's clock, when called, or after the healing interval.
    case until(Timestamp)
    /// When called, or after the healing interval.
    case untilCalled
}

/// A duty of a replica.
///
/// `turn` runs on the worker's actor; the state that it stores in itself is its own.
protocol Duty: Sendable {
    /// Its name in the log.
    var name: String { get }
    /// The shortest time between two turns, however often it is called.
    var spacing: Duration { get }
    /// Whether it ends things for good by the database's clock: then it rests while that clock is
    /// not steady.
    var endsByTheClock: Bool { get }
    /// Does the work that is due.
    ///
    /// - Returns: when it is to be done again.
    /// - Throws: what the store answered; the turn is repeated after a second.
    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn
}

extension Duty {
    var spacing: Duration { .zero }
    var endsByTheClock: Bool { false }
}

/// A duty that has the stores it uses as members, and needs no state of the worker.
protocol IndependentDuty: Duty {
    /// Does the work that is due; its answer and errors are those of `Duty.turn`.
    mutating func turn(_ context: DutyContext) async throws(StoreError) -> NextTurn
}

extension IndependentDuty {
    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        try await turn(
            DutyContext(clock: worker.clock, log: worker.log, bell: worker.bells[Self.self]))
    }
}

/// The parts of a replica that every duty may use.
struct DutyContext: Sendable {
    /// The database's clock.
    let clock: DatabaseClock
    /// The log.
    let log: Log
    private let bell: DutyBell

    init(clock: DatabaseClock, log: Log, bell: DutyBell) {
        (self.clock, self.log, self.bell) = (clock, log, bell)
    }

    /// Whether the worker has not stopped.
    var isWorking: Bool { !bell.isStopped }

    /// Pauses, unless the worker stops.
    func pause(_ duration: Duration) async { await bell.pause(duration) }
}

/// The alarm clock of one duty.
final class DutyBell: Sendable {
    private let alarm = Alarm()
    private let stopped = Alarm()
    private let isOver = Atomic(false)
    /// The time at which the sleep ends without a call, in microseconds of the database's clock.
    private let wakesAt = Atomic(Int64.max)

    /// Whether the worker has stopped.
    var isStopped: Bool { isOver.load(ordering: .acquiring) }

    /// Ends the current sleep or, without one, the next.
    func ring() { alarm.ring() }

    /// Ends the sleep if it would last beyond an instant.
    func ring(ifAsleepAt instant: Timestamp) {
        guard instant.microseconds < wakesAt.load(ordering: .acquiring) else { return }
        alarm.ring()
    }

    /// Ends sleep and pause for good.
    func stop() {
        isOver.store(true, ordering: .releasing)
        alarm.ring()
        stopped.ring()
    }

    /// Pauses, called or not, unless the worker stops.
    func pause(_ duration: Duration) async { await stopped.wait(upTo: duration) }

    /// Sleeps for a time; `instant` is its end by the database's clock.
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

    /// Ends every sleep and pause for good.
    func stop() { for bell in bells.values { bell.stop() } }
}
