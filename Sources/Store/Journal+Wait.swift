// How a reader waits for more.

extension Journal {
    /// What was known before reading; whoever waits hands it back.
    package struct Mark: Sendable {
        let version: UInt64
    }

    /// Taken before reading, so that what comes meanwhile ends the wait.
    package var mark: Mark { Mark(version: changes.tail.version) }

    /// Returns when there may be more to read than there was at the mark, or after the time; early
    /// when the task is cancelled.
    ///
    /// - Parameters:
    ///   - mark: from before the reader read.
    ///   - scope: whose events are waited for.
    ///   - soon: whether the reader just found something, so that more of it may be under way.
    ///   - limit: the longest wait.
    /// - Throws: `unavailable` or `refused`.
    package func wait(
        past mark: Mark, in scope: JournalQuery.Scope, soon: Bool, upTo limit: Duration
    ) async throws(StoreError) {
        let deadline = ContinuousClock.now + limit
        var pause: Duration = .milliseconds(200)
        if case .download = scope, !soon { pause = .seconds(1) }
        while !Task.isCancelled {
            let left = deadline - ContinuousClock.now
            guard left > .zero else { return }
            switch scope {
            case .download(let id):
                // What this process does to the download is told at once.
                if await changes.isChanged(id, within: min(left, pause)) { return }
                pause = .seconds(1)
            case .app:
                // A wait that is cut short ends early, which is all that cancellation means here.
                do { try await Task.sleep(for: min(left, pause)) } catch {}
            }
            try await changes.tail.look(pool)
            if changes.tail.version != mark.version { return }
        }
    }
}
