// Creates many downloads: all of them, or none.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Scheduling
internal import Store

extension DownloadEndpoints {
    /// A download of a batch.
    private enum Item {
        /// A new download, by its index.
        case new(Int)
        /// The existing download that has its external id.
        case known(Known)
    }

    /// An existing download, by reference because it is large.
    private final class Known: Sendable {
        let download: Download
        let candidate: AdmissionCandidate?

        init(_ record: DownloadRecord) {
            download = record.download
            candidate = record.candidate
        }
    }

    /// `POST /v1/downloads/batch`.
    func createBatch(_ call: Call) async throws(Problem) -> Response {
        let body = try BatchBody(call)
        let batch = try await batch(body, call)
        let isDry = try call.isDryRun
        // If a concurrent create with one of the external ids commits first, its download is found
        // in the next round.
        for _ in 0..<4 {
            let (items, new) = try await settled(batch, body, call)
            let now = answers.now()
            let shown = items.lazy.map { self.show($0, new, at: now) }.body(nextCursor: nil)
            guard !isDry, !new.isEmpty else { return .json(shown) }
            try await quota.expectRoom(for: new.count, call)
            let response = Response.json(shown, status: 201)
            let (claim, replaced) = try await remembering(new[0].download.session, call) {
                () throws(Problem) in
                try await call.stored { () throws(StoreError) in
                    try await intake.replace(
                        with: new,
                        idempotency: call.idempotencyKey.map {
                            KeyedAnswer($0, StoredAnswer(response))
                        })
                }
            }
            note(replaced)
            if claim == .named { continue }
            guard claim == .mine else { return try Idempotency.answer(claim) }
            wake(for: new)
            if let until = new.compactMap(\.wakeUntil).min() { worker.expect(until) }
            guard new.contains(where: { isKnownLater($0, call) }) else { return response }
            return try await stored(items, new, call)
        }
        return try Idempotency.answer(.inProgress)
    }

    /// The answer after the commit, which shows the joined transfers; the idempotency key gets this
    /// answer from now on.
    private func stored(
        _ items: [Item], _ new: [NewDownload], _ call: Call
    ) async throws(Problem) -> Response {
        let ids = items.map { DownloadEndpoints.download($0, new).id }
        let found = try await call.stored { () throws(StoreError) in
            try await reader.downloads.find(ids, app: call.app)
        }
        let now = answers.now()
        let shown = items.indices.lazy.map { place in
            found[ids[place]].map { self.show(.known(Known($0)), new, at: now) }
                ?? self.show(items[place], new, at: now)
        }
        let response = Response.json(shown.body(nextCursor: nil), status: 201)
        await idempotency.keep(response, showing: nil, call)
        return response
    }

    private static func download(_ item: Item, _ new: [NewDownload]) -> Download {
        switch item {
        case .new(let place): new[place].download
        case .known(let known): known.download
        }
    }

    private func show(_ item: Item, _ new: [NewDownload], at now: Timestamp) -> ShownDownload {
        let download = DownloadEndpoints.download(item, new)
        let candidate =
            switch item {
            case .new(let place): AdmissionCandidate(new[place])
            case .known(let known): known.candidate
            }
        return ShownDownload(
            download: download, blockers: answers.blockers(download, candidate, at: now))
    }

    /// The items of the batch's answer in its order, and the downloads to store.
    ///
    /// - Throws: `external-id-in-use`, with the place of each such download.
    private func settled(
        _ batch: [NewDownload], _ body: BatchBody, _ call: Call
    ) async throws(Problem) -> (items: [Item], new: [NewDownload]) {
        let names = Set(batch.compactMap(\.name))
        guard !names.isEmpty else { return (batch.indices.map { .new($0) }, batch) }
        let known = try await call.stored { () throws(StoreError) in
            try await reader.downloads.find(names, app: call.app)
        }
        var first = known.mapValues { Item.known(Known($0)) }
        for wanted in batch where wanted.takesName { wanted.name.map { first[$0] = nil } }
        var items: [Item] = []
        var new: [NewDownload] = []
        new.reserveCapacity(batch.count)
        var conflict: Problem?
        var errors = FieldErrors()
        for (place, wanted) in batch.enumerated() {
            if let name = wanted.name, let item = first[name] {
                do throws(Problem) {
                    try DownloadEndpoints.expectSame(
                        wanted.download, DownloadEndpoints.download(item, new),
                        at: try body.download(place).pointer("external_id"))
                } catch {
                    conflict = conflict ?? error
                    for finding in error.findings {
                        errors.append(body.located(finding, place))
                    }
                }
                if case .new(let place) = item, wanted.takesName, new[place].replaces == nil {
                    new[place].replaces = wanted.replaces
                }
                items.append(item)
                continue
            }
            let item = Item.new(new.count)
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
        batch.reserveCapacity(ids.count)
        var errors = body.faultsOfDefaults
        // An error of the defaults is reported once, not for each download that uses them.
        var shared = Set(errors)
        var rejected = 0
        for place in body.items.indices {
            do throws(Problem) {
                let (document, point) = try await builder.opened(try body.download(place), call)
                var new = try await builder.build(
                    try DownloadBuilder.read(document), ids[place], call, at: document)
                try call.grant.expectUploads(for: new.download.shared.value.relay)
                (new.acceptedAt, new.resume) = (call.now, point)
                // After a refusal none is stored, so none is kept.
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
    /// Its external id, if its client gave it one.
    var name: NamedDownload? {
        download.shared.value.externalID.map {
            NamedDownload(session: sessionKey, externalID: KeyText($0))
        }
    }
}
