// Where every request arrives: found in the table, answered, or refused with a problem.
internal import Core
package import HTTPWire
internal import Store

/// Answers the requests of the API.
package struct Router: Sendable {
    let dependencies: Dependencies
    let sessions: SessionCache
    private let numbers: RequestNumbers

    /// A router over what the program has built.
    package init(_ dependencies: Dependencies) {
        self.dependencies = dependencies
        sessions = SessionCache()
        numbers = RequestNumbers(
            seed: dependencies.makeIdentifier(dependencies.now()).low)
    }

    /// Answers one request; called on the server's lane.
    package func answer(_ request: Request) -> Answer {
        let now = dependencies.now()
        let id = numbers.take(at: now).text(.request)
        do throws(Problem) {
            try dependencies.settings.hosts.check(request)
            if request.path == "*" { return .now(named(Response(status: 204), id)) }
            let (route, parameters) = try find(request)
            let call = Call(
                request: request, id: id, now: now, parameters: parameters,
                query: try Query(request.query, known: route.query),
                once: route.method == "POST"
                    ? try KeyField.read(request, app: dependencies.settings.app) : nil)
            switch route.work {
            case .now(let work): return .now(named(try work(self)(call), id))
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

    /// Refuses a request because the store failed before it was looked up.
    func refuse(_ request: Request, _ failure: StoreError) -> Response {
        let id = numbers.take(at: dependencies.now()).text(.request)
        if failure.code != .overloaded { dependencies.report(id, failure.description) }
        return named(
            Router.problem(failure).response(instance: request.path, requestID: id), id)
    }

    private func perform(_ route: Route, _ call: Call) async -> Response {
        do throws(Problem) {
            return named(try await once(route, call), call.id)
        } catch {
            return named(
                error.response(instance: call.request.path, requestID: call.id), call.id)
        }
    }

    private func named(_ response: Response, _ id: String) -> Response {
        var response = response
        response.headers.append(("X-Request-Id", id))
        return response
    }

    /// The route of a request; HEAD is answered like GET where the table has no line for it.
    private func find(_ request: Request) throws(Problem) -> (Route, [String]) {
        let path = request.path
        let parts = path[...].utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var allowed: [String] = []
        for route in Router.routes {
            guard let parameters = route.match(parts) else { continue }
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
