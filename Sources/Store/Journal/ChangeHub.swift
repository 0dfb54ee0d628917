// Waits for changes of downloads within this process.
package import Base
internal import Synchronization

/// Wakes long polls; a hint only: a woken task reads the database again.
package final class ChangeHub: Sendable {
    private struct State {
        var waiters: [Identifier: [UInt64: CheckedContinuation<Bool, Never>]] = [:]
        var expired: Set<UInt64> = []
        var next: UInt64 = 0
        var count = 0
    }

    /// The end of the journal as this process knows it.
    let tail = JournalTail()
    /// The progress of running downloads.
    let progress: ProgressFeed
    /// The readers of new events.
    let readers = EventReaders()
    /// The subscriptions of endpoints.
    package let listeners = EndpointListeners()
    /// The prefix of this deployment's paths in events; empty for none.
    let base: String
    /// The names of events, deliveries and places in the journal for clients.
    let names: PublicNames
    private let state = Mutex(State())
    private let waitersAtMost: Int
    private let longestWait: Duration

    /// Creates a hub without waiters.
    ///
    /// - Parameters:
    ///   - waitersAtMost: above so many, waits return after their time without being woken.
    ///   - longestWait: another replica's changes are seen only by reading again after it.
    ///   - progressInterval: how often listeners get the progress of running downloads.
    ///   - base: what comes before the paths of this deployment in events; empty for nothing.
    ///   - names: how clients see events, deliveries and places in the journal.
    package init(
        waitersAtMost: Int = 10_000, longestWait: Duration = .seconds(1),
        progressInterval: Duration = .seconds(1), base: String = "",
        names: PublicNames = .withoutKey
    ) {
        self.names = names
        self.base = base
        progress = ProgressFeed(interval: progressInterval, base: base)
        self.waitersAtMost = waitersAtMost
        self.longestWait = longestWait
    }

    /// Wakes the tasks that wait for these downloads.
    package func changed(_ ids: some Sequence<Identifier>) {
        let woken = state.withLock { state in
            var woken: [CheckedContinuation<Bool, Never>] = []
            guard state.count > 0 else { return woken }
            for id in ids {
                guard let waiters = state.waiters.removeValue(forKey: id) else { continue }
                state.count -= waiters.count
                woken += waiters.values
            }
            return woken
        }
        for continuation in woken { continuation.resume(returning: true) }
    }

    /// Returns when the download may have changed, or after the time, at the latest after
    /// `longestWait`; early if the task is cancelled.
    package func wait(for id: Identifier, upTo limit: Duration) async {
        _ = await isChanged(id, within: limit)
    }

    /// Waits like `wait(for:upTo:)`; true if this process changed the download.
    func isChanged(_ id: Identifier, within limit: Duration) async -> Bool {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let timer = Task {
            // Cancellation only means that the wait ends early.
            do { try await Task.sleep(for: min(limit, longestWait)) } catch {}
            self.give(up: number, on: id)
        }
        let wasWoken = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.enter(continuation, number: number, for: id)
            }
        } onCancel: {
            timer.cancel()
        }
        if wasWoken { timer.cancel() }
        await timer.value
        _ = state.withLock { $0.expired.remove(number) }
        return wasWoken
    }

    private func enter(
        _ continuation: CheckedContinuation<Bool, Never>, number: UInt64, for id: Identifier
    ) {
        let isIn = state.withLock { state in
            guard state.count < waitersAtMost, !state.expired.contains(number) else { return false }
            state.waiters[id, default: [:]][number] = continuation
            state.count += 1
            return true
        }
        if !isIn { continuation.resume(returning: false) }
    }

    private func give(up number: UInt64, on id: Identifier) {
        let continuation = state.withLock { state in
            guard let continuation = state.waiters[id]?.removeValue(forKey: number) else {
                state.expired.insert(number)
                return nil as CheckedContinuation<Bool, Never>?
            }
            state.count -= 1
            if state.waiters[id]?.isEmpty == true { state.waiters[id] = nil }
            return continuation
        }
        continuation?.resume(returning: false)
    }
}
