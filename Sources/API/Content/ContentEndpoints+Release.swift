// Releasing content, keeping it while it is read, and finding it missing.
internal import Core
internal import HTTPWire
internal import Store

extension ContentEndpoints {
    /// `DELETE /v1/downloads/{id}/content`.
    ///
    /// The row is marked as released, then the file is removed if it is on this replica; otherwise
    /// the replica that has it removes it.
    func release(_ call: Call) async throws(Problem) -> Response {
        let id = try call.downloadIdentifier()
        let conditions = call.conditions
        let outcome = try await call.stored { () throws(StoreError) in
            try await reader.downloads.contents.release(
                id, app: call.app,
                where: { conditions.judge(ContentEndpoints.heldContent($0)) == .holds })
        }
        switch outcome {
        case .notFound: throw Problem.noDownload(id)
        case .without(let record): throw Problem.noContent(record.download)
        case .refused(let record): throw conditions.problem(ContentEndpoints.heldContent(record))
        case .done(let record):
            if let fence = record.contentFence { await content.remove(id, fence) }
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
        case .lost: throw ContentEndpoints.lost
        }
    }

    /// Extends the retention of content that is read shortly before its end.
    func lease(_ download: Download, _ call: Call) async throws(Problem) {
        let lease = KeptContent.lease(retention: download.spec.contentRetention)
        let now = self.now()
        guard let end = download.result.content?.expiresAt, end < now + lease / 2 else { return }
        try await call.stored { () throws(StoreError) in
            try await reader.downloads.contents.extend(
                download.id, by: lease, at: now)
        }
    }

    /// Why a file is missing; a file that should be on this replica is recorded as lost.
    func missing(_ id: Identifier, _ call: Call) async throws(Problem) -> Problem {
        let instance = content.instance
        let contents = reader.downloads.contents
        let (isElsewhere, isLost) = try await call.stored { () throws(StoreError) in
            if try await contents.isElsewhere(id, than: instance) { return (true, false) }
            return (false, try await contents.lose(id, instance: instance))
        }
        if isElsewhere {
            return Problem(
                .notReady,
                "The file is in the data directory of another replica; send the request there."
            )
        }
        guard isLost else {
            return Problem(
                .contentExpired, "The file of this download is no longer in the data directory.")
        }
        content.lost()
        call.report("content lost: \(id.text(.download))")
        return ContentEndpoints.lost
    }

    /// Records content whose file has another length as lost.
    ///
    /// - Throws: `content-lost`, unless the record changed meanwhile.
    func expectLost(_ id: Identifier, _ call: Call) async throws(Problem) {
        let isLost = try await call.stored { () throws(StoreError) in
            try await reader.downloads.contents.lose(
                id, instance: content.instance)
        }
        guard isLost else { return }
        content.lost()
        throw ContentEndpoints.lost
    }

    private static let lost = Problem(
        .contentLost,
        "The file of this download is missing or damaged in the data directory; POST the URL as a "
            + "new download to have it again.")
}
