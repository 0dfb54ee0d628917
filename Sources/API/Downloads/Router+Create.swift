// A download comes in: judged whole, stored durably, then answered.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// `POST /v1/downloads`.
    func createDownload(_ call: Call) async throws(Problem) -> Response {
        let document = try call.document()
        guard let object = document.objectValue else { throw .invalid("#", "must be an object") }
        let place = LayeredObject(LayeredObject.Layer(object, at: "#"))
        let new = try await newDownload(
            try downloadRequest(place), dependencies.makeIdentifier(call.now), call, at: place)
        let preferences = Preferences(call.request.headers)
        if try call.isDryRun {
            return resource(new.download, Applicant(accepted: new.download))
        }
        try await expectRoom(for: 1, call)
        var response = try await create(new, call)
        guard response.isFirst else { return response }
        tell(of: [new.download])
        if let seconds = preferences.wait, seconds > 0 {
            response = await ended(new.download.id, upTo: seconds, call) ?? response
        }
        response.headers += preferences.applied
        return response
    }

    /// The answer to a create whose client waits for the end; nil if it cannot be told.
    private func ended(_ id: Identifier, upTo seconds: Int, _ call: Call) async -> Response? {
        do throws(Problem) {
            let record = try await held(id, upTo: seconds, call) { $0.state.isTerminal }
            let response = created(record.download, record.applicant)
            // From now on the key stands for this answer.
            if let key = call.once { await keep(response, under: key, showing: id, call) }
            return response
        } catch {
            // It was created, which is what the answer says then.
            return nil
        }
    }

    /// What a request becomes in its session.
    ///
    /// - Parameters:
    ///   - request: the request, read.
    ///   - id: the download's name.
    ///   - call: the request that it came with.
    ///   - place: where its members stand in the body.
    /// - Returns: the download, ready to be stored.
    /// - Throws: what the URL, the webhook's URL or the session is refused with.
    func newDownload(
        _ request: DownloadRequest, _ id: Identifier, _ call: Call, at place: LayeredObject
    ) async throws(Problem) -> NewDownload {
        let origins = try origins(of: [request.url] + request.urls, at: place)
        if let hook = request.overrides.webhookURL {
            try webhookTarget(at: place.pointer("webhook_url")).check(hook)
        }
        try checkProxy(request.members, at: place)
        let session = try await session(
            request.session, at: place.pointer("session"), for: call)
        var spec = DownloadSpec(
            request, session: session.configuration, sessionVersion: session.version,
            defaults: dependencies.settings.defaults)
        spec.traceparent = call.traceparent
        let download = Download(id: id, request: request, spec: spec, createdAt: call.now)
        var new = NewDownload(
            download: download, app: dependencies.settings.app, sessionKey: session.key,
            origin: origins[0])
        new.mirrorOrigins = Array(origins.dropFirst())
        new.sealed = sealed(request.members, for: id).sealed
        return new
    }

    /// The origins of the addresses of a download.
    ///
    /// - Parameters:
    ///   - addresses: its `url`, then its `urls`.
    ///   - place: where the members of the download stand in the body.
    /// - Returns: one for each.
    /// - Throws: what the first bad one is refused with.
    func origins(
        of addresses: [String], at place: LayeredObject = .document
    ) throws(Problem) -> [String] {
        var origins: [String] = []
        for (number, text) in addresses.enumerated() {
            let pointer =
                number == 0 ? place.pointer("url") : place.pointer("urls") + "/\(number - 1)"
            origins.append(try sourceTarget(at: pointer).check(text).origin)
        }
        return origins
    }

    /// Stores a download, with its answer where that has a key.
    private func create(_ new: NewDownload, _ call: Call) async throws(Problem) -> Response {
        var new = new
        guard let key = call.once else {
            new.download.createdAt = try await stored(call) { () throws(StoreError) in
                try await dependencies.store.intake.submit(new)
            }
            return created(new.download, Applicant(accepted: new.download))
        }
        // The answer is stored with what it tells, so it has to be known before.
        new.acceptedAt = new.download.createdAt
        let response = created(new.download, Applicant(accepted: new.download))
        let claim = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.intake.submit(
                new, once: KeyedAnswer(key, StoredAnswer(response)))
        }
        return claim == .mine ? response : try Router.answer(claim)
    }

    private func created(_ download: Download, _ applicant: Applicant?) -> Response {
        var response = resource(download, applicant, status: 201)
        response.headers.append(("Location", Router.path(of: download.id)))
        return response
    }

    /// Wakes those who have something to do now.
    ///
    /// What is due later is found by the worker's own looks, which are a second apart at most:
    /// hints for it would only ask the store in vain.
    func tell(of downloads: [Download]) {
        let isSomeDue = downloads.contains { download in
            let soon = download.createdAt + .seconds(2)
            let isDueSoon = download.earliestBeginDate.map { $0 <= soon } ?? true
            return download.state == .waiting && isDueSoon
        }
        if isSomeDue { dependencies.worker.hint() }
        if downloads.contains(where: { $0.spec.webhookURL != nil }) {
            dependencies.worker.delivered()
        }
    }

    /// Reads the body; a bad URL is listed together with the other findings.
    func downloadRequest(_ document: LayeredObject) throws(Problem) -> DownloadRequest {
        switch DownloadRequest.parse(document) {
        case .success(let request): return request
        case .failure(let errors):
            let pointer = document.pointer("url")
            var reader = FieldReader(document)
            guard let text = reader.value("url")?.stringValue,
                !errors.contains(where: { $0.pointer == pointer })
            else { throw .invalid(errors) }
            do throws(SourceURLError) {
                _ = try SourceURL(parsing: text)
            } catch {
                var all: FieldErrors = [FieldError(pointer, error.description)]
                all.append(contentsOf: errors)
                throw .invalid(all)
            }
            throw .invalid(errors)
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
            attempt: 0, origin: GateReading(), sessionGate: GateReading(),
            need: download.bytesExpectedByClient ?? 0)
    }
}
