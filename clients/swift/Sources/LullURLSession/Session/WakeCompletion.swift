internal import LullClient
internal import Synchronization

/// Completes a wake once, and has the task that does it.
final class WakeCompletion: Sendable {
    private let lull: Lull
    private let token: String
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(lull: Lull, token: String) {
        self.lull = lull
        self.token = token
    }

    func complete() {
        task.withLock { task in
            guard task == nil else { return }
            task = Task { [lull, token] in
                do {
                    try await lull.completeWake(token: token)
                } catch {
                    // A completion that is lost is asked for by the next delivery of the wake.
                    return
                }
            }
        }
    }
}
