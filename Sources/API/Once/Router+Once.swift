// A request with an Idempotency-Key is done once; sent again it gets the same answer.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// Does the work of a route, once where the client asked for that.
    func once(_ route: Route, _ call: Call) async throws(Problem) -> Response {
        guard case .later(let make) = route.work else {
            preconditionFailure("what is answered at once changes nothing")
        }
        let work = make(self)
        guard let key = call.once else { return try await work(call) }
        if route.keepsKey {
            do throws(Problem) {
                return try await work(call)
            } catch {
                // The stored answer is sent again, though the request would be refused today.
                if let known = try await known(key, call) { return known }
                throw error
            }
        }
        let claim = try await stored(call) { () throws(StoreError) in
            try await keys.take(key)
        }
        guard claim == .mine else { return try Router.answer(claim) }
        let response: Response
        do throws(Problem) {
            response = try await work(call)
        } catch {
            await settled(call) { () throws(StoreError) in try await keys.release(key) }
            throw error
        }
        await keep(
            response, under: key, showing: Identifier(call.parameters.first ?? "", kind: .download),
            call)
        return response
    }

    /// Makes a response what a key stands for.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - key: the key.
    ///   - download: the download that the response shows, if it shows one.
    ///   - call: the request.
    func keep(
        _ response: Response, under key: IdempotencyKey, showing download: Identifier?,
        _ call: Call
    ) async {
        await settled(call) { () throws(StoreError) in
            try await keys.finish(key, with: StoredAnswer(response), showing: download)
        }
    }

    /// The answer to a request whose key was not free.
    ///
    /// - Throws: `idempotency-key-in-progress` or `idempotency-key-reused`.
    static func answer(_ claim: KeyClaim) throws(Problem) -> Response {
        switch claim {
        case .answered(let answer):
            return answer.response
        case .inProgress, .mine:
            var problem = Problem(
                .idempotencyKeyInProgress,
                "A request with this Idempotency-Key is being done; ask again in a moment.")
            problem.headers = [("Retry-After", "1")]
            throw problem
        case .reused:
            throw Problem(
                .idempotencyKeyReused,
                "This Idempotency-Key was sent with another method, path, query or body within "
                    + "the last 24 hours; take a new key for another request.")
        }
    }

    private var keys: IdempotencyKeys { dependencies.store.downloads.idempotencyKeys }

    private func known(_ key: IdempotencyKey, _ call: Call) async throws(Problem) -> Response? {
        let claim = try await stored(call) { () throws(StoreError) in try await keys.find(key) }
        return try claim.map(Router.answer)
    }

    /// After the work: what fails here costs the client a repetition at most.
    private func settled(_ call: Call, _ body: () async throws(StoreError) -> Void) async {
        do throws(StoreError) {
            try await body()
        } catch {
            dependencies.report(call.id, error.description)
        }
    }
}

extension Response {
    /// Whether it is not the answer to an earlier request, given again.
    var isFirst: Bool { !headers.contains { $0.0 == StoredAnswer.mark } }
}

extension StoredAnswer {
    /// The field that tells an answer which is given again.
    fileprivate static let mark = "Idempotent-Replayed"

    /// What is kept of a response.
    init(_ response: Response) {
        guard case .bytes(let body) = response.body else {
            preconditionFailure("the answer to a POST is in memory")
        }
        var headers = JSONObject()
        for (name, value) in response.headers { headers[name] = .string(value) }
        self.init(
            status: response.status, headers: headers, body: String(decoding: body, as: UTF8.self))
    }

    /// The same answer again.
    var response: Response {
        let fields = headers.members.compactMap { name, value in
            value.stringValue.map { (name, $0) }
        }
        return Response(
            status: status, headers: fields + [(StoredAnswer.mark, "true")],
            body: .bytes(Array(body.utf8)))
    }
}
