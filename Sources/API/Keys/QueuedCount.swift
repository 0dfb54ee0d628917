// How many downloads of an app live, known well enough to stop it from flooding the queue.
internal import Core
internal import Store
internal import Synchronization

/// A count that was read a moment ago, and what came in through this process since.
final class QueuedCount: Sendable {
    private static let lifetime = Duration.seconds(5)

    private struct State {
        var count: Int64 = 0
        var readAt: Timestamp?
    }

    private let state = Mutex(State())

    /// Whether there is room for more, as far as is known; nil if it has to be read again.
    func hasRoom(for more: Int64, upTo limit: Int64, now: Timestamp) -> Bool? {
        state.withLock { state in
            guard let readAt = state.readAt, now < readAt + QueuedCount.lifetime,
                state.count + more <= limit
            else { return nil }
            state.count += more
            return true
        }
    }

    /// Takes what was read, and room for more if there is.
    func read(_ count: Int64, for more: Int64, upTo limit: Int64, now: Timestamp) -> Bool {
        state.withLock { state in
            state.readAt = now
            state.count = count
            guard count + more <= limit else { return false }
            state.count += more
            return true
        }
    }
}

extension Router {
    /// Sees to it that an app's queue has room for more.
    ///
    /// - Throws: `quota-exceeded`.
    func expectRoom(for more: Int, _ call: Call) async throws(Problem) {
        guard let limit = call.grant.queuedAtMost else { return }
        let more = Int64(more)
        if queued.hasRoom(for: more, upTo: limit, now: call.now) == true { return }
        let count = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.downloads.queued(app: call.grant.app, upTo: limit + 1)
        }
        guard !queued.read(count, for: more, upTo: limit, now: call.now) else { return }
        throw .quota(
            "queued", "At most \(limit) downloads of this app may wait and run at once.",
            retryAfter: 10)
    }
}
