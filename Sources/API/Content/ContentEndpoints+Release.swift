// Releases content, keeps it while it is read, and refuses missing content.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Platform
internal import Store
internal import Synchronization

extension ContentEndpoints {
    /// `DELETE /v1/downloads/{id}/content`.
    ///
    /// The row is marked as released, then the file is removed: here if it is on this replica, by
    /// its replica if not.
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
            await end(record)
            return Response(status: 204)
        }
    }

    /// Handles released content: removes its file and delivers its event.
    private func end(_ record: DownloadRecord) async {
        await content.remove(fileOf: record)
        if reader.hasListeners || record.download.spec.webhookURL != nil { delivered() }
    }

    /// A body after whose complete sending the content is released, for an ephemeral session.
    func readOnce(
        _ body: Body, of download: Download, _ reading: ContentReading, _ call: Call
    ) -> Body {
        guard download.spec.isEphemeral, !call.request.isHead else { return body }
        let (id, app) = (download.id, reading.app)
        let release: @Sendable @concurrent () async -> Void = { [self] in
            do throws(StoreError) {
                let outcome = try await reader.downloads.contents.release(
                    id, app: app, where: { _ in true })
                if case .done(let record) = outcome { await end(record) }
            } catch {
                // If that fails it is released at the end of its retention.
            }
        }
        switch body {
        case .file(let file):
            return .file(
                FileRegion(
                    descriptor: file.descriptor, offset: file.offset, length: file.length,
                    close: { withExtendedLifetime(file) {} },
                    sent: { [tasks] in tasks.start(release) }))
        case .stream(let stream):
            return .stream(
                BodyStream(length: stream.length) { writer in
                    let taken = Mutex<Int64>(0)
                    await stream.produce(
                        BodyWriter { bytes in
                            guard await writer.write(bytes) else { return false }
                            taken.withLock { $0 += Int64(bytes.count) }
                            return true
                        })
                    if taken.withLock(\.self) == stream.length { await release() }
                })
        case .none, .bytes: return body
        }
    }

    /// The content of a download, if it can be read.
    private static func heldContent(_ record: DownloadRecord) -> Representation? {
        guard record.download.result.content?.state == .held else { return nil }
        return ContentFacts(record)?.representation
    }

    /// Refuses content that is known to be missing.
    static func expectHeld(_ download: Download) throws(Problem) {
        switch download.result.content?.state {
        case nil, .held, .leased, .changed: return
        case .released:
            throw Problem(.contentExpired, "A client released the content.")
        case .expired:
            throw Problem(
                .contentExpired,
                "The content was removed at the end of its content_retention, "
                    + (download.result.content?.expiresAt?.rfc3339 ?? "which is over") + ".")
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

    /// Reports a file that was not found as its row names it; the worker judges it.
    ///
    /// - Returns: `content-unavailable`: a file is not lost because it is missing now.
    func unavailable(_ id: Identifier, _ fence: Int64) -> Problem {
        content.missed(id, fence)
        var problem = Problem(
            .contentUnavailable,
            "The file of this download cannot be found or read at the moment. Try again.")
        problem.headers = [("Retry-After", "\(ContentEndpoints.retryAfter)")]
        return problem
    }

    static let lost = Problem(
        .contentLost,
        "The file of this download is missing or damaged, or the replica that had it is gone. POST "
            + "to /retry of the download to fetch it again.")
}
