// Makes a request with an Idempotency-Key take effect once; a repeated one gets the stored answer.
internal import Base
internal import HTTPWire
internal import Store

/// Takes keys before the work of a route and stores answers after it
/// (draft-ietf-httpapi-idempotency-key-header-07).
struct Idempotency: Sendable {
    /// The use of keys at an endpoint.
    enum Mode: Sendable {
        /// The field is not read, because the method is idempotent.
        case none
        /// The key is taken before the work, and the answer is stored after it.
        case aroundWork
        /// The work stores key and answer in its own transaction.
        case inTransaction
    }

    private let keys: IdempotencyKeys

    /// Creates it over the store of keys.
    init(keys: IdempotencyKeys) { self.keys = keys }

    /// Does the work of a call of a route that takes keys, at most once for each key.
    ///
    /// - Returns: the answer; the stored one with `Idempotent-Replayed` where there is one.
    /// - Throws: what the work refuses, `invalid-idempotency-key`, `idempotency-key-in-progress` or
    ///   `idempotency-key-reused`.
    func perform(
        _ work: @Sendable (Call) async throws(Problem) -> Response, _ call: Call
    ) async throws(Problem) -> Response {
        // A dry run stores nothing, so its key is not taken, but it has to be valid.
        guard let key = try IdempotencyKeyHeader.read(call.request, app: call.app),
            call.query["dry_run"] != "true"
        else { return try await work(call) }
        let call = Call(call, key)
        if call.route.idempotency == .inTransaction {
            do throws(Problem) {
                return try await work(call)
            } catch {
                // The stored answer is sent again, even if the request would be refused today.
                if let known = try await known(key, call) { return known }
                throw error
            }
        }
        let claim = try await call.stored { () throws(StoreError) in
            try await keys.take(key)
        }
        guard claim == .mine else { return try Idempotency.answer(claim) }
        let response: Response
        do throws(Problem) {
            response = try await work(call)
        } catch {
            await settled(call) { () throws(StoreError) in try await keys.release(key) }
            throw error
        }
        await keep(
            response, showing: Identifier(transfer: call.parameters.first ?? ""), call)
        return response
    }

    /// Stores a response as the answer of the call's key, if it has one.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - download: the download that the response shows, if it shows one.
    ///   - call: the request.
    func keep(_ response: Response, showing download: Identifier?, _ call: Call) async {
        guard let key = call.idempotencyKey else { return }
        await settled(call) { () throws(StoreError) in
            try await keys.finish(key, with: StoredAnswer(response), showing: download)
        }
    }

    /// The answer to a request whose key was taken before.
    ///
    /// - Throws: `idempotency-key-in-progress` or `idempotency-key-reused`.
    static func answer(_ claim: KeyClaim) throws(Problem) -> Response {
        switch claim {
        case .answered(let answer):
            return answer.response
        case .inProgress, .mine, .named:
            var problem = Problem(
                .idempotencyKeyInProgress,
                "The first request with this Idempotency-Key is still running. Send this one again "
                    + "in a moment.")
            problem.headers = [("Retry-After", "1")]
            throw problem
        case .reused:
            throw Problem(
                .idempotencyKeyReused,
                "This Idempotency-Key was used within the last 24 hours with another method, path, "
                    + "query or body. Use a new key for a new request.")
        }
    }

    private func known(_ key: IdempotencyKey, _ call: Call) async throws(Problem) -> Response? {
        let claim = try await call.stored { () throws(StoreError) in try await keys.find(key) }
        return try claim.map(Idempotency.answer)
    }

    /// Runs a statement after the work; its failure costs the client at most a repetition.
    private func settled(_ call: Call, _ body: () async throws(StoreError) -> Void) async {
        do throws(StoreError) {
            try await body()
        } catch {
            call.report(error.description)
        }
    }
}

extension Response {
    /// Whether the answer is not a stored one.
    var isFirst: Bool { !headers.contains { $0.0 == StoredAnswer.mark } }
}

extension StoredAnswer {
    /// The field of an answer that is sent again.
    fileprivate static let mark = "Idempotent-Replayed"

    /// The stored form of a response.
    init(_ response: Response) {
        guard case .bytes(let body) = response.body else {
            preconditionFailure("the answer to a POST is in memory")
        }
        var headers = JSONObject()
        for (name, value) in response.headers { headers[name] = .string(value) }
        self.init(
            status: response.status, headers: headers, body: String(decoding: body, as: UTF8.self))
    }

    /// The response for a stored answer.
    var response: Response {
        let fields = headers.members.compactMap { name, value in
            value.stringValue.map { (name, $0) }
        }
        return Response(
            status: status, headers: fields + [(StoredAnswer.mark, "true")],
            body: .bytes(Array(body.utf8)))
    }
}
