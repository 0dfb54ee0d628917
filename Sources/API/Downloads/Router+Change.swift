// A download gets other values, or tells what was tried.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// `PATCH /v1/downloads/{id}`.
    func changeDownload(_ call: Call) async throws(Problem) -> Response {
        let id = try downloadIdentifier(call)
        let patch: DownloadPatch
        switch DownloadPatch.parse(try call.document()) {
        case .success(let value): patch = value
        case .failure(let errors): throw .invalid(errors)
        }
        // A change lost to one that came first is made up anew from what is there then.
        let conditions = Preconditions(call.request)
        for _ in 0..<8 {
            let old = try await download(id, call).download
            _ = try conditions.check(old.representation)
            let (new, origins) = try await changed(old, by: patch, call)
            let request =
                patch.namesRequest ? try await changedRequest(of: old, by: patch, call) : nil
            let outcome = try await stored(call) { () throws(StoreError) in
                try await dependencies.store.downloads.change(
                    old, to: new, origins: origins, request: request,
                    app: dependencies.settings.app,
                    where: { conditions.judge($0.representation) == .holds })
            }
            switch outcome {
            case .done(let record):
                dependencies.worker.hint()
                if patch.names("max_bytes_per_second") {
                    dependencies.worker.rateChanged(
                        .download(id, record.download.spec.maxBytesPerSecond))
                }
                return resource(record.download, record.applicant)
            case .notFound: throw Router.noDownload(id)
            case .refused(let record): throw conditions.problem(record.download.representation)
            case .stale: continue
            }
        }
        throw Problem(
            .preconditionFailed,
            "Nothing was changed: the download itself changed again and again meanwhile.")
    }

    /// The download as the client wants it, and the origins of its addresses where it names some.
    private func changed(
        _ old: Download, by patch: DownloadPatch, _ call: Call
    ) async throws(Problem) -> (Download, [String]?) {
        guard patch.isPossible(in: old.state) else {
            throw Router.impossible("change like this", old.state)
        }
        var isDiscretionary = false
        if patch.names("is_discretionary") {
            let session = try await session(old.session, for: call)
            isDiscretionary = session.configuration.isDiscretionary ?? false
        }
        switch patch.applied(to: old, sessionIsDiscretionary: isDiscretionary) {
        case .failure(let errors): throw .invalid(errors)
        case .success(let new):
            return (new, patch.namesPlace ? try origins(of: new.addresses) : nil)
        }
    }

    /// `GET /v1/downloads/{id}/attempts`.
    func listAttempts(_ call: Call) async throws(Problem) -> Response {
        let id = try downloadIdentifier(call)
        let attempts = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.downloads.attempts(
                of: id, app: dependencies.settings.app)
        }
        guard let attempts else { throw Router.noDownload(id) }
        return .json(attempts.page)
    }
}
