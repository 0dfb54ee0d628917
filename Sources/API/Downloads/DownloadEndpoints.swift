// Downloads: created, read, listed, changed, acted on.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

/// The endpoints below `/v1/downloads`, without content and events.
final class DownloadEndpoints: EndpointGroup {
    let reader: DownloadReader
    let answers: DownloadAnswers
    let sealer: RequestSealer
    let targets: TargetRules
    let sessions: SessionLookup
    let builder: DownloadBuilder
    let quota: QueueQuota
    let idempotency: Idempotency
    let intake: Intake
    let worker: WorkerAccess
    let content: ContentAccess
    let makeIdentifier: @Sendable (Timestamp) -> Identifier

    /// Creates the group with the values that its endpoints use.
    init(
        reader: DownloadReader, answers: DownloadAnswers, sealer: RequestSealer,
        targets: TargetRules, sessions: SessionLookup, intake: Intake, worker: WorkerAccess,
        content: ContentAccess, builder: DownloadBuilder,
        makeIdentifier: @escaping @Sendable (Timestamp) -> Identifier
    ) {
        self.reader = reader
        self.answers = answers
        self.sealer = sealer
        self.targets = targets
        self.sessions = sessions
        self.intake = intake
        self.worker = worker
        self.content = content
        self.makeIdentifier = makeIdentifier
        self.builder = builder
        quota = QueueQuota(downloads: reader.downloads)
        idempotency = Idempotency(keys: reader.downloads.idempotencyKeys)
    }

    var routes: [Route] { collectionRoutes + itemRoutes }

    private var collectionRoutes: [Route] {
        [
            Route(
                "POST", "/v1/downloads", "createDownload", scope: .writeDownloads,
                query: ["dry_run"], headers: [.prefer], body: [MediaType.json],
                answers: [.json(200), .json(201)], idempotency: .inTransaction, .later(create)),
            Route(
                "GET", "/v1/downloads", "listDownloads", scope: .readDownloads,
                query: ListFilter.parameters, answers: [.json()], isLong: true, .later(list)),
            Route(
                "POST", "/v1/downloads/batch", "createDownloads", scope: .writeDownloads,
                query: ["session", "dry_run"], body: [MediaType.json, MediaType.uriList],
                answers: [.json(200), .json(201)], idempotency: .inTransaction, isLong: true,
                .later(createBatch)),
            Route(
                "POST", "/v1/downloads/bulk", "actOnDownloads", scope: .writeDownloads,
                query: ["dry_run"], body: [MediaType.json], answers: [.json()],
                // The number of matches would tell a key without the right to read about the
                // downloads.
                idempotency: .aroundWork, isLong: true, unread: [], .later(actOnMany)),
        ]
    }

    private var itemRoutes: [Route] {
        [
            Route(
                "GET", "/v1/downloads/{id}", "getDownload", scope: .readDownloads,
                query: ["wait"], headers: [.prefer] + .conditions,
                answers: [.json(), .notModified], .later(get)),
            Route(
                "PATCH", "/v1/downloads/{id}", "changeDownload", scope: .writeDownloads,
                headers: .conditions, body: [MediaType.mergePatch, MediaType.json],
                answers: [.json()], .later(change)),
            Route(
                "DELETE", "/v1/downloads/{id}", "deleteDownload", scope: .writeDownloads,
                headers: .conditions, answers: [.empty(204)], .later(delete)),
            Route(
                "GET", "/v1/downloads/{id}/resume_data", "getResumeData", scope: .readDownloads,
                answers: [.json()], .later(resumeData)),
            action("suspend", "suspendDownload", suspend),
            action("resume", "resumeDownload", resume),
            action("cancel", "cancelDownload", cancel),
            action("retry", "retryDownload", retry),
            Route(
                "GET", "/v1/downloads/{id}/attempts", "listAttempts", scope: .readDownloads,
                answers: [.json()], .later(listAttempts)),
        ]
    }

    private func action(
        _ name: String, _ operation: String,
        _ work: @escaping @Sendable (Call) async throws(Problem) -> Response
    ) -> Route {
        Route(
            "POST", "/v1/downloads/{id}/" + name, operation, scope: .writeDownloads,
            headers: .conditions, body: [MediaType.json], answers: [.json()],
            idempotency: .aroundWork, .later(work))
    }
}

extension DownloadEndpoints {
    /// `GET /v1/downloads/{id}`; with `?wait=N` held until the download has ended or its tag
    /// differs.
    func get(_ call: Call) async throws(Problem) -> Response {
        let id = try call.downloadIdentifier()
        let wait = try call.query.integer("wait", in: 0...60) ?? call.preferences.wait ?? 0
        if wait > 0 { return try await held(id, upTo: wait, call) }
        return try show(await reader.downloads.lookUp(id, app: call.app), id, call)
    }

    /// The answer once a download has ended or its tag differs from the request's.
    private func held(
        _ id: Identifier, upTo seconds: Int, _ call: Call
    ) async throws(Problem) -> Response {
        let conditions = call.conditions
        let record = try await reader.hold(id, upTo: seconds, call) { download in
            switch conditions.judge(download.representation) {
            case .failed: true
            case .notModified: false
            case .holds: conditions.asksForAnother || download.state.isTerminal
            }
        }
        return try show(record, call)
    }

    /// Not inlined, so that its values are on the stack and not in the memory of a task.
    @inline(never)
    private func show(
        _ found: Downloads.Found, _ id: Identifier, _ call: Call
    ) throws(Problem) -> Response {
        try show(try reader.record(of: found, id, call), call)
    }

    private func show(_ record: DownloadRecord, _ call: Call) throws(Problem) -> Response {
        let isNotModified = try call.conditions.check(record.download.representation)
        var response =
            isNotModified
            ? unchanged(record.download) : answers.response(record.download, record.candidate)
        if call.query["wait"] == nil { response.headers += call.preferences.applied }
        return response
    }

    private func unchanged(_ download: Download) -> Response {
        var response = Response(status: 304, headers: [("ETag", download.tag.text)])
        if !download.state.isTerminal { response.headers.append(("Retry-After", "2")) }
        return response
    }

    /// `GET /v1/downloads`.
    func list(_ call: Call) async throws(Problem) -> Response {
        let filter = try ListFilter(call.query, ofUploads: call.route.isOfUploads)
        let found = try await call.stored { () throws(StoreError) in
            try await reader.downloads.list(
                app: call.app, filter.filter, order: filter.order,
                after: filter.after, at: filter.afterInstant, limit: filter.limit + 1)
        }
        let page = found.records.prefix(filter.limit)
        let isFull = found.records.count > filter.limit
        let next =
            isFull
            ? page.last.map {
                ListFilter.cursor($0.download.id, at: filter.order.instant(of: $0))
            } : found.resumption.map { ListFilter.cursor($0, at: found.resumptionAt) }
        let now = answers.now()
        let shown = page.map {
            ShownDownload(
                download: $0.download,
                blockers: answers.blockers($0.download, $0.candidate, at: now))
        }
        let link = next.map { [("Link", "<\(filter.path(after: $0))>; rel=\"next\"")] } ?? []
        let body = shown.body(
            filter.view, nextCursor: .some(next), isTruncated: !isFull && next != nil)
        return .json(body, headers: link)
    }

    /// `DELETE /v1/downloads/{id}`.
    func delete(_ call: Call) async throws(Problem) -> Response {
        let id = try call.downloadIdentifier()
        guard let (record, _) = try await perform(.delete, on: id, nil, call) else {
            preconditionFailure("a delete is for no URL")
        }
        await content.remove(fileOf: record)
        return Response(status: 204)
    }
}
