// Ends content in object stores: removes the objects that their clients do not keep, and forgets
// the rows of the others.
internal import Base
internal import Downloads
internal import ObjectStores
internal import Platform
internal import Store

/// Follows the retention of content: any replica that has the store removes what was released.
///
/// A row stays until its object is gone. Rows of a store that is not configured here are not read.
struct StoreRemoval: IndependentDuty {
    /// The most rows of one statement.
    private static let batch = 100
    /// The time after which a store that failed is asked again.
    private static let pause = Duration.seconds(60)

    let name = "objects of ended content"
    let contents: Contents
    let stores: WorkerStores

    func turn(_ context: DutyContext) async throws(StoreError) -> NextTurn {
        var isLeft = false
        for store in stores.open.all {
            isLeft = try await !end(store, context) || isLeft
        }
        return isLeft ? .after(StoreRemoval.pause) : .untilCalled
    }

    /// Ends the released content of a store.
    ///
    /// - Returns: whether all of it is gone.
    private func end(
        _ store: ObjectStore, _ context: DutyContext
    ) async throws(StoreError) -> Bool {
        var last: Identifier?
        var isDone = true
        while context.isWorking {
            let rows = try await contents.releasedObjects(
                in: store.identifier, after: last, limit: StoreRemoval.batch)
            guard let end = rows.last else { break }
            var gone: [Identifier] = []
            for row in rows where context.isWorking {
                guard !row.isKept, let path = row.path else {
                    gone.append(row.id)
                    continue
                }
                if await remove(row.id, at: path, from: store, context) {
                    gone.append(row.id)
                } else {
                    isDone = false
                }
            }
            try await contents.forget(gone)
            last = end.id
        }
        return isDone
    }

    /// Removes an object, if it is still this download's.
    ///
    /// - Returns: whether there is none of the download any more.
    private func remove(
        _ id: Identifier, at path: String, from store: ObjectStore,
        _ context: DutyContext
    ) async -> Bool {
        let key = store.location.key(for: path)
        let call = StoreCall(.ofDuties)
        do throws(StoreFailure) {
            guard let facts = try await store.head(key, call),
                facts.download == id.text
            else { return true }
            try await store.remove(key, call)
            stores.tally.count(store.name, "delete", "done")
            return true
        } catch {
            stores.tally.count(store.name, "delete", error.kind.word)
            context.log.warn(
                "object of ended content could not be removed, and is tried again",
                [
                    ("download_id", .string(id.text)),
                    ("destination", .string(store.name)), ("error", .string(error.detail)),
                    ("code", .string(error.code ?? "")),
                ])
            return false
        }
    }
}

extension StoreCall.Bounds {
    /// The bounds of a request beside those of attempts.
    static var ofDuties: StoreCall.Bounds {
        var bounds = StoreCall.Bounds()
        bounds.idleTimeout = .seconds(30)
        bounds.totalTimeout = .seconds(60)
        return bounds
    }
}
