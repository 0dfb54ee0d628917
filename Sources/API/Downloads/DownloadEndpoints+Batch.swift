// Creating many downloads: all of them, or none.
internal import Core
internal import HTTPWire
internal import Store

extension DownloadEndpoints {
    /// `POST /v1/downloads/batch`.
    func createBatch(_ call: Call) async throws(Problem) -> Response {
        let batch = try await batch(try BatchBody(call), call)
        let now = answers.now()
        let body = batch.map { new in
            let candidate = AdmissionCandidate(accepted: new.download)
            return ShownDownload(
                download: new.download,
                blockers: answers.blockers(new.download, candidate, at: now))
        }.body(nextCursor: nil)
        if try call.isDryRun { return .json(body) }
        try await quota.expectRoom(for: batch.count, call)
        let response = Response.json(body, status: 201)
        let claim = try await call.stored { () throws(StoreError) in
            try await intake.submit(
                batch: batch,
                idempotency: call.idempotencyKey.map { KeyedAnswer($0, StoredAnswer(response)) })
        }
        guard claim == .mine else { return try Idempotency.answer(claim) }
        wake(for: batch.map(\.download))
        return response
    }

    /// Validates every download before any is stored.
    ///
    /// - Throws: `batch-rejected`, or what the store's failure becomes.
    private func batch(
        _ body: BatchBody, _ call: Call
    ) async throws(Problem) -> [NewDownload] {
        // Sorted, so that lists by identifier have the order of the batch.
        let ids = body.items.map { _ in makeIdentifier(call.now) }.sorted()
        var batch: [NewDownload] = []
        var errors = body.faultsOfDefaults
        // A fault of the defaults is reported once, not for each download that takes them.
        var shared = Set(errors)
        var rejected = 0
        for place in body.items.indices {
            do throws(Problem) {
                let document = try body.download(place)
                var new = try await builder.build(
                    try DownloadBuilder.read(document), ids[place], call, at: document)
                new.acceptedAt = call.now
                // Once one is refused none is stored, so none is kept.
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
