// Noticing a disk that fails again and again.
internal import Platform
internal import Synchronization

/// Counts failed syncs in a row; shared by the file lanes and the readiness check.
final class DiskHealth: Sendable {
    /// The number of failures in a row that cannot be explained by one file.
    static let failuresAtMost = 3

    private struct State {
        var failures = 0
        var last: ContentError?
    }

    private let state = Mutex(State())

    /// The error of the failing disk; nil while it works.
    var trouble: String? {
        state.withLock { state in
            guard state.failures >= DiskHealth.failuresAtMost else { return nil }
            return state.last.map { "\($0)" }
        }
    }

    /// Runs a disk operation and counts a failure that is not the fault of one file.
    func watch(_ body: () throws(ContentError) -> Void) throws(ContentError) {
        do throws(ContentError) {
            try body()
        } catch {
            if error.code == .ioError, error.errno != nil, error.errno != .fileTooLarge {
                state.withLock { state in
                    state.failures += 1
                    state.last = error
                }
            }
            throw error
        }
    }

    /// Resets the count, because bytes have reached the disk.
    func recover() {
        state.withLock { $0 = State() }
    }
}
