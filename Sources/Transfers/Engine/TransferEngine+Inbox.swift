// Messages from other threads to the engine: without a closure or a task for every file.
internal import Platform
internal import Scheduling
internal import Synchronization

/// A request of another thread to an engine.
enum EngineMessage: Sendable {
    case start(Transfer)
    case cancel(TransferID)
    case resume(TransferID)
    case lookedUp(String, LookupAnswer)
    case limits([RateScope: Int64])
    case limit(TransferID, Int64?)
}

extension TransferEngine {
    /// Sends a message to the engine; may be called from any thread.
    ///
    /// Messages are handled in their order.
    nonisolated func post(_ message: EngineMessage) {
        inbox.withLock { $0.append(message) }
        // After the end of the engine callers still get an answer.
        loop.ring { self.assumeIsolated { $0.takeMessages() } }
    }

    /// Handles the messages since the last turn.
    func takeMessages() {
        while true {
            inbox.withLock { swap(&messages, &$0) }
            guard !messages.isEmpty else { return }
            for message in messages { take(message) }
            messages.removeAll(keepingCapacity: true)
        }
    }

    private func take(_ message: EngineMessage) {
        switch message {
        case .start(let transfer): start(transfer)
        case .cancel(let id): cancelNow(id)
        case .resume(let id): resumeNow(id)
        case .lookedUp(let host, let answer): finished(host, with: answer)
        case .limits(let limits): replaceNow(limits)
        case .limit(let id, let limit): limitNow(id, to: limit)
        }
    }
}
