// Ctrl-C as a value that is polled.
internal import Glibc
internal import Synchronization

/// Tells whether SIGINT or SIGTERM has arrived; see signal(7).
enum Interrupt {
    private static let number = Atomic<Int32>(0)

    /// Records signals instead of ending the process; a second signal ends it.
    static func watch() {
        // Reading it once initializes it, so that the signal handler does not have to.
        guard number.load(ordering: .relaxed) == 0 else { return }
        for signal in [SIGINT, SIGTERM] {
            Glibc.signal(signal) { Interrupt.note($0) }
        }
    }

    /// Whether a signal has arrived.
    static var isRaised: Bool { number.load(ordering: .relaxed) != 0 }

    private static func note(_ signal: Int32) {
        if number.exchange(signal, ordering: .relaxed) != 0 { _exit(128 + signal) }
    }
}
