// Content given back, content that is read, content that is gone.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// `DELETE /v1/downloads/{id}/content`.
    func releaseContent(_ call: Call) async throws(Problem) -> Response {
        let id = try downloadIdentifier(call)
        let record = try await download(id, call)
        guard let fence = record.contentFence else { throw Router.noContent(record.download) }
        try await release(id, fence, call)
        return Response(status: 204)
    }

    /// Says that nobody needs the content any more, then removes the file if it is here; if it is
    /// not, the replica that has it does.
    func release(_ id: Identifier, _ fence: Int64, _ call: Call) async throws(Problem) {
        let record = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.downloads.contents.release(
                id, app: dependencies.settings.app)
        }
        guard record != nil else { throw Router.noDownload(id) }
        await dependencies.content.remove(id, fence)
    }

    /// Refuses content that is known to be gone.
    static func expectHeld(_ download: Download) throws(Problem) {
        switch ContentState(of: download.result["content"]) {
        case .held: return
        case .released:
            throw Problem(.contentExpired, "The content was released by its client.")
        case .expired:
            throw Problem(
                .contentExpired,
                "The content was kept for content_retention, until "
                    + (download.result["content"]?["expires_at"]?.stringValue ?? "its end") + ".")
        case .lost: throw Router.lost
        }
    }

    /// Keeps content that is read for a while; costs a statement only near its end.
    func lease(_ download: Download, _ call: Call) async throws(Problem) {
        let lease = KeptContent.lease(retention: download.spec.contentRetention)
        let now = dependencies.now()
        guard
            let end = download.result["content"]?["expires_at"]?.stringValue.flatMap({
                Timestamp(rfc3339: $0)
            }), end < now + lease / 2
        else { return }
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
        dependencies.report(call.id, "content lost: \(id.text(.download))")
        return Router.lost
    }

    /// Refuses content that has not its length, where that is written down.
    func expectLost(_ id: Identifier, _ call: Call) async throws(Problem) {
        let isLost = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.downloads.contents.lose(
                id, instance: dependencies.content.instance)
        }
        if isLost { throw Router.lost }
    }

    private static let lost = Problem(
        .contentLost,
        "The file of this download is missing or damaged in the data directory; POST the URL as a "
            + "new download to have it again.")
}
