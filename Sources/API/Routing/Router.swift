// Where every request arrives: found in the table, answered, or refused with a problem.
package import Core
package import HTTPWire
internal import Store

/// Answers the requests of the API.
///
/// A class, because each request would copy every closure of the dependencies otherwise.
package final class Router: Sendable {
    let dependencies: Dependencies
    let sessions: SessionCache
    let queued = QueuedCount()
    private let numbers: RequestNumbers

    /// A router over what the program has built.
    package init(_ dependencies: Dependencies) {
        self.dependencies = dependencies
        sessions = SessionCache()
        numbers = RequestNumbers(
            seed: dependencies.makeIdentifier(dependencies.now()).low)
    }

    /// Answers one request; called on the server's lane.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - grant: what its key opens; everything where no keys are needed.
    /// - Returns: the answer, or the work that ends in it.
    package func answer(_ request: Request, grant: KeyGrant? = nil) -> Answer {
        let grant = grant ?? .everything(app: dependencies.settings.app)
        let now = dependencies.now()
        let id = numbers.take(at: now).text(.request)
        do throws(Problem) {
            try dependencies.settings.hosts.check(request)
            if request.path == "*" { return .now(named(Response(status: 204), id)) }
            let (route, parameters) = try find(request)
            try Router.check(request, against: route, grant)
            let query = try Query(request.query, known: route.query)
            let call = Call(
                request: request, id: id, now: now, parameters: parameters, types: route.types,
                query: query, grant: grant,
                traceparent: request.headers["traceparent"].flatMap(TraceParent.read))
            switch route.work {
            case .now(let work): return .now(named(try work(self)(call), id))
            case .later where route.isLong || request.body.count > LongWork.bodyBytes:
                return .later { await self.performLong(route, call) }
            case .later: return .later { await self.perform(route, call) }
            }
        } catch {
            return .now(named(error.response(instance: request.path, requestID: id), id))
        }
    }

    /// Refuses a request before it is looked up.
    func refuse(_ request: Request, _ problem: Problem) -> Response {
        let id = numbers.take(at: dependencies.now()).text(.request)
        return named(problem.response(instance: request.path, requestID: id), id)
    }

    /// Refuses what is not a request, with everything that other refusals have.
    ///
    /// - Parameters:
    ///   - rejection: what is wrong with it.
    ///   - outline: what could be read of it.
    /// - Returns: the answer, named like every other.
    package func refuse(_ rejection: Rejection, of outline: RequestOutline) -> Response {
        let id = numbers.take(at: dependencies.now()).text(.request)
        let kind = ProblemKind(rawValue: rejection.code) ?? .malformedRequest
        // Without a path the occurrence is named by its page and the identifier of the request.
        let instance = outline.path ?? kind.path + "#" + id
        let problem = Problem(kind, rejection.detail)
        return named(problem.response(instance: instance, requestID: id), id)
    }

    /// Refuses a request because the store failed before it was looked up.
    func refuse(_ request: Request, _ failure: StoreError) -> Response {
        let id = numbers.take(at: dependencies.now()).text(.request)
        if failure.code != .overloaded { dependencies.report(id, failure.description) }
        return named(
            Router.problem(failure).response(instance: request.path, requestID: id), id)
    }

    @LongWork private func performLong(_ route: Route, _ call: Call) async -> Response {
        await perform(route, call)
    }

    private func perform(_ route: Route, _ call: Call) async -> Response {
        do throws(Problem) {
            var call = call
            // What stores nothing needs no key, but a key that cannot be read is refused.
            if route.method == "POST" {
                let key = try KeyField.read(call.request, app: dependencies.settings.app)
                if call.query["dry_run"] != "true" { call.once = key }
            }
            return named(try await once(route, call), call.id)
        } catch {
            return named(
                error.response(instance: call.request.path, requestID: call.id), call.id)
        }
    }

    private func named(_ response: Response, _ id: String) -> Response {
        var response = response
        response.headers.append(("X-Request-Id", id))
        // What is true now need not be in a minute: a cache has to ask, and where there is no tag
        // to ask with it need not keep anything (RFC 9111 sections 5.2.2.4 and 5.2.2.5).
        var hasTag = false
        for (name, _) in response.headers {
            if name == "Cache-Control" { return response }
            if name == "ETag" { hasTag = true }
        }
        response.headers.append(("Cache-Control", hasTag ? "no-cache" : "no-store"))
        return response
    }

    /// Refuses what the key does not open, what the client could not read, and what we could not.
    private static func check(
        _ request: Request, against route: Route, _ grant: KeyGrant
    ) throws(Problem) {
        if let scope = route.scope, !grant.scopes.contains(scope) {
            let held = KeyScope.allCases.filter(grant.scopes.contains).map(\.rawValue)
            var problem = Problem(
                .insufficientScope,
                "This needs a key with the scope \(scope.rawValue); this one has "
                    + "\(held.isEmpty ? "none" : held.joined(separator: ", ")).")
            problem.headers = [
                (
                    "WWW-Authenticate",
                    "Bearer error=\"insufficient_scope\", scope=\"\(scope.rawValue)\""
                )
            ]
            throw problem
        }
        if route.isJSON, !Accept.allowsJSON(request.headers.all("Accept")) {
            throw Problem(.notAcceptable, "The answer is application/json; Accept rules that out.")
        }
        try checkBody(request, route)
    }

    /// The route of a request; HEAD is answered like GET where the table has no line for it.
    private func find(_ request: Request) throws(Problem) -> (Route, [String]) {
        let path = request.path
        var allowed: [String] = []
        for (route, parameters) in Router.table.matches(path) {
            if route.method == request.method || route.method == "GET" && request.isHead {
                return (route, parameters)
            }
            allowed.append(route.method)
            if route.method == "GET" { allowed.append("HEAD") }
        }
        guard !allowed.isEmpty else { throw notFound(request) }
        var problem = Problem(
            .methodNotAllowed,
            "\(request.method) is not possible on \(path); possible are "
                + allowed.joined(separator: ", ") + ".")
        problem.headers = [("Allow", allowed.joined(separator: ", "))]
        throw problem
    }

    private func notFound(_ request: Request) -> Problem {
        let path = request.path
        if request.method == "POST", path.hasPrefix("/v1/downloads/"), path.hasSuffix("/pause") {
            return Problem(
                .notFound, "There is no pause; use /suspend, and /resume to go on.")
        }
        if path.count > 1, path.hasSuffix("/") {
            return Problem(.notFound, "Nothing is at \(path); leave out the last slash.")
        }
        if path == "/healthz" {
            return Problem(.notFound, "Nothing is at /healthz; use /livez or /readyz.")
        }
        return Problem(
            .notFound, "Nothing is at \(path); the paths are listed in /openapi.yaml.")
    }
}
