// Downloads read, listed, and acted on.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// `GET /v1/downloads/{id}`, held with `?wait=N` until there is something to tell.
    func getDownload(_ call: Call) async throws(Problem) -> Response {
        let id = try downloadIdentifier(call)
        let preferences = Preferences(call.request.headers)
        let asked = try call.query.integer("wait", in: 0...60)
        let wait = asked ?? preferences.wait ?? 0
        let conditions = Preconditions(call.request)
        let record = try await held(id, upTo: wait, call) { download in
            switch conditions.judge(download.representation) {
            case .failed: true
            case .notModified: false
            case .holds: conditions.asksForAnother || download.state.isTerminal
            }
        }
        let isKnown = try conditions.check(record.download.representation)
        var response =
            isKnown ? unchanged(record.download) : resource(record.download, record.applicant)
        if asked == nil { response.headers += preferences.applied }
        return response
    }

    /// A download as soon as it is worth telling, or when the time is over.
    ///
    /// - Parameters:
    ///   - id: which.
    ///   - seconds: the time.
    ///   - call: the request that waits.
    ///   - isWorthTelling: judges each state that is seen.
    /// - Returns: the download as it was seen last.
    /// - Throws: `not-found`, or what the store's failure becomes.
    func held(
        _ id: Identifier, upTo seconds: Int, _ call: Call,
        until isWorthTelling: (Download) -> Bool
    ) async throws(Problem) -> DownloadRecord {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            let record = try await download(id, call)
            let left = deadline - ContinuousClock.now
            let isEnding = dependencies.worker.isDraining() || Task.isCancelled
            guard !isWorthTelling(record.download), left > .zero, !isEnding else { return record }
            await dependencies.store.changes.wait(for: id, upTo: left)
        }
    }

    private func unchanged(_ download: Download) -> Response {
        var response = Response(status: 304, headers: [("ETag", download.tag.text)])
        if !download.state.isTerminal { response.headers.append(("Retry-After", "2")) }
        return response
    }

    /// `GET /v1/downloads`; not on the server's lane, because a page is long.
    @concurrent func listDownloads(_ call: Call) async throws(Problem) -> Response {
        let filter = try ListFilter(call.query)
        let records = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.downloads.list(
                app: dependencies.settings.app, filter.filter, order: filter.order,
                after: filter.after, limit: filter.limit + 1)
        }
        let page = records.prefix(filter.limit)
        let next = records.count > filter.limit ? page.last.map(\.download.id) : nil
        let now = dependencies.now()
        let shown = page.map {
            ShownDownload(
                download: $0.download, blockers: blockers($0.download, $0.applicant, at: now))
        }
        let link = next.map { [("Link", "<\(filter.path(after: $0))>; rel=\"next\"")] } ?? []
        return .json(shown.body(nextCursor: .some(next.map(ListFilter.cursor))), headers: link)
    }

    /// `POST /v1/downloads/{id}/suspend`.
    func suspendDownload(_ call: Call) async throws(Problem) -> Response {
        try await act(.suspend, call)
    }

    /// `POST /v1/downloads/{id}/resume`.
    func resumeDownload(_ call: Call) async throws(Problem) -> Response {
        try await act(.resume, call)
    }

    /// `POST /v1/downloads/{id}/cancel`.
    func cancelDownload(_ call: Call) async throws(Problem) -> Response {
        try await act(.cancel, call)
    }

    /// `POST /v1/downloads/{id}/retry`.
    func retryDownload(_ call: Call) async throws(Problem) -> Response {
        try await act(.retry, call)
    }

    /// `DELETE /v1/downloads/{id}`.
    func deleteDownload(_ call: Call) async throws(Problem) -> Response {
        let id = try downloadIdentifier(call)
        let (record, _) = try await perform(.delete, on: id, nil, call)
        if let fence = record.contentFence { await dependencies.content.remove(id, fence) }
        return Response(status: 204)
    }

    private func act(_ action: DownloadAction, _ call: Call) async throws(Problem) -> Response {
        let id = try downloadIdentifier(call)
        let request = action == .retry ? try await retriedRequest(of: id, call) : nil
        if action != .retry { try call.expectNoDocument() }
        let (record, order) = try await perform(action, on: id, request, call)
        if let order { dependencies.worker.orderPlaced(id, order) }
        if action == .resume || action == .retry { dependencies.worker.hint() }
        if record.download.spec.webhookURL != nil { dependencies.worker.delivered() }
        return resource(record.download, record.applicant)
    }

    private func perform(
        _ action: DownloadAction, on id: Identifier, _ request: SealedRequest?, _ call: Call
    ) async throws(Problem) -> (DownloadRecord, RunOrder?) {
        let conditions = Preconditions(call.request)
        let outcome = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.downloads.perform(
                action, on: id, app: dependencies.settings.app, request: request,
                where: { conditions.judge($0.representation) == .holds })
        }
        switch outcome {
        case .done(let record, let order): return (record, order)
        case .refused(let record): throw conditions.problem(record.download.representation)
        case .notFound: throw Router.noDownload(id)
        case .secretsErased(let shape): throw Router.secretsErased(shape)
        case .impossible(let state): throw Router.impossible("be told to " + action.rawValue, state)
        }
    }

    /// The state does not allow what was asked for.
    static func impossible(_ wish: String, _ state: DownloadState) -> Problem {
        let allowed = DownloadAction.allowed(in: state)
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        var problem = Problem(
            .invalidStateTransition,
            "A download that is \(state.rawValue) cannot \(wish); possible now: \(names).")
        problem.members["state"] = .string(state.rawValue)
        problem.members["allowed"] = .array(allowed.map { .string($0.rawValue) })
        return problem
    }
}
