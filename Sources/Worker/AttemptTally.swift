// Counts of ended attempts since the start of the process, for metrics.
package import Downloads
internal import Synchronization

/// Counts attempts by their outcome.
package final class AttemptTally: Sendable {
    private let counts = Mutex<[RunOutcome: Int64]>([:])
    private let failures = Mutex<[FailureCode: Int64]>([:])
    private let switches = Mutex<[String: Int64]>([:])

    private let sends = Mutex<[RunOutcome: Int64]>([:])
    private let placings = Mutex<[String: Int64]>([:])
    private let probes = Mutex<[String: Int64]>([:])

    private let shared = Atomic<Int64>(0)

    init() {}

    func countPlaced(_ outcome: String) {
        placings.withLock { $0[outcome, default: 0] += 1 }
    }

    func countSend(_ outcome: RunOutcome) {
        sends.withLock { $0[outcome, default: 0] += 1 }
    }

    /// The number of tries to send a file to its receiver that had this outcome.
    package func sent(_ outcome: RunOutcome) -> Int64 { sends.withLock { $0[outcome] ?? 0 } }

    func countProbe(_ outcome: String) {
        probes.withLock { $0[outcome, default: 0] += 1 }
    }

    /// The number of probes of unreachable origins, by result.
    package var probesByOutcome: [(outcome: String, count: Int64)] {
        probes.withLock { counts in ["missed", "reached"].map { ($0, counts[$0] ?? 0) } }
    }

    /// The number of files to be placed into folders, by result.
    package var placedByOutcome: [(outcome: String, count: Int64)] {
        placings.withLock { $0.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
    }

    func countShared(_ count: Int) { shared.add(Int64(count), ordering: .relaxed) }

    /// The number of downloads that received the content of another one here.
    package var sharedCount: Int64 { shared.load(ordering: .relaxed) }

    func count(_ outcome: RunOutcome) {
        counts.withLock { $0[outcome, default: 0] += 1 }
    }

    func countFailure(_ code: FailureCode) {
        failures.withLock { $0[code, default: 0] += 1 }
    }

    /// The number of attempts that failed with a code and were recorded here.
    package func failed(_ code: FailureCode) -> Int64 { failures.withLock { $0[code] ?? 0 } }

    func countSwitch(_ code: String) {
        switches.withLock { $0[code, default: 0] += 1 }
    }

    /// The number of switches to another mirror, by the code of the failure.
    package var switchesByCode: [(code: String, count: Int64)] {
        switches.withLock { $0.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
    }

    /// The number of attempts with this outcome that were recorded here.
    package func ended(_ outcome: RunOutcome) -> Int64 {
        counts.withLock { $0[outcome] ?? 0 }
    }
}
