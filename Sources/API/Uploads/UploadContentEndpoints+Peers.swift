// Requests for bytes that another replica has: passed on to it, and taken from it.
internal import Base
internal import HTTPWire
internal import Store

extension UploadContentEndpoints {
    /// Lets the replica that has the file answer.
    ///
    /// - Throws: `content-unavailable` if it does not.
    func pass(
        _ call: Call, _ row: StagingRow, to holder: Identifier, at address: String
    ) async throws(Problem) -> Response {
        let request = call.request
        var length: Int64 = 0
        if let incoming = request.incoming {
            guard let announced = incoming.length else {
                throw Problem(
                    .validationFailed,
                    "Another replica takes the bytes of this upload, so send Content-Length in "
                        + "place of the chunked coding.")
            }
            length = announced
        }
        guard length <= row.length else { throw UploadStaging.tooLong(row.length) }
        let passing = UploadPassing(
            request, length: length, of: row.id, to: holder, at: address)
        switch await access.pass(passing) {
        case .answer(let response): return response
        case .broken(let reason): throw Problem(.requestTimeout, reason)
        case .unavailable(let cause):
            call.report("the replica at \(address) did not take bytes of an upload: \(cause)")
            throw ContentEndpoints.away("The replica that has the bytes does not answer.")
        }
    }

    /// `PUT /internal/uploads/{id}/{instance}/{operation}/{fields}`: takes a request that another
    /// replica passes on.
    func answerPeer(_ call: Call) async throws(Problem) -> Response {
        guard let admission = peerKeys?.admit(call.request, at: now()) else {
            var problem = Problem(
                .unauthorized,
                "Only replicas of this deployment may use this path: they sign each request, with "
                    + "its time, by the shared key in LULL_ENCRYPTION_KEY_FILE.")
            problem.headers = [("WWW-Authenticate", PeerKeys.scheme)]
            throw problem
        }
        let response: Response
        do throws(Problem) {
            response = try await take(call, admission)
        } catch {
            response = error.response(instance: call.request.path, requestID: call.id)
        }
        return admission.sealed(response)
    }

    private func take(
        _ call: Call, _ admission: PeerKeys.Admission
    ) async throws(Problem) -> Response {
        let request = call.request
        let headers = UploadPassing.headers(of: request)
        let length = request.headers[UploadProof.lengthField].flatMap { Int64($0) } ?? 0
        guard let id = Identifier(hexadecimal: call.parameters[0]),
            ["HEAD", "PATCH", "PUT"].contains(call.parameters[2]), length >= 0,
            call.parameters[3] == UploadProof.digest(of: headers, length: length),
            (length == 0) == (request.incoming == nil)
        else { throw Problem(.notFound, "The path does not fit the request.") }
        guard call.parameters[1] == access.instance.hexadecimal else {
            throw ContentEndpoints.away("Another replica is running at this address.")
        }
        let row = try await call.stored { () throws(StoreError) in
            try await uploads.row(of: id, app: nil)
        }
        guard let row else { throw .noDownload(id) }
        if row.takesBytes, row.holder != access.instance {
            throw ContentEndpoints.away("Another replica has the bytes.")
        }
        let content = request.incoming.map { incoming in
            ProvenContent.body(incoming, admission.contentProof(length: length), length: length)
        }
        let inner = Request(
            method: call.parameters[2], path: request.path, headers: request.headers,
            peer: request.peer, incoming: content)
        return try await here(call, row, inner, app: nil)
    }
}
