// Changes a download, and reads its attempts.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Scheduling
internal import Store

extension DownloadEndpoints {
    /// `PATCH /v1/downloads/{id}`.
    func change(_ call: Call) async throws(Problem) -> Response {
        let id = try call.downloadIdentifier()
        switch DownloadPatch.parse(try call.document()) {
        case .success(let patch):
            let (record, dropped) = try await change(id, by: patch, call)
            return answers.response(record.download, record.candidate, dropped: dropped)
        case .failure(let errors): throw .invalid(errors)
        }
    }

    /// Changes a download while the conditions of a request hold.
    ///
    /// - Parameters:
    ///   - id: the download.
    ///   - patch: the changes.
    ///   - call: the request that they came with.
    /// - Returns: the changed download, and the members whose secrets were dropped.
    /// - Throws: the reason for which nothing was changed.
    func change(
        _ id: Identifier, by patch: DownloadPatch, _ call: Call
    ) async throws(Problem) -> (DownloadRecord, dropped: [String]) {
        // If another change is committed first, this one is applied again to its result.
        let conditions = call.conditions
        for _ in 0..<8 {
            let found = try await reader.find(id, call)
            let old = found.download
            _ = try conditions.check(old.representation)
            let (new, origins) = try await patched(found, by: patch, call)
            let changed = try await call.quoting { () throws(Problem) in
                try await sealer.changed(old, to: new, by: patch, call)
            }
            let outcome = try await call.stored { () throws(StoreError) in
                try await reader.downloads.change(
                    old, to: new, origins: origins, request: changed?.request,
                    app: call.app,
                    where: { conditions.judge($0.representation) == .holds })
            }
            switch outcome {
            case .done(let record):
                announce(record, patch)
                return (record, changed?.dropped ?? [])
            case .notFound: throw Problem.noDownload(id)
            case .refused(let record): throw conditions.problem(record.download.representation)
            case .stale: continue
            }
        }
        throw Problem(
            .preconditionFailed,
            "Nothing was changed, because other requests kept changing the download. Send the "
                + "request again.")
    }

    /// Tells the worker what a change may mean for it.
    private func announce(_ record: DownloadRecord, _ patch: DownloadPatch) {
        let download = record.download
        worker.hint()
        if download.shared.value.duplicates == .join { worker.flightsChanged() }
        expect(download)
        if patch.names("begin_deadline") || patch.names("complete_by") { worker.deadlineSet() }
        if patch.names("max_bytes_per_second") {
            worker.rateChanged(.download(download.id, download.spec.maxBytesPerSecond))
        }
    }

    /// The download after a patch with its deadlines checked, and the origins of its addresses if
    /// the patch changes some.
    private func patched(
        _ found: DownloadRecord, by patch: DownloadPatch, _ call: Call
    ) async throws(Problem) -> (Download, [String]?) {
        try await call.quoting { () throws(Problem) -> (Download, [String]?) in
            let (new, origins) = try await changed(found.download, by: patch, call)
            try DownloadEndpoints.checkDeadlines(
                of: new, endingAt: DownloadEndpoints.end(of: new, found, by: patch, at: call.now),
                by: patch, at: call.now)
            return (new, origins)
        }
    }

    /// The time limit of a changed download; nil if it follows from its creation.
    ///
    /// For an ended download it counts from its retry.
    private static func end(
        of new: Download, _ found: DownloadRecord, by patch: DownloadPatch, at now: Timestamp
    ) -> Timestamp? {
        if new.state.isTerminal { return now + .seconds(new.shared.value.resourceTimeout) }
        return patch.names("timeout_interval_for_resource") ? nil : found.timesOutAt
    }

    /// Checks the deadlines of a changed download, if the patch names members that they depend on.
    private static func checkDeadlines(
        of new: Download, endingAt end: Timestamp?, by patch: DownloadPatch, at now: Timestamp
    ) throws(Problem) {
        let members = [
            "begin_deadline", "complete_by", "earliest_begin_date", "timeout_interval_for_resource",
        ]
        guard members.contains(where: patch.names) else { return }
        // Its time limit counts from another date, if that is later.
        let spec = new.shared.value
        let later = (new.earliestBeginDate ?? new.createdAt) + .seconds(spec.resourceTimeout)
        let findings = DeadlineRules.findings(
            begin: spec.beginDeadline, complete: spec.completeBy,
            earliest: new.earliestBeginDate, end: max(end ?? later, later), at: now,
            names: patch.names)
        guard !findings.isEmpty else { return }
        var errors = FieldErrors()
        for (member, detail) in findings { errors.append(FieldError("#/" + member, detail)) }
        throw .invalid(errors)
    }

    /// The download after a patch, and the origins of its addresses if the patch changes some.
    private func changed(
        _ old: Download, by patch: DownloadPatch, _ call: Call
    ) async throws(Problem) -> (Download, [String]?) {
        if old.id.isUpload { try DownloadEndpoints.checkMembers(of: patch) }
        guard patch.isPossible(in: old.state) else {
            throw Problem.impossible("changed like this", in: old.state, of: old.id)
        }
        var session = SessionConfiguration()
        if patch.namesSessionValue {
            session = try await sessions.find(old.session, for: call).configuration
        }
        switch patch.applied(to: old, session: session, defaults: builder.defaults) {
        case .failure(let errors): throw .invalid(errors)
        case .success(var new):
            if patch.names("destination") {
                new.spec.destination = try await builder.folders.taken(
                    new.spec.destination, call)
                if let relay = new.spec.relay { try targets.check(relay) }
            }
            try call.grant.expectUploads(for: new.spec.relay)
            if old.id.isUpload {
                new.spec.relay?.keepsContent = false
                guard new.spec.sendTarget != nil else {
                    throw .invalid(
                        "#/destination",
                        "must be a receiver with a url, or the name of a store: a folder takes no "
                            + "uploads")
                }
            }
            if patch.names("begin_hook"), let hook = new.spec.beginHook {
                try targets.beginHook().check(hook.url)
            }
            if patch.names("retry") { try new.spec.retryRule?.check(builder.defaults) }
            if patch.names("webhook_url"), let hook = new.spec.webhookURL {
                try targets.webhook().check(hook)
                if new.spec.webhookEvents == nil {
                    new.spec.webhookEvents = reader.changes.listeners.defaultEvents(of: call.app)
                }
            }
            return (new, patch.namesPlace ? try origins(of: new) : nil)
        }
    }

    /// Refuses a patch of an upload that names members of downloads alone.
    private static func checkMembers(of patch: DownloadPatch) throws(Problem) {
        var errors = FieldErrors()
        for name in DownloadPatch.members
        where patch.names(name) && !Download.changeableOfUploads.contains(name) {
            errors.append(FieldError("#/" + name, "is no member of an upload that may change"))
        }
        guard errors.isEmpty else { throw .invalid(errors) }
    }

    /// `GET /v1/downloads/{id}/attempts`.
    func listAttempts(_ call: Call) async throws(Problem) -> Response {
        let id = try call.downloadIdentifier()
        let attempts = try await call.stored { () throws(StoreError) in
            try await reader.downloads.attempts(
                of: id, app: call.app)
        }
        guard let attempts else { throw Problem.noDownload(id) }
        return .json(attempts.page)
    }

    /// The origins of all addresses of a download.
    private func origins(of download: Download) throws(Problem) -> [String] {
        [try targets.origin(of: download.url)] + (try targets.origins(of: download.spec.urls))
    }
}
