// Lets readers wait for new events.

extension Journal {
    /// The state before reading; the task passes it back to wait.
    package struct Mark: Sendable {
        let version: UInt64
    }

    /// Taken before reading, so that an event that comes meanwhile ends the wait.
    package var mark: Mark { Mark(version: changes.tail.version) }

    /// Returns when there may be more to read than at the mark, or after the time; early if the
    /// task is cancelled.
    ///
    /// - Parameters:
    ///   - mark: from before the reader read.
    ///   - scope: the app and sessions of the events.
    ///   - listener: a subscription to progress; nil for none.
    ///   - soon: whether the reader just found something, so that more of it may be under way.
    ///   - limit: the longest wait.
    /// - Throws: `unavailable` or `refused`.
    package func wait(
        past mark: Mark, in scope: JournalQuery.Scope, listener: ProgressListener? = nil,
        soon: Bool, upTo limit: Duration
    ) async throws(StoreError) {
        let deadline = ContinuousClock.now + limit
        var pause: Duration = .milliseconds(200)
        let calm = min(.seconds(1), listener?.interval ?? .seconds(1))
        if case .download = scope, !soon { pause = calm }
        while !Task.isCancelled {
            let left = deadline - ContinuousClock.now
            guard left > .zero else { return }
            switch scope {
            case .download(let id):
                // Changes by this process are seen at once.
                if await changes.isChanged(id, within: min(left, pause)) { return }
                pause = calm
            case .app:
                // Cancellation only means that the wait ends early.
                do { try await Task.sleep(for: min(left, pause)) } catch {}
            }
            try await changes.tail.look(pool)
            if let listener { try await listener.look(pool) }
            if changes.tail.version != mark.version || listener?.hasNews == true { return }
        }
    }
}
