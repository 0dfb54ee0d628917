// Creating many downloads: all of them, or none.
internal import Core
internal import HTTPWire
internal import Store

extension DownloadEndpoints {
    /// A download of a batch: a new one, or the one that has its external id.
    private struct Item {
        let download: Download
        let candidate: AdmissionCandidate?
    }

    /// `POST /v1/downloads/batch`.
    func createBatch(_ call: Call) async throws(Problem) -> Response {
        let body = try BatchBody(call)
        let batch = try await batch(body, call)
        let isDry = try call.isDryRun
        // A create with one of the names that is faster makes its download one of the known ones.
        for _ in 0..<4 {
            let (items, new) = try await settled(batch, body, call)
            let now = answers.now()
            let shown = items.map { item in
                ShownDownload(
                    download: item.download,
                    blockers: answers.blockers(item.download, item.candidate, at: now))
            }.body(nextCursor: nil)
            guard !isDry, !new.isEmpty else { return .json(shown) }
            try await quota.expectRoom(for: new.count, call)
            let response = Response.json(shown, status: 201)
            let claim = try await remembering(new[0].download.session, call) {
                () throws(Problem) in
                try await call.stored { () throws(StoreError) in
                    try await intake.submit(
                        batch: new,
                        idempotency: call.idempotencyKey.map {
                            KeyedAnswer($0, StoredAnswer(response))
                        })
                }
            }
            if claim == .named { continue }
            guard claim == .mine else { return try Idempotency.answer(claim) }
            wake(for: new.map(\.download))
            if let until = new.compactMap(\.wakeUntil).min() { worker.expect(until) }
            guard new.contains(where: { isKnownLater($0, call) }) else { return response }
            return try await stored(items, call)
        }
        return try Idempotency.answer(.inProgress)
    }

    /// The answer behind the commit, which shows what each has joined; the key of the request gets
    /// this answer from now on.
    private func stored(_ items: [Item], _ call: Call) async throws(Problem) -> Response {
        let ids = items.map(\.download.id)
        let found = try await call.stored { () throws(StoreError) in
            try await reader.downloads.find(ids, app: call.app)
        }
        let now = answers.now()
        let shown = items.map { item in
            let record = found[item.download.id]
            let download = record?.download ?? item.download
            let candidate = record == nil ? item.candidate : record?.candidate
            return ShownDownload(
                download: download, blockers: answers.blockers(download, candidate, at: now))
        }
        let response = Response.json(shown.body(nextCursor: nil), status: 201)
        await idempotency.keep(response, showing: nil, call)
        return response
    }

    /// What the batch answers with, in its order, and which of it is to be stored.
    ///
    /// - Throws: `external-id-in-use`, with the place of each such download.
    private func settled(
        _ batch: [NewDownload], _ body: BatchBody, _ call: Call
    ) async throws(Problem) -> (items: [Item], new: [NewDownload]) {
        let names = Set(batch.compactMap(\.name))
        let known = try await call.stored { () throws(StoreError) in
            try await reader.downloads.find(names, app: call.app)
        }
        var first = known.mapValues { Item(download: $0.download, candidate: $0.candidate) }
        var items: [Item] = []
        var new: [NewDownload] = []
        var conflict: Problem?
        var errors = FieldErrors()
        for (place, wanted) in batch.enumerated() {
            if let name = wanted.name, let item = first[name] {
                do throws(Problem) {
                    try DownloadEndpoints.expectSame(
                        wanted.download, item.download,
                        at: try body.download(place).pointer("external_id"))
                } catch {
                    conflict = conflict ?? error
                    for finding in error.findings {
                        errors.append(body.located(finding, place))
                    }
                }
                items.append(item)
                continue
            }
            let item = Item(
                download: wanted.download,
                candidate: AdmissionCandidate(wanted))
            if let name = wanted.name { first[name] = item }
            items.append(item)
            new.append(wanted)
        }
        if var conflict {
            conflict.findings = errors
            throw conflict
        }
        return (items, new)
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
                let (document, point) = try await builder.opened(try body.download(place), call)
                var new = try await builder.build(
                    try DownloadBuilder.read(document), ids[place], call, at: document)
                (new.acceptedAt, new.resume) = (call.now, point)
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

extension NewDownload {
    /// Its name, if its client gave it one.
    var name: NamedDownload? {
        download.shared.spec.externalID.map {
            NamedDownload(session: sessionKey, externalID: $0)
        }
    }
}
