// Ctrl-C, as a value that is asked for.
internal import Glibc
internal import Synchronization

/// Whether SIGINT or SIGTERM came; see signal(7).
enum Interrupt {
    private static let number = Atomic<Int32>(0)

    /// Notes signals instead of ending the process; a second one ends it.
    static func watch() {
        // Read once, so that the handler finds it made.
        guard number.load(ordering: .relaxed) == 0 else { return }
        for signal in [SIGINT, SIGTERM] {
            Glibc.signal(signal) { Interrupt.note($0) }
        }
    }

    /// Whether one came.
    static var isRaised: Bool { number.load(ordering: .relaxed) != 0 }

    private static func note(_ signal: Int32) {
        if number.exchange(signal, ordering: .relaxed) != 0 { _exit(128 + signal) }
    }
}
