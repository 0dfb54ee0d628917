// Creates one download: validates it, stores it durably, then answers.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Scheduling
internal import Store

extension DownloadEndpoints {
    /// `POST /v1/downloads`.
    func create(_ call: Call) async throws(Problem) -> Response {
        let document = try call.document()
        guard let object = document.objectValue else { throw .invalid("#", "must be an object") }
        let place = LayeredObject(LayeredObject.Layer(object, at: "#"))
        let (whole, point) = try await builder.opened(place, call)
        var new = try await builder.build(
            try DownloadBuilder.read(whole), makeIdentifier(call.now), call, at: whole)
        new.resume = point
        try call.grant.expectUploads(for: new.download.shared.value.relay)
        let preferences = call.preferences
        if !new.takesName, let first = try await first(of: new, at: place, call) { return first }
        if try call.isDryRun {
            return answers.response(new.download, AdmissionCandidate(new))
        }
        try await quota.expectRoom(for: 1, call)
        let stored = try await remembering(new.download.session, call) { () throws(Problem) in
            try await store(new, call)
        }
        guard var response = stored else {
            // A concurrent create with its external id was committed first.
            if !new.takesName, let first = try await first(of: new, at: place, call) {
                return first
            }
            return try Idempotency.answer(.inProgress)
        }
        guard response.isFirst else { return response }
        wake(for: [new])
        if let until = new.wakeUntil { worker.expect(until) }
        if let seconds = preferences.wait, seconds > 0 {
            response = await ended(new.download.id, upTo: seconds, call) ?? response
        } else if isKnownLater(new, call) {
            response = await ended(new.download.id, upTo: 0, call) ?? response
        }
        response.headers += preferences.applied
        return response
    }

    /// Runs a closure that stores downloads; if a session was ended elsewhere meanwhile, it is read
    /// anew.
    func remembering<Value>(
        _ session: String, _ call: Call, _ body: () async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        do throws(Problem) {
            return try await body()
        } catch {
            if error.kind == .sessionInvalidated {
                sessions.cache.forget(app: call.app, identifier: session)
            }
            throw error
        }
    }

    /// Whether only the store knows why a new download waits: a transfer that it has joined, or a
    /// pause or outage of its origin.
    func isKnownLater(_ new: NewDownload, _ call: Call) -> Bool {
        if new.flight != nil { return true }
        guard let origin = intake.key(ofOrigin: new.origin) else { return false }
        return worker.isHeldBack(origin, call.app, call.now)
    }

    /// The answer to a create that waits for the end of the download; nil if the download cannot be
    /// read.
    private func ended(_ id: Identifier, upTo seconds: Int, _ call: Call) async -> Response? {
        do throws(Problem) {
            let record = try await reader.hold(id, upTo: seconds, call) { $0.state.isTerminal }
            let response = created(record.download, record.candidate)
            // The idempotency key gets this answer from now on.
            await idempotency.keep(response, showing: id, call)
            return response
        } catch {
            // It was created, so the answer is that of a create without a wait.
            return nil
        }
    }

    /// The answer with the existing download that has the external id of a new one; nil if none
    /// has.
    ///
    /// - Throws: `external-id-in-use` if it is another download.
    func first(
        of new: NewDownload, at place: LayeredObject, _ call: Call
    ) async throws(Problem) -> Response? {
        guard let name = new.name else { return nil }
        let found = try await call.stored { () throws(StoreError) in
            try await reader.downloads.find([name], app: call.app)
        }
        guard let record = found[name] else { return nil }
        try DownloadEndpoints.expectSame(
            new.download, record.download, at: place.pointer("external_id"))
        return answers.response(record.download, record.candidate)
    }

    /// Compares the requests of two creates with one external id.
    ///
    /// - Throws: `external-id-in-use`.
    static func expectSame(
        _ new: Download, _ first: Download, at pointer: String
    ) throws(Problem) {
        let (mine, theirs) = (new.shared.value, first.shared.value)
        let url = theirs.isErased ? Download.withoutQueries(new.url) : new.url
        let isSame =
            url == first.url && mine.expectedDigest == theirs.expectedDigest
            && mine.upload == theirs.upload
        guard !isSame else { return }
        let id = first.id.text
        var problem = Problem(
            .externalIDInUse,
            "The \(first.id.noun) \(id) of this session already has this external_id, with another "
                + "URL, length or digest. Use another external_id, or change that one.",
            at: pointer)
        problem.members["download"] = .string(id)
        throw problem
    }

    /// Stores a download, with its answer if the request has an idempotency key.
    ///
    /// - Returns: the answer; nil if its external id is taken.
    func store(_ new: NewDownload, _ call: Call) async throws(Problem) -> Response? {
        var new = new
        guard call.idempotencyKey != nil || new.name != nil || new.replaces != nil else {
            new.download.createdAt = try await call.stored { () throws(StoreError) in
                try await intake.submit(new)
            }
            return created(new.download, AdmissionCandidate(new))
        }
        // The answer is stored together with the download, so it is made before the commit.
        new.acceptedAt = new.download.createdAt
        let response = created(new.download, AdmissionCandidate(new))
        let answer = call.idempotencyKey.map { KeyedAnswer($0, StoredAnswer(response)) }
        let claim =
            new.replaces == nil
            ? try await call.stored { () throws(StoreError) in
                try await intake.submit(new, idempotency: answer)
            } : try await replace(with: new, answer, call)
        if claim == .named { return nil }
        return claim == .mine ? response : try Idempotency.answer(claim)
    }

    /// Stores a download that replaces a live one, whose name it may take.
    private func replace(
        with new: NewDownload, _ answer: KeyedAnswer?, _ call: Call
    ) async throws(Problem) -> KeyClaim {
        // A create without `replaces` may take a freed name first.
        for _ in 0..<4 {
            let (claim, replaced) = try await call.stored { () throws(StoreError) in
                try await intake.replace(with: [new], idempotency: answer)
            }
            note(replaced)
            guard claim == .named, new.takesName else { return claim }
        }
        return .named
    }

    /// Notifies the parts of the program that the canceled downloads concern.
    func note(_ replaced: [ActionOutcome]) {
        for case .done(let record, let order) in replaced {
            if let order { worker.orderPlaced(record.download.id, order) }
            reader.changes.changed([record.download.id])
            if record.download.shared.value.duplicates == .join { worker.flightsChanged() }
            if reader.hasListeners || record.download.spec.webhookURL != nil { worker.delivered() }
        }
        if !replaced.isEmpty { worker.sessionsChanged() }
    }

    private func created(_ download: Download, _ candidate: AdmissionCandidate?) -> Response {
        var response = answers.response(download, candidate, status: 201)
        response.headers.append(("Location", DownloadAnswers.path(of: download.id)))
        return response
    }

    /// Wakes the worker for due downloads and the webhook sender for their webhooks, and passes on
    /// when the others are due.
    func wake(for new: [NewDownload]) {
        var (isSomeDue, hasDeadline, hasWebhook) = (false, false, reader.hasListeners)
        // By index, because an iteration copies each of them.
        for place in new.indices {
            expect(new[place].download)
            let (created, begin) = (
                new[place].download.createdAt, new[place].download.earliestBeginDate
            )
            if new[place].download.state == .waiting, begin ?? created <= created + .seconds(2) {
                isSomeDue = true
            }
            let shared = new[place].download.shared
            if shared.value.completeBy != nil || shared.value.beginDeadline != nil {
                hasDeadline = true
            }
            if shared.value.webhookURL != nil { hasWebhook = true }
        }
        if isSomeDue { worker.hint() }
        if hasDeadline { worker.deadlineSet() }
        if hasWebhook { worker.delivered() }
    }

    /// Tells the worker when a download is due to begin and when its deadline is.
    func expect(_ download: Download) {
        let begin = max(download.createdAt, download.earliestBeginDate ?? download.createdAt)
        if begin > download.createdAt { worker.expect(begin) }
        worker.expect(begin + .seconds(download.shared.value.resourceTimeout))
    }
}

extension AdmissionCandidate {
    /// The candidate of a download right after its create, with the state of its session.
    init(_ new: NewDownload) {
        self.init(accepted: new.download)
        app = new.appName
        sessionKey = new.sessionKey
        // In the form of the session's gate, see `Sessions.limit`.
        if new.isSessionSuspended { sessionGate.limit = 0 }
        guard let until = new.wakeUntil else { return }
        wakeUntil = until
        runAt = max(runAt, until)
    }

    /// The candidate of a download right after its create, without a read of the store.
    init(accepted download: Download) {
        self.init(
            isDiscretionary: download.shared.value.isDiscretionary, session: download.session,
            createdAt: download.createdAt, waitingSince: download.createdAt,
            runAt: max(download.createdAt, download.earliestBeginDate ?? download.createdAt),
            attempt: 0, origin: GateReading(), sessionGate: GateReading(),
            need: download.bytesExpectedByClient ?? 0)
        schedulingClass = download.schedulingClass
        rank = Int(LaneHead.rank(priority: download.priority))
        let spec = download.shared.value
        members = CandidateMembers(
            expectedBytes: download.bytesExpectedByClient, metadata: spec.metadata)
        laneFlags = spec.laneFlags
        asked = CandidateDeadline(begin: spec.beginDeadline, complete: spec.completeBy)
        deadline = CandidateDeadline(
            begin: spec.beginDeadline.map { DueBucket.start(of: $0, at: download.createdAt) },
            complete: spec.completeBy.map { DueBucket.start(of: $0, at: download.createdAt) })
        priority = download.priority
        sends = download.shared.value.bytesExpectedToSend ?? 0
    }
}
