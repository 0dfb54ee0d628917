// Keeps content for its retention: warns before its end, expires it, then removes the file.
internal import Base
internal import Content
internal import Downloads
internal import Platform
internal import Store

/// Runs at the first instant at which content changes; a download that succeeds calls it.
struct ContentRetention: Duty {
    /// The most downloads of one transaction.
    private static let batch = 100

    let name = "retention"
    let endsByTheClock = true
    let spacing: Duration
    private let lane = FileLane(label: "retention")

    init(spacing: Duration) { self.spacing = spacing }

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let instance = worker.tools.content.instance
        let contents = worker.downloads.contents
        var isMore = true
        while isMore, worker.isWorking {
            let (count, emitsEvent) = try await contents.proceed(
                limit: ContentRetention.batch, until: worker.clock.endsUntil)
            if emitsEvent { worker.delivered() }
            isMore = count == ContentRetention.batch
        }
        isMore = true
        while isMore, worker.isWorking {
            let count = try await removeDoomed(contents, instance, worker.tools.content)
            isMore = count == ContentRetention.batch
        }
        return try await contents.nextChange().map { .until($0) } ?? .untilCalled
    }

    /// Removes files whose rows were marked for that.
    ///
    /// - Returns: how many rows were forgotten.
    private func removeDoomed(
        _ contents: Contents, _ instance: Identifier, _ content: ContentStore
    ) async throws(StoreError) -> Int {
        let rows = try await contents.releasedFiles(
            instance: instance, limit: ContentRetention.batch)
        guard !rows.isEmpty else { return 0 }
        let gone = await lane.run {
            rows.filter { row in
                let name = ContentName(download: row.id, fence: row.fence)
                // If the folder cannot be read the file may still be there.
                guard content.presence(of: name, length: row.length) != .unreadable else {
                    return false
                }
                do throws(ContentError) {
                    // A reader that has the file open can continue to read.
                    try content.delete(name)
                    return true
                } catch {
                    return false
                }
            }
        }
        try await contents.forget(gone.map(\.id))
        return gone.count
    }
}
