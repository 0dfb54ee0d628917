// Builds new downloads: reads them, checks them by the operator's rules, completes them from their
// session, seals secrets.
internal import Base
internal import Downloads
internal import Scheduling
internal import Store

/// Builds the downloads of creates and batches.
struct DownloadBuilder: Sendable {
    /// The rules for destinations of URLs.
    let targets: TargetRules
    /// The sessions.
    let sessions: SessionLookup
    /// The sealer of secrets.
    let sealer: RequestSealer
    /// The rule for folders and stores of files.
    let folders: FolderRule
    /// The default values of the deployment.
    let defaults: DeploymentDefaults

    /// Builds the download of a request in its session.
    ///
    /// - Parameters:
    ///   - request: the request, read.
    ///   - id: the download's identifier.
    ///   - call: the request that it came with.
    ///   - place: where its members stand in the body.
    ///   - isLook: whether it is a look of a source, which no client creates in the background.
    /// - Returns: the download, ready to be stored.
    /// - Throws: what the URL, the webhook's URL or the session is refused with.
    func build(
        _ request: DownloadRequest, _ id: Identifier, _ call: Call, at place: LayeredObject,
        isLook: Bool = false
    ) async throws(Problem) -> NewDownload {
        let origins = try origins(of: request, at: place)
        var request = request
        request.destination = try await folders.taken(request.destination, call, at: place)
        let session = try await sessions.find(
            request.session, in: place, for: call)
        guard session.state.takesDownloads else {
            throw Problem.invalidated(session.identifier, session.state)
        }
        let background = isLook ? (false, nil) : try await background(session, call)
        var new = try built(request, id, call, at: place, origins, session, background)
        if let condition = try await condition(of: request, new.download, call, at: place) {
            new.download.spec.condition = condition
        }
        new.replaces = request.replaces
        return new
    }

    /// The origins of its addresses, after checks of all its URLs.
    ///
    /// Not inlined after the last suspension, because its values would be in the task's memory.
    @inline(never) private func origins(
        of request: DownloadRequest, at place: LayeredObject
    ) throws(Problem) -> (own: String, mirrors: [String]) {
        let origin =
            request.upload == nil
            ? try targets.origin(of: request.url, at: place) : ""
        let mirrors = try targets.origins(of: request.urls, at: place)
        if let hook = request.overrides.webhookURL { try targets.webhook(of: place).check(hook) }
        if let hook = request.overrides.beginHook {
            try targets.beginHook(of: place).check(hook.url)
        }
        if let relay = request.relay { try targets.check(relay, at: place) }
        try targets.checkProxy(request.members.proxyURL, at: place)
        return (origin, mirrors)
    }

    /// The download with the values of its session and of the deployment.
    @inline(never) private func built(
        _ request: DownloadRequest, _ id: Identifier, _ call: Call, at place: LayeredObject,
        _ origins: (own: String, mirrors: [String]), _ session: SessionRecord,
        _ background: (isEntered: Bool, until: Timestamp?)
    ) throws(Problem) -> NewDownload {
        var spec = DownloadSpec(
            request, session: session.configuration, sessionVersion: session.version,
            defaults: defaults)
        (spec.traceparent, spec.requestID) = (call.traceparent, call.id)
        if background.isEntered { spec.forceDiscretionary() }
        // The session's receivers were allowed when it was put, but perhaps no longer are.
        try targets.checkReceivers(spec, at: place)
        if spec.isSentOn, spec.duplicates == .join {
            throw .invalid(
                place.pointer("on_duplicate_url"),
                "cannot be \"join\" in a session with a destination, because the bytes are those "
                    + "of the other download; give the destination null to have none")
        }
        let findings = DeadlineRules.findings(of: request, spec, at: call.now)
        guard findings.isEmpty else {
            var errors = FieldErrors()
            for (member, detail) in findings {
                errors.append(FieldError(place.pointer(member), detail))
            }
            throw .invalid(errors)
        }
        try request.overrides.retryRule?.check(defaults, at: place)
        if spec.webhookURL != nil, spec.webhookEvents == nil {
            spec.webhookEvents = sealer.reader.changes.listeners.defaultEvents(of: call.app)
        }
        var (request, origin) = (request, origins.own)
        if request.upload != nil {
            guard let target = spec.sendTarget?.origin, let url = Download.place(of: spec) else {
                throw .invalid(
                    place.pointer("destination"),
                    "must be a receiver with a url, or the name of a store: a folder takes no "
                        + "uploads")
            }
            (request.url, origin) = (url, target)
        }
        let download = Download(id: id, request: request, spec: spec, createdAt: call.now)
        var new = NewDownload(
            download: download, app: call.app, sessionKey: session.key, origin: origin)
        new.mirrorOrigins = origins.mirrors
        new.appName = session.appName
        new.isSessionSuspended = session.state == .suspended
        if background.isEntered { new.wakeUntil = background.until ?? call.now }
        let secrets = request.members.secrets
        new.sealed = sealer.sealed(request.members, to: request.url, for: id, app: call.app).sealed
        guard spec.upload == nil else { return new }
        new.flight = download.flight(
            app: call.app, sessionKey: session.key,
            secrets: BoundSecrets(secrets, for: request.url).plain
        ).flatMap { sealer.flight($0) }
        return new
    }

    /// Whether the download is created while its session's client is in the background, and the end
    /// of its delay.
    ///
    /// The store is asked only for sessions that can be woken, or whose client was ended by a
    /// person.
    private func background(
        _ session: SessionRecord, _ call: Call
    ) async throws(Problem) -> (isEntered: Bool, until: Timestamp?) {
        let configuration = session.configuration
        let isWoken =
            configuration.sendsLaunchEvents != false
            && configuration.eventSet
                .union(sealer.reader.changes.listeners.events(of: call.app))
                .contains(.sessionWake)
        guard isWoken || session.isMuted else { return (false, nil) }
        let found = try await call.stored { () throws(StoreError) in
            try await sealer.reader.downloads.wakes.enterBackground(session.key)
        }
        return (found.isBackground, found.until)
    }

    /// Reads the members of a new download; a bad URL is listed with the other errors.
    ///
    /// - Throws: `validation-failed`.
    static func read(_ document: LayeredObject) throws(Problem) -> DownloadRequest {
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

extension RetryRule {
    /// Refuses a retry rule beyond the bounds of the deployment.
    ///
    /// - Throws: `validation-failed`.
    func check(
        _ defaults: DeploymentDefaults, at place: LayeredObject = .document
    ) throws(Problem) {
        let findings = findings(defaults)
        guard !findings.isEmpty else { return }
        var errors = FieldErrors()
        for (suffix, detail) in findings {
            errors.append(FieldError(place.pointer("retry") + suffix, detail))
        }
        throw .invalid(errors)
    }
}

extension Problem {
    /// The refusal of a download for a session that accepts none.
    static func invalidated(_ session: String, _ state: SessionState) -> Problem {
        Problem(
            .sessionInvalidated,
            "The session \"\(session)\" is \(state.name) and takes no new downloads. "
                + (state == .invalidated
                    ? "PUT its configuration to make a new session of that name."
                    : "When its downloads have ended, PUT makes a new session of that name."))
    }
}
