// Uploads: created, read, listed, changed, acted on. Their bytes come by `UploadContentEndpoints`.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

/// The endpoints below `/v1/uploads`, without the bytes.
///
/// An upload is stored as a download is, so everything but its creation is the work of
/// `DownloadEndpoints`.
final class UploadEndpoints: EndpointGroup {
    let downloads: DownloadEndpoints
    let contents: Contents
    let access: UploadAccess
    let reservations: StagingQuota

    /// Creates the group over the endpoints of downloads.
    init(_ downloads: DownloadEndpoints, contents: Contents, access: UploadAccess) {
        self.downloads = downloads
        self.contents = contents
        self.access = access
        reservations = StagingQuota(uploads: Uploads(downloads.reader.downloads))
    }

    var routes: [Route] { collectionRoutes + itemRoutes }

    private var collectionRoutes: [Route] {
        [
            Route(
                "POST", "/v1/uploads", "createUpload", scope: .writeUploads,
                query: ["dry_run"], body: [MediaType.json],
                answers: [.json(200), .json(201), .problem(.insufficientStorage)],
                idempotency: .inTransaction, .later(create)),
            Route(
                "GET", "/v1/uploads", "listUploads", scope: .readUploads,
                query: ListFilter.parameters.filter { $0.name != "source" }, answers: [.json()],
                isLong: true, .later(downloads.list)),
            Route(
                "POST", "/v1/uploads/bulk", "actOnUploads", scope: .writeUploads,
                query: ["dry_run"], body: [MediaType.json], answers: [.json()],
                idempotency: .aroundWork, isLong: true, unread: [], .later(downloads.actOnMany)),
        ]
    }

    private var itemRoutes: [Route] {
        [
            Route(
                "GET", "/v1/uploads/{id}", "getUpload", scope: .readUploads, query: ["wait"],
                headers: [.prefer] + .conditions, answers: [.json(), .notModified],
                .later(downloads.get)),
            Route(
                "PATCH", "/v1/uploads/{id}", "changeUpload", scope: .writeUploads,
                headers: .conditions, body: [MediaType.mergePatch, MediaType.json],
                answers: [.json()], .later(downloads.change)),
            Route(
                "DELETE", "/v1/uploads/{id}", "deleteUpload", scope: .writeUploads,
                headers: .conditions, answers: [.empty(204)], .later(downloads.delete)),
            action("suspend", "suspendUpload", downloads.suspend),
            action("resume", "resumeUpload", downloads.resume),
            action("cancel", "cancelUpload", cancel),
            action("retry", "retryUpload", downloads.retry),
            Route(
                "GET", "/v1/uploads/{id}/attempts", "listUploadAttempts", scope: .readUploads,
                answers: [.json()], .later(downloads.listAttempts)),
        ]
    }

    private func action(
        _ name: String, _ operation: String,
        _ work: @escaping @Sendable (Call) async throws(Problem) -> Response
    ) -> Route {
        Route(
            "POST", "/v1/uploads/{id}/" + name, operation, scope: .writeUploads,
            headers: .conditions, body: [MediaType.json], answers: [.json()],
            idempotency: .aroundWork, .later(work))
    }

    /// `POST /v1/uploads/{id}/cancel`.
    func cancel(_ call: Call) async throws(Problem) -> Response {
        let response = try await downloads.cancel(call)
        await access.remove(try call.downloadIdentifier())
        return response
    }
}
