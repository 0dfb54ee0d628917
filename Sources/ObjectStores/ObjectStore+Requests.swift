// Requests on their way to a store, and what follows from their answers.
internal import Base
internal import Crypto
internal import Downloads
internal import Transfers

extension ObjectStore {
    /// Makes a request, and once more with other credentials if these were refused.
    ///
    /// - Returns: the answer of a store that did it.
    func granted(
        _ request: StoreRequest, _ call: StoreCall
    ) async throws(StoreFailure) -> StoreAnswer {
        let keys = try credentials.current()
        let answer = try await answer(to: request, keys, call)
        if answer.isGranted { return answer }
        guard answer.refusesCredentials, let others = try credentials.renewed(after: keys) else {
            throw masked(answer.failure(of: request, now: now()), keys)
        }
        let second = try await self.answer(to: request, others, call)
        guard second.isGranted else {
            throw masked(second.failure(of: request, now: now()), others)
        }
        return second
    }

    /// The URL of a request.
    func url(
        of request: StoreRequest, at endpoint: SourceURL
    ) throws(StoreFailure) -> SourceURL {
        guard let url = request.url(location, at: endpoint) else {
            throw StoreFailure(.refused, "No URL can name the object, because of its key.")
        }
        return url
    }

    /// The terms of a signature at this instant.
    func signature(by keys: SigningCredentials) -> SignatureV4 {
        SignatureV4(keys, region: location.region, at: now())
    }

    /// The failure for an answer without what it should tell.
    func malformed(_ request: StoreRequest, _ answer: StoreAnswer) -> StoreFailure {
        var failure = StoreFailure(
            request.hasEffect ? .unknown : .again,
            "The store answered \(request.title) with \(answer.head.status), and with a body that "
                + "cannot be read.")
        failure.status = answer.head.status
        return failure
    }

    /// The failure of a transfer that brought no whole answer.
    func failure(_ request: StoreRequest, _ result: TransferResult) -> StoreFailure {
        switch result.outcome {
        case .cancelled: return StoreFailure(.cancelled, "The request was cancelled.")
        case .refused(let reason):
            return StoreFailure(.damaged, "The file could not be read to its end: \(reason)")
        case .completed: break
        case .failed(let reason):
            if !reason.isRetryable {
                return StoreFailure(.refused, "The store cannot be used: \(reason)")
            }
            guard result.wasSent else {
                var failure = StoreFailure(.again, "The store was not reached: \(reason)")
                failure.isUnreachable = result.isUnreachable
                failure.obstacle = reason.code
                return failure
            }
        }
        // A store does nothing with a body of which it has only the beginning.
        var isWhole = true
        if case .body(let body) = request.payload, result.sentBytes < body.length {
            isWhole = false
        }
        return StoreFailure(
            request.hasEffect && isWhole ? .unknown : .again,
            "The answer of the store to \(request.title) was lost.")
    }

    /// The request for the engine, signed by keys.
    func signed(
        _ request: StoreRequest, _ keys: SigningCredentials, _ bounds: StoreCall.Bounds
    ) throws(StoreFailure) -> TransferRequest {
        let url = try url(of: request, at: location.endpoint)
        let hash =
            switch request.payload {
            case .bytes(let bytes): Hex.encode(SHA256.digest(of: bytes))
            case .body(let body): Hex.encode(body.sha256)
            }
        var transfer = TransferRequest(url: url)
        transfer.method = request.method
        transfer.headers =
            request.headers
            + signature(by: keys).fields(
                method: request.method.rawValue, url: url, headers: request.headers,
                payloadHash: hash)
        transfer.followsRedirects = 0
        transfer.rateScopes = bounds.rateScopes
        transfer.rank = bounds.rank
        transfer.maximumBytesPerSecond = bounds.maximumBytesPerSecond
        transfer.idleTimeout = bounds.idleTimeout
        transfer.lowSpeed = bounds.lowSpeed
        transfer.totalTimeout = bounds.totalTimeout
        return transfer
    }

    /// The failure without the secrets, which a store may repeat in its words.
    func masked(_ failure: StoreFailure, _ keys: SigningCredentials) -> StoreFailure {
        var failure = failure
        for secret in [keys.secretKey, keys.sessionToken ?? ""] where !secret.isEmpty {
            failure.detail = failure.detail.replacing(secret, with: "(secret)")
        }
        return failure
    }

    private func answer(
        to request: StoreRequest, _ keys: SigningCredentials, _ call: StoreCall
    ) async throws(StoreFailure) -> StoreAnswer {
        let id = TransferID()
        guard let bounds = call.begin(id, on: engine) else {
            throw StoreFailure(.cancelled, "The request was cancelled.")
        }
        defer { call.end(id) }
        var transfer = try signed(request, keys, bounds)
        switch request.payload {
        case .body(let body) where body.length > 0:
            let engine = engine
            transfer.source = body.source { engine.resume(id) }
        case .body: transfer.body = []
        case .bytes(let bytes): transfer.body = bytes
        }
        let result = await engine.run(transfer, id: id, into: .buffer(limit: XMLNode.bytesAtMost))
        guard case .completed = result.outcome, let head = result.head else {
            throw failure(request, result)
        }
        return StoreAnswer(head, result.buffer)
    }
}
