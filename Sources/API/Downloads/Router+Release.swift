// Content given back, content that is read, content that is gone.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// `DELETE /v1/downloads/{id}/content`.
    ///
    /// The row says that the content is not needed, then the file goes if it is here; if it is not,
    /// the replica that has it removes it.
    func releaseContent(_ call: Call) async throws(Problem) -> Response {
        let id = try downloadIdentifier(call)
        let conditions = Preconditions(call.request)
        let outcome = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.downloads.contents.release(
                id, app: dependencies.settings.app,
                where: { conditions.judge(Router.heldContent($0)) == .holds })
        }
        switch outcome {
        case .notFound: throw Router.noDownload(id)
        case .without(let record): throw Router.noContent(record.download)
        case .refused(let record): throw conditions.problem(Router.heldContent(record))
        case .done(let record):
            if let fence = record.contentFence { await dependencies.content.remove(id, fence) }
            return Response(status: 204)
        }
    }

    /// The content of a download, if it is there to be read.
    private static func heldContent(_ record: DownloadRecord) -> Representation? {
        guard record.download.result.content?.state == .held else { return nil }
        return ContentFacts(record)?.representation
    }

    /// Refuses content that is known to be gone.
    static func expectHeld(_ download: Download) throws(Problem) {
        switch download.result.content?.state {
        case nil, .held: return
        case .released:
            throw Problem(.contentExpired, "The content was released by its client.")
        case .expired:
            throw Problem(
                .contentExpired,
                "The content was kept for content_retention, until "
                    + (download.result.content?.expiresAt?.rfc3339 ?? "its end") + ".")
        case .lost: throw Router.lost
        }
    }

    /// Keeps content that is read for a while; costs a statement only near its end.
    func lease(_ download: Download, _ call: Call) async throws(Problem) {
        let lease = KeptContent.lease(retention: download.spec.contentRetention)
        let now = dependencies.now()
        guard let end = download.result.content?.expiresAt, end < now + lease / 2 else { return }
        try await stored(call) { () throws(StoreError) in
            try await dependencies.store.downloads.contents.extend(
                download.id, by: lease, at: now)
        }
    }

    /// Why a file is not here; if it should be, that is written down.
    func missing(_ id: Identifier, _ call: Call) async throws(Problem) -> Problem {
        let instance = dependencies.content.instance
        let contents = dependencies.store.downloads.contents
        let (isElsewhere, isLost) = try await stored(call) { () throws(StoreError) in
            if try await contents.isElsewhere(id, than: instance) { return (true, false) }
            return (false, try await contents.lose(id, instance: instance))
        }
        if isElsewhere {
            return Problem(
                .notReady,
                "The file lies in the data directory of another replica; ask that one.")
        }
        guard isLost else {
            return Problem(
                .contentExpired, "The file of this download is no longer in the data directory.")
        }
        dependencies.content.lost()
        dependencies.report(call.id, "content lost: \(id.text(.download))")
        return Router.lost
    }

    /// Refuses content that has not its length, where that is written down.
    func expectLost(_ id: Identifier, _ call: Call) async throws(Problem) {
        let isLost = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.downloads.contents.lose(
                id, instance: dependencies.content.instance)
        }
        guard isLost else { return }
        dependencies.content.lost()
        throw Router.lost
    }

    private static let lost = Problem(
        .contentLost,
        "The file of this download is missing or damaged in the data directory; POST the URL as a "
            + "new download to have it again.")
}
