// Actions on one download: suspend, resume, cancel, retry.
internal import Core
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
        let request = action == .retry ? try await sealer.retried(of: id, call) : nil
        if action != .retry { try call.expectNoDocument() }
        let (record, order) = try await perform(action, on: id, request, call)
        if let order { worker.orderPlaced(id, order) }
        if action == .resume || action == .retry { worker.hint() }
        if action == .cancel { worker.sessionsChanged() }
        if record.download.shared.spec.duplicates == .join { worker.flightsChanged() }
        if reader.hasListeners || record.download.spec.webhookURL != nil { worker.delivered() }
        return answers.response(record.download, record.candidate)
    }

    /// Performs an action under the conditions of the request.
    ///
    /// - Returns: the download as it is now, and what a running transfer has to be ordered.
    func perform(
        _ action: DownloadAction, on id: Identifier, _ request: SealedRequest?, _ call: Call
    ) async throws(Problem) -> (DownloadRecord, RunOrder?) {
        let conditions = call.conditions
        let outcome = try await call.stored { () throws(StoreError) in
            try await reader.downloads.perform(
                action, on: id, app: call.app, request: request,
                where: { conditions.judge($0.representation) == .holds })
        }
        switch outcome {
        case .done(let record, let order): return (record, order)
        case .refused(let record): throw conditions.problem(record.download.representation)
        case .notFound: throw Problem.noDownload(id)
        case .secretsErased(let shape): throw Problem.secretsErased(shape)
        case .urlErased:
            throw Problem(
                .secretsErased,
                "The query of this download's URL was erased at its end, because its session is "
                    + "ephemeral; PATCH its url, then retry.")
        case .sessionClosed(let session, let state): throw Problem.invalidated(session, state)
        case .impossible(let state):
            throw Problem.impossible(action.participle, in: state)
        }
    }
}
