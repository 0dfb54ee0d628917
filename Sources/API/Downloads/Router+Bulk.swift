// One action on many downloads, in steps that are each durable.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// How many downloads one step, one transaction, acts on.
    private static let bulkStep = 100

    /// `POST /v1/downloads/bulk`.
    func actOnDownloads(_ call: Call) async throws(Problem) -> Response {
        let request = try BulkRequest(try call.document())
        let isDryRun = try call.isDryRun
        var filter = request.filter
        // What comes in meanwhile is not meant.
        filter.createdBefore = min(filter.createdBefore ?? call.now, call.now)
        var (matched, changed) = (0, 0)
        var last: Identifier?
        repeat {
            let (meant, after) = (filter, last)
            let page = try await stored(call) { () throws(StoreError) in
                try await dependencies.store.downloads.list(
                    app: dependencies.settings.app, meant, order: .oldestFirst, after: after,
                    limit: Router.bulkStep)
            }
            matched += page.count
            if !isDryRun { changed += try await act(request.action, on: page, call) }
            last = page.count < Router.bulkStep ? nil : page.last?.download.id
        } while last != nil
        return .json(["matched": .integer(Int64(matched)), "changed": .integer(Int64(changed))])
    }

    /// - Returns: how many of them are another now, or were given an order.
    private func act(
        _ action: DownloadAction, on page: [DownloadRecord], _ call: Call
    ) async throws(Problem) -> Int {
        guard !page.isEmpty else { return 0 }
        let outcomes = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.downloads.perform(
                action, on: page.map(\.download.id), app: dependencies.settings.app)
        }
        var changed = 0
        var isTold = false
        for (before, outcome) in zip(page, outcomes) {
            guard case .done(let record, let order) = outcome else { continue }
            let id = record.download.id
            if record.download.spec.webhookURL != nil { isTold = true }
            if let order { dependencies.worker.orderPlaced(id, order) }
            if action == .delete, let fence = record.contentFence {
                await dependencies.content.remove(id, fence)
            }
            let isOther = record.download.sequence != before.download.sequence
            if isOther || order != nil || action == .delete { changed += 1 }
        }
        if action == .resume || action == .retry { dependencies.worker.hint() }
        if isTold { dependencies.worker.delivered() }
        return changed
    }
}
