// A first check of the limit on an app's downloads that have not ended.
internal import Base
internal import Downloads
internal import Store
internal import Synchronization

/// Estimates the queued downloads of each app, from the last count that was read and the downloads
/// that this process accepted since.
///
/// It spares the store most creates that it would have to refuse one by one, out of their batch.
/// `lull_admit`, which follows, is exact.
final class QueueQuota: Sendable {
    private static let lifetime = Duration.seconds(5)
    private static let appsAtMost = 10_000

    private struct Count {
        var queued: Int64
        let readAt: Timestamp
    }

    private let downloads: Downloads
    private let counts = Mutex<[Int64: Count]>([:])

    /// Creates it over the store that has the counts.
    init(downloads: Downloads) { self.downloads = downloads }

    /// Refuses downloads for which the queue of the call's app has no room.
    ///
    /// - Throws: `quota-exceeded`, or what the store's failure becomes.
    func expectRoom(for more: Int, _ call: Call) async throws(Problem) {
        guard let limit = call.grant.queuedAtMost else { return }
        let more = Int64(more)
        if reserve(more, of: call.app, upTo: limit, now: call.now) { return }
        let count = try await call.stored { () throws(StoreError) in
            try await downloads.queue.queued(app: call.app)
        }
        let hasRoom = count + more <= limit
        counts.withLock { counts in
            if counts.count >= QueueQuota.appsAtMost { counts = [:] }
            counts[call.app] = Count(queued: count + (hasRoom ? more : 0), readAt: call.now)
        }
        guard !hasRoom else { return }
        throw .queueFull
    }

    /// Reserves places by the last count; false if it is old, or leaves no room.
    private func reserve(_ more: Int64, of app: Int64, upTo limit: Int64, now: Timestamp) -> Bool {
        counts.withLock { counts in
            guard let count = counts[app], now < count.readAt + QueueQuota.lifetime,
                count.queued + more <= limit
            else { return false }
            counts[app]?.queued += more
            return true
        }
    }
}

extension Problem {
    /// The refusal because the app has reached its limit of waiting and running downloads.
    static let queueFull = quota(
        "queued",
        "With this request, the app would have more waiting and running downloads than it may "
            + "have. Wait until some have ended, or let the operator raise the limit (lull keys "
            + "limit).",
        retryAfter: 10)
}
