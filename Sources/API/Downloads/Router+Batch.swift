// Many downloads come in at once: all of them, or none.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// `POST /v1/downloads/batch`.
    func createDownloads(_ call: Call) async throws(Problem) -> Response {
        let batch = try await batch(try BatchBody(call), call)
        let now = dependencies.now()
        let body = batch.map { new in
            let applicant = Applicant(accepted: new.download)
            return ShownDownload(
                download: new.download, blockers: blockers(new.download, applicant, at: now))
        }.body(nextCursor: nil)
        if try call.isDryRun { return .json(body) }
        try await expectRoom(for: batch.count, call)
        let response = Response.json(body, status: 201)
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
        let ids = body.items.map { _ in dependencies.makeIdentifier(call.now) }.sorted()
        var batch: [NewDownload] = []
        var errors = body.faultsOfDefaults
        // What is wrong with something that several downloads take over is one finding.
        var shared = Set(errors)
        var rejected = 0
        for place in body.items.indices {
            do throws(Problem) {
                let document = try body.download(place)
                var new = try await newDownload(
                    try downloadRequest(document), ids[place], call, at: document)
                new.acceptedAt = call.now
                // Nothing is stored once one is refused.
                if rejected == 0 { batch.append(new) }
            } catch {
                guard error.kind.status == 422 else { throw error }
                rejected += 1
                batch = []
                for finding in error.findings
                where body.isOwn(finding) || shared.insert(finding).inserted {
                    errors.append(body.located(finding, place))
                }
                errors.omit(error.findings.omitted)
            }
        }
        guard rejected == 0 else {
            throw .batch(errors, rejected: rejected, of: body.items.count)
        }
        guard errors.isEmpty else { throw .invalid(errors) }
        return batch
    }
}
