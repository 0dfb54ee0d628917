// Performs one action on many downloads, in steps that are each durable.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

extension DownloadEndpoints {
    /// The number of downloads in a step, which is one transaction.
    private static let bulkStep = 100

    /// `POST /v1/downloads/bulk`.
    func actOnMany(_ call: Call) async throws(Problem) -> Response {
        let request = try BulkRequest(
            try call.document(), of: call.route.isOfUploads ? .upload : .download)
        let isDryRun = try call.isDryRun
        var filter = request.filter
        filter.isOfUploads = call.route.isOfUploads
        // Downloads that are created meanwhile are not included.
        filter.createdBefore = min(filter.createdBefore ?? call.now, call.now)
        var counts = BulkCounts()
        var last: Identifier?
        repeat {
            let (meant, after) = (filter, last)
            let page = try await call.stored { () throws(StoreError) in
                try await reader.downloads.list(
                    app: call.app, meant, order: .oldestFirst, after: after,
                    limit: DownloadEndpoints.bulkStep)
            }
            let records = page.records
            counts.matched += records.count
            if isDryRun {
                counts.changed += try await changes(by: request.action, on: records, call)
            } else {
                try await act(request.action, on: records, adding: &counts, call)
            }
            let isFull = records.count == DownloadEndpoints.bulkStep
            last = isFull ? records.last?.download.id : page.resumption
        } while last != nil
        return .json(counts.json)
    }

    /// The number of downloads of a page that an action would change.
    private func changes(
        by action: DownloadAction, on page: [DownloadRecord], _ call: Call
    ) async throws(Problem) -> Int {
        var changing = page.map(\.download).filter(action.changes)
        guard action == .retry, !changing.isEmpty else { return changing.count }
        let rules = try await RevivalRules(builder, call)
        changing.removeAll { rules.refusal(of: $0) != nil }
        let sealed = changing.filter { $0.state.isTerminal && $0.spec.request.hasSecrets }
            .map(\.id)
        guard !sealed.isEmpty else { return changing.count }
        let kept = try await call.stored { () throws(StoreError) in
            try await reader.downloads.keptSecrets(of: sealed)
        }
        return changing.count - sealed.count + kept
    }

    /// Acts on one page.
    private func act(
        _ action: DownloadAction, on page: [DownloadRecord], adding counts: inout BulkCounts,
        _ call: Call
    ) async throws(Problem) {
        guard !page.isEmpty else { return }
        let rules = action == .retry ? try await RevivalRules(builder, call) : nil
        let outcomes = try await call.stored { () throws(StoreError) in
            try await reader.downloads.perform(
                action, on: page.map(\.download.id), app: call.app,
                where: { rules?.refusal(of: $0) == nil })
        }
        var hasWebhook = false
        for (before, outcome) in zip(page, outcomes) {
            switch outcome {
            case .queueFull, .stagingFull: counts.overQuota += 1
            default: break
            }
            guard case .done(let record, let order) = outcome else { continue }
            let id = record.download.id
            if record.download.spec.webhookURL != nil { hasWebhook = true }
            if let order { worker.orderPlaced(id, order) }
            if action == .delete { await content.remove(fileOf: record) }
            let isChanged = record.download.sequence != before.download.sequence
            if isChanged || order != nil || action == .delete { counts.changed += 1 }
        }
        if action == .resume || action == .retry { worker.hint() }
        if action == .cancel { worker.sessionsChanged() }
        worker.flightsChanged()
        if hasWebhook || reader.hasListeners { worker.delivered() }
    }
}

/// The counts of a bulk action so far.
private struct BulkCounts {
    /// The number of downloads that match the filter.
    var matched = 0
    /// The number of these that changed, or got an order to stop.
    var changed = 0
    /// The number that were not retried because the app's queue has no room.
    var overQuota = 0

    var json: JSONObject {
        var object: JSONObject = [
            "matched": .integer(Int64(matched)), "changed": .integer(Int64(changed)),
        ]
        if overQuota > 0 { object.append("over_quota", .integer(Int64(overQuota))) }
        return object
    }
}
