// The bytes of uploads: brought whole by PUT, or piece by piece by tus 1.0.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Platform
internal import Store

/// The endpoints of `/v1/uploads/{id}/content`.
final class UploadContentEndpoints: EndpointGroup {
    /// The function that cancels an upload and deletes it.
    typealias Ending = @Sendable (Call) async throws(Problem) -> Void

    let uploads: Uploads
    let access: UploadAccess
    let peerKeys: PeerKeys?
    let now: @Sendable () -> Timestamp
    let staged: @Sendable () -> Void
    let end: Ending
    /// The requests that go on although their client is gone, so that whole files are staged.
    private let tasks = TaskOwner()

    /// Creates the group with the values that its endpoints use.
    ///
    /// - Parameters:
    ///   - uploads: the rows.
    ///   - access: the files.
    ///   - peerKeys: recognize requests of other replicas; nil accepts none.
    ///   - now: the database's clock.
    ///   - staged: called when a file is whole.
    ///   - end: cancels and deletes the upload of a call.
    init(
        uploads: Uploads, access: UploadAccess, peerKeys: PeerKeys?,
        now: @escaping @Sendable () -> Timestamp, staged: @escaping @Sendable () -> Void,
        end: @escaping Ending
    ) {
        self.uploads = uploads
        self.access = access
        self.peerKeys = peerKeys
        self.now = now
        self.staged = staged
        self.end = end
    }

    /// The path of the bytes of an upload.
    static let path = "/v1/uploads/{id}/content"

    var routes: [Route] {
        let path = UploadContentEndpoints.path
        return [
            Route(
                "PUT", path, "putUploadContent", scope: .writeUploads,
                headers: [.reprDigest], body: ["*/*"],
                answers: [.empty(204)] + UploadContentEndpoints.refusals,
                ignoresAccept: true, streamsBody: true, .later(put)),
            Route(
                "PATCH", path, "patchUploadContent", scope: .writeUploads,
                headers: [.tusResumable, .uploadOffset, .uploadChecksum],
                body: [TusRequest.mediaType],
                answers: [.empty(204)] + UploadContentEndpoints.refusals
                    + [
                        .problem(.checksumMismatch), .problem(.unsupportedMediaType),
                        .problem(.preconditionFailed),
                    ],
                ignoresAccept: true, streamsBody: true, .later(patch)),
            Route(
                "HEAD", path, "headUploadContent", scope: .writeUploads, or: .readUploads,
                headers: [.tusResumable],
                answers: [.empty(200)],
                ignoresAccept: true, .later(head)),
            Route(
                "OPTIONS", path, "optionsOfUploadContent", scope: .writeUploads,
                or: .readUploads, answers: [.empty(204)], ignoresAccept: true, .now(options)),
            Route(
                "DELETE", path, "deleteUploadContent", scope: .writeUploads,
                headers: [.tusResumable],
                answers: [.empty(204), .problem(.preconditionFailed)], ignoresAccept: true,
                .later(terminate)),
            Route(
                "PUT", UploadPassing.pattern, "putUploadContentOfReplica", scope: nil,
                answers: [.empty(204)], ignoresAccept: true, streamsBody: true,
                .later(answerPeer)),
        ]
    }

    private static let refusals: [RouteAnswer] = [
        .problem(.uploadConflict), .problem(.contentExpired), .problem(.contentTooLarge),
        .problem(.digestMismatch), .problem(.insufficientStorage),
    ]

    /// `OPTIONS /v1/uploads/{id}/content`.
    func options(_ call: Call) throws(Problem) -> Response {
        let algorithms = TusRequest.algorithms.map(\.rawValue).joined(separator: ",")
        return Response(
            status: 204,
            headers: [
                TusRequest.resumable, ("Tus-Version", TusRequest.version),
                ("Tus-Extension", TusRequest.extensions),
                ("Tus-Max-Size", "\(access.lengthAtMost)"),
                ("Tus-Checksum-Algorithm", algorithms),
            ])
    }

    /// `HEAD /v1/uploads/{id}/content`.
    func head(_ call: Call) async throws(Problem) -> Response {
        try await tus { () throws(Problem) in
            try TusRequest.expectVersion(call.request)
            guard call.grant.scopes.contains(.writeUploads) else {
                // A key that may only look ends no request that brings bytes.
                let row = try await self.find(try call.downloadIdentifier(), call)
                return try self.staging(call, call.request, app: call.app).look(row)
            }
            return try await self.perform(call)
        }
    }

    /// `PATCH /v1/uploads/{id}/content`.
    func patch(_ call: Call) async throws(Problem) -> Response {
        try await tus { () throws(Problem) in
            _ = try TusRequest(patch: call.request)
            return try await self.perform(call)
        }
    }

    /// `PUT /v1/uploads/{id}/content`.
    func put(_ call: Call) async throws(Problem) -> Response {
        _ = try ReprDigest(call.request)
        return try await perform(call)
    }

    /// `DELETE /v1/uploads/{id}/content`: the termination of tus, which ends the upload.
    func terminate(_ call: Call) async throws(Problem) -> Response {
        try await tus { () throws(Problem) in
            try TusRequest.expectVersion(call.request)
            let id = try call.downloadIdentifier()
            try await self.end(call)
            await self.access.remove(id)
            return Response(status: 204)
        }
    }

    /// Adds the version of tus to an answer or refusal.
    private func tus(
        _ work: () async throws(Problem) -> Response
    ) async throws(Problem) -> Response {
        do throws(Problem) {
            var response = try await work()
            if !response.headers.contains(where: { $0.0 == TusRequest.resumable.0 }) {
                response.headers.append(TusRequest.resumable)
            }
            return response
        } catch {
            var problem = error
            problem.headers.append(TusRequest.resumable)
            throw problem
        }
    }

    /// Answers here, or lets the replica that has the file answer.
    private func perform(_ call: Call) async throws(Problem) -> Response {
        let id = try call.downloadIdentifier()
        let row = try await place(of: try await find(id, call), call)
        guard row.takesBytes, row.holder != access.instance else {
            return try await here(call, row, call.request, app: call.app)
        }
        guard row.holderWorks, let holder = row.holder, let address = row.address else {
            throw ContentEndpoints.away("The replica that has the bytes is not running.")
        }
        return try await pass(call, row, to: holder, at: address)
    }

    /// The row of an upload of the call's app.
    private func find(_ id: Identifier, _ call: Call) async throws(Problem) -> StagingRow {
        let row = try await call.stored { () throws(StoreError) in
            try await uploads.row(of: id, app: call.app)
        }
        guard let row else { throw .noDownload(id) }
        return row
    }

    /// The row after this replica has taken an upload that none had.
    private func place(of row: StagingRow, _ call: Call) async throws(Problem) -> StagingRow {
        guard row.takesBytes, row.holder == nil else { return row }
        let held = try await call.stored { () throws(StoreError) in
            try await uploads.hold(row.id, in: access.instance)
        }
        guard let held else { throw .noDownload(row.id) }
        return held
    }

    private func staging(_ call: Call, _ request: Request, app: Int64?) -> UploadStaging {
        UploadStaging(
            call: call, request: request, app: app, uploads: uploads, access: access,
            staged: staged)
    }

    /// Answers from the own data directory, also if the client goes away meanwhile.
    func here(
        _ call: Call, _ row: StagingRow, _ request: Request, app: Int64?
    ) async throws(Problem) -> Response {
        let staging = staging(call, request, app: app)
        let result = await withCheckedContinuation { done in
            tasks.start {
                do throws(Problem) {
                    done.resume(
                        returning: Result<Response, Problem>.success(try await staging.perform(row))
                    )
                } catch {
                    done.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
