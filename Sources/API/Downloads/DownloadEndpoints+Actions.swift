// Actions on one download: suspend, resume, cancel, retry.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

extension DownloadEndpoints {
    /// `POST /v1/downloads/{id}/suspend`.
    func suspend(_ call: Call) async throws(Problem) -> Response {
        try await act(.suspend, call)
    }

    /// `POST /v1/downloads/{id}/resume`.
    func resume(_ call: Call) async throws(Problem) -> Response {
        try await act(.resume, call)
    }

    /// `POST /v1/downloads/{id}/cancel`.
    func cancel(_ call: Call) async throws(Problem) -> Response {
        try await act(.cancel, call)
    }

    /// `POST /v1/downloads/{id}/retry`.
    func retry(_ call: Call) async throws(Problem) -> Response {
        try await act(.retry, call)
    }

    private func act(_ action: DownloadAction, _ call: Call) async throws(Problem) -> Response {
        let id = try call.downloadIdentifier()
        if action != .retry { try call.expectNoDocument() }
        // If the URL changes between the read and the retry, its secrets are judged anew.
        for _ in 0..<8 {
            let changed = action == .retry ? try await sealer.retried(of: id, call) : nil
            guard let (record, order) = try await perform(action, on: id, changed, call) else {
                continue
            }
            return answer(action, record, order, dropped: changed?.dropped)
        }
        throw Problem(
            .preconditionFailed,
            "Nothing was done, because other requests kept changing the download. Send the request "
                + "again.")
    }

    /// Notifies the parts of the program that an action concerns, and shows the download.
    private func answer(
        _ action: DownloadAction, _ record: DownloadRecord, _ order: RunOrder?, dropped: [String]?
    ) -> Response {
        let id = record.download.id
        if let order { worker.orderPlaced(id, order) }
        if action == .resume || action == .retry { worker.hint() }
        if action == .cancel { worker.sessionsChanged() }
        if record.download.shared.value.duplicates == .join { worker.flightsChanged() }
        if reader.hasListeners || record.download.spec.webhookURL != nil { worker.delivered() }
        return answers.response(
            record.download, record.candidate, dropped: action == .retry ? dropped ?? [] : nil)
    }

    /// Performs an action under the conditions of the request.
    ///
    /// - Returns: the download as it is now, and what a running transfer has to be ordered; nil
    ///   where it no longer leads to the URL that `changed` is for.
    func perform(
        _ action: DownloadAction, on id: Identifier, _ changed: RequestSealer.Changed?, _ call: Call
    ) async throws(Problem) -> (DownloadRecord, RunOrder?)? {
        let conditions = call.conditions
        let isCurrent: @Sendable (Download) -> Bool = { download in
            changed.map { $0.url == download.url } ?? true
        }
        let rules = action == .retry ? try await RevivalRules(builder, call) : nil
        let refusal: @Sendable (Download) -> Problem? = { download in
            rules?.refusal(of: download, with: changed?.request.shape)
        }
        let outcome = try await call.stored { () throws(StoreError) in
            try await reader.downloads.perform(
                action, on: id, app: call.app, request: changed?.request,
                where: {
                    isCurrent($0) && conditions.judge($0.representation) == .holds
                        && refusal($0) == nil
                })
        }
        switch outcome {
        case .done(let record, let order): return (record, order)
        case .refused(let record) where !isCurrent(record.download): return nil
        case .refused(let record):
            _ = try conditions.check(record.download.representation)
            throw call.shown(
                refusal(record.download) ?? conditions.problem(record.download.representation))
        case .notFound: throw Problem.noDownload(id)
        case .secretsErased(let shape): throw Problem.secretsErased(shape)
        case .urlErased:
            throw Problem(
                .secretsErased,
                "The query of this download's URL was erased when it ended, because its session is "
                    + "ephemeral. PATCH its url, then retry.")
        case .sessionClosed(let session, let state):
            throw call.shown(.invalidated(session, state))
        case .queueFull: throw Problem.queueFull
        case .stagingFull: throw Problem.stagingFull
        case .impossible(let state):
            throw Problem.impossible(action.participle, in: state, of: id)
        }
    }
}
