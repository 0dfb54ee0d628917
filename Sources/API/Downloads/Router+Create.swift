// A download comes in: judged whole, stored durably, then answered.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// `POST /v1/downloads`.
    func createDownload(_ call: Call) async throws(Problem) -> Response {
        let document = try call.document()
        let request = try downloadRequest(document)
        let url = try sourceTarget.check(request.url)
        if let hook = request.overrides.webhookURL { try webhookTarget.check(hook) }
        let session = try await session(request.session, for: call)
        let spec = DownloadSpec(
            request, session: session.configuration, sessionVersion: session.version,
            defaults: dependencies.settings.defaults)
        let download = Download(
            id: dependencies.makeIdentifier(call.now), request: request, spec: spec,
            createdAt: call.now)
        let new = NewDownload(
            download: download, app: dependencies.settings.app, sessionKey: session.key,
            origin: url.origin)
        let response = try await create(new, call)
        if download.state == .waiting { dependencies.worker.hint() }
        return response
    }

    /// Stores a download, with its answer where that has a key.
    private func create(_ new: NewDownload, _ call: Call) async throws(Problem) -> Response {
        var new = new
        guard let key = call.once else {
            new.download.createdAt = try await stored(call) { () throws(StoreError) in
                try await dependencies.store.intake.submit(new)
            }
            return created(new.download)
        }
        // The answer is stored with what it tells, so it has to be known before.
        new.acceptedAt = new.download.createdAt
        let response = created(new.download)
        let claim = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.intake.submit(
                new, once: KeyedAnswer(key, StoredAnswer(response)))
        }
        return claim == .mine ? response : try Router.answer(claim)
    }

    private func created(_ download: Download) -> Response {
        var response = resource(download, Applicant(accepted: download), status: 201)
        response.headers.append(("Location", Router.path(of: download.id)))
        return response
    }

    /// Reads the body; a bad URL is told together with the other findings.
    private func downloadRequest(_ document: JSON) throws(Problem) -> DownloadRequest {
        switch DownloadRequest.parse(document) {
        case .success(let request): return request
        case .failure(let errors):
            var list = errors.list
            let hasURL = !list.contains { $0.pointer == "#/url" }
            if hasURL, let text = document["url"]?.stringValue {
                do throws(SourceURLError) {
                    _ = try SourceURL(parsing: text)
                } catch {
                    list.insert(FieldError("#/url", error.description), at: 0)
                }
            }
            throw .invalid(list)
        }
    }
}

extension Applicant {
    /// How a download applies right after its create, without asking the store.
    init(accepted download: Download) {
        self.init(
            isDiscretionary: download.spec.isDiscretionary, session: download.session,
            createdAt: download.createdAt, waitingSince: download.createdAt,
            runAt: max(download.createdAt, download.earliestBeginDate ?? download.createdAt),
            attempt: 0, origin: GateReading(), sessionGate: GateReading())
    }
}
