// Subscriptions to the progress of running downloads.
internal import Platform
internal import Postgres
internal import Synchronization

/// A subscription, until it is released.
package final class ProgressListener: Sendable {
    /// The time at which the subscription began, by the boot clock in nanoseconds.
    private let since = SystemClock.bootNanoseconds()
    private let scope: JournalQuery.Scope
    private let feed: ProgressFeed
    private let heard = Mutex(UInt64(0))

    init(_ scope: JournalQuery.Scope, _ feed: ProgressFeed) {
        self.scope = scope
        self.feed = feed
        feed.enter(scope)
    }

    deinit { feed.leave(scope) }

    /// Whether there are news that were not taken.
    var hasNews: Bool {
        guard let news = feed.news(for: scope) else { return false }
        return news.askedAt > since && news.version > heard.withLock { $0 }
    }

    /// The interval at which looking makes sense.
    var interval: Duration { feed.interval }

    func look(_ pool: ConnectionPool) async throws(StoreError) { try await feed.look(pool) }

    /// The news that were not taken; nil if there are none.
    ///
    /// Called before the journal is read, whose events are newer.
    package func take() -> ProgressUpdate? {
        guard let news = feed.news(for: scope) else { return nil }
        let isNew = heard.withLock { heard in
            guard news.askedAt > since, news.version > heard else { return false }
            heard = news.version
            return true
        }
        return isNew ? news : nil
    }
}

extension Journal {
    /// Listens to the progress of running downloads, until the result is released.
    package func listen(in scope: JournalQuery.Scope) -> ProgressListener {
        ProgressListener(scope, changes.progress)
    }
}
