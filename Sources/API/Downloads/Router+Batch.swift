// Many downloads come in at once: all of them, or none.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// `POST /v1/downloads/batch`.
    func createDownloads(_ call: Call) async throws(Problem) -> Response {
        let batch = try await batch(try BatchBody(call), call)
        let now = dependencies.now()
        let data = batch.map { new in
            let applicant = Applicant(accepted: new.download)
            return JSON.object(
                new.download.json(blockers: blockers(new.download, applicant, at: now)))
        }
        if try call.isDryRun { return .json(["data": .array(data)]) }
        try await expectRoom(for: batch.count, call)
        let response = Response.json(["data": .array(data)], status: 201)
        let claim = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.intake.submit(
                batch: batch, once: call.once.map { KeyedAnswer($0, StoredAnswer(response)) })
        }
        guard claim == .mine else { return try Router.answer(claim) }
        tell(of: batch.map(\.download))
        return response
    }

    /// Judges every download before any is stored.
    ///
    /// - Throws: `batch-rejected`, or what the store's failure becomes.
    private func batch(
        _ body: BatchBody, _ call: Call
    ) async throws(Problem) -> [NewDownload] {
        // In the order of the list also where only their names give one.
        let ids = body.downloads.map { _ in dependencies.makeIdentifier(call.now) }.sorted()
        var batch: [NewDownload] = []
        var errors: [FieldError] = []
        var rejected = 0
        for (place, document) in body.downloads.enumerated() {
            do throws(Problem) {
                var new = try await newDownload(
                    try downloadRequest(document, at: body.path(place)), ids[place], call,
                    at: body.path(place))
                new.acceptedAt = call.now
                batch.append(new)
            } catch {
                guard error.kind.status == 422 else { throw error }
                rejected += 1
                for finding in error.findings.map({ body.located($0, place) })
                where !errors.contains(finding) && errors.count < 100 {
                    errors.append(finding)
                }
            }
        }
        guard rejected == 0 else {
            throw .batch(errors, rejected: rejected, of: body.downloads.count)
        }
        guard body.faultsOfDefaults.isEmpty else { throw .invalid(body.faultsOfDefaults) }
        return batch
    }
}
