// Wakes a task that sleeps until there is work, or until a deadline.
internal import Dispatch
internal import Synchronization

/// A wake-up call for one waiting task; calls without a waiter are kept as one for the next wait.
package final class Alarm: Sendable {
    private struct State {
        var isRung = false
        var waiter: CheckedContinuation<Void, Never>?
        /// The end of the current wait, in nanoseconds since boot.
        var deadline = Int64.max
        /// The time at which the earliest started timer fires; one timer serves many short waits.
        var timer = Int64.max
    }

    private let state = Mutex(State())

    /// Creates an alarm that was not rung.
    package init() {}

    /// Wakes the waiter, or the next one at once.
    package func ring() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard let waiter = state.waiter else {
                state.isRung = true
                return nil
            }
            state.waiter = nil
            return waiter
        }
        waiter?.resume()
    }

    /// Returns once the alarm was rung since the last wait, or after the time; one waiter at once.
    package func wait(upTo limit: Duration) async {
        let (seconds, attoseconds) = limit.components
        let wait = min(max(seconds, 0), 86_400) * 1_000_000_000 + attoseconds / 1_000_000_000
        let deadline = SystemClock.bootNanoseconds() + wait
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state -> Bool in
                precondition(state.waiter == nil, "an alarm has one waiter")
                guard !state.isRung else {
                    state.isRung = false
                    return true
                }
                state.waiter = continuation
                state.deadline = deadline
                startTimer(for: &state)
                return false
            }
            if goesOn { continuation.resume() }
        }
    }

    private func startTimer(for state: inout State) {
        guard state.deadline < state.timer else { return }
        state.timer = state.deadline
        let wait = max(0, state.deadline - SystemClock.bootNanoseconds())
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(wait))) {
            self.expire()
        }
    }

    private func expire() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.timer = .max
            guard let waiter = state.waiter else { return nil }
            guard state.deadline <= SystemClock.bootNanoseconds() else {
                startTimer(for: &state)
                return nil
            }
            state.waiter = nil
            return waiter
        }
        waiter?.resume()
    }
}
