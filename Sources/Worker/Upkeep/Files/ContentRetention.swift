// Keeps content for its retention: warns before its end, expires it, then removes the file.
internal import Base
internal import Content
internal import Downloads
internal import ObjectStores
internal import Store

/// Runs at the first instant at which content changes; a download that succeeds calls it.
struct ContentRetention: Duty {
    /// The most downloads of one transaction.
    private static let batch = 100

    let name = "retention"
    let endsByTheClock = true
    let spacing: Duration

    init(spacing: Duration) { self.spacing = spacing }

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let contents = worker.downloads.contents
        var isMore = true
        while isMore, worker.isWorking {
            let (count, emitsEvent) = try await contents.proceed(
                limit: ContentRetention.batch, until: worker.clock.endsUntil)
            if emitsEvent { worker.delivered() }
            isMore = count == ContentRetention.batch
        }
        if !worker.tools.stores.open.all.isEmpty { worker.bells[StoreRemoval.self].ring() }
        isMore = true
        var isUnderway = false
        while isMore, worker.isWorking {
            let removed = try await removeDoomed(contents, worker.tools.place)
            isMore = removed.count == ContentRetention.batch
            isUnderway = removed.isUnderway
        }
        if isUnderway { return .after(spacing) }
        return try await contents.nextChange().map { .until($0) } ?? .untilCalled
    }

    /// Removes content whose rows were marked for that.
    ///
    /// - Returns: how many rows were forgotten, and whether the place is still removing some.
    private func removeDoomed(
        _ contents: Contents, _ place: any ContentPlace
    ) async throws(StoreError) -> (count: Int, isUnderway: Bool) {
        let rows = try await contents.releasedFiles(
            instance: place.identifier, limit: ContentRetention.batch)
        guard !rows.isEmpty else { return (0, false) }
        let answers = await place.remove(
            rows.map { ContentName(download: $0.id, fence: $0.fence) })
        let gone = zip(rows, answers).filter { $1 == .gone }.map(\.0.id)
        try await contents.forget(gone)
        return (gone.count, answers.contains(.underway))
    }
}
