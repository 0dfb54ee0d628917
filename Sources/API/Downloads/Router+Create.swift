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
        var download = Download(
            id: dependencies.makeIdentifier(call.now), request: request, spec: spec,
            createdAt: call.now)
        let new = NewDownload(
            download: download, app: dependencies.settings.app, sessionKey: session.key,
            origin: url.origin)
        download.createdAt = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.intake.submit(new)
        }
        tell(of: download)
        var response = resource(
            download, Applicant(accepted: download), status: 201)
        response.headers.append(("Location", Router.path(of: download.id)))
        return response
    }

    /// Wakes those who have something to do now.
    ///
    /// What is due later is found by the worker's own looks, which are a second apart at most:
    /// hints for it would only ask the store in vain.
    private func tell(of download: Download) {
        let soon = download.createdAt + .seconds(2)
        let isDueSoon = download.earliestBeginDate.map { $0 <= soon } ?? true
        if download.state == .waiting, isDueSoon { dependencies.worker.hint() }
        if download.spec.webhookURL != nil { dependencies.worker.delivered() }
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
