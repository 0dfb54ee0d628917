// Finds the route of each request, checks it by the route's declaration, and adds the common fields
// to every answer.
internal import Base
internal import Downloads
package import HTTPWire
internal import Store

/// Answers the requests of the API.
package final class Router: Sendable {
    /// All endpoints.
    let table: RouteTable
    /// The methods of endpoints whose content is read while it arrives.
    private let streamingMethods: Set<String>
    let hosts: HostPolicy
    /// The web pages of other sites that may use the service.
    let origins: AllowedOrigins
    private let publicPath: String
    private let keylessGrant: KeyGrant
    private let idempotency: Idempotency
    private let identifiers: RequestIDGenerator
    private let unrouted: RouteTimes
    private let compressor: Compressor
    private let now: @Sendable () -> Timestamp
    private let report: @Sendable (_ requestID: String, _ cause: String) -> Void

    /// Creates a router with the program's dependencies.
    package init(_ dependencies: Dependencies) {
        table = RouteTable(dependencies.endpointGroups)
        streamingMethods = Set(table.routes.filter(\.streamsBody).map(\.method))
        dependencies.requestTimes.take(table.routes)
        unrouted = dependencies.requestTimes.unrouted
        compressor = dependencies.compressor
        hosts = dependencies.settings.hosts
        origins = dependencies.settings.origins
        publicPath = dependencies.settings.publicURL?.path ?? ""
        keylessGrant = .everything(app: dependencies.settings.app)
        idempotency = Idempotency(keys: dependencies.store.downloads.idempotencyKeys)
        identifiers = RequestIDGenerator(
            seed: dependencies.makeIdentifier(dependencies.now()).low)
        now = dependencies.now
        report = dependencies.report
    }

    /// Whether the endpoint of a request reads the content while it arrives.
    package func streamsBody(_ request: Request) -> Bool {
        guard streamingMethods.contains(request.method) else { return false }
        return table.first(of: request.path) { routes, _ in
            routes.first { $0.method == request.method }
        }?.streamsBody ?? false
    }

    /// Answers one request; called on the server's lane.
    ///
    /// The checks run in this order: host, path and method, scope, `Accept`, body, query,
    /// `Idempotency-Key`.
    ///
    /// - Parameter request: the request.
    /// - Returns: the answer, or the work that ends in it.
    package func answer(_ request: Request) -> Answer {
        if let preflight = preflight(request) { return .now(preflight) }
        return shared(answerWithoutKey(request), with: request)
    }

    /// Answers a request that needs no key.
    func answerWithoutKey(_ request: Request) -> Answer {
        answer(request, grant: keylessGrant)
    }

    /// Answers one request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - grant: its rights.
    ///   - key: the key that gives them; nil where no keys are needed.
    /// - Returns: the answer, or the work that ends in it.
    func answer(_ request: Request, grant: KeyGrant, key: HeldKey? = nil) -> Answer {
        let now = now()
        let began = RouteTimes.clock
        let id = identifiers.make(at: now).text(.request)
        var times = unrouted
        do throws(Problem) {
            try hosts.check(request, isListed: origins.origin(of: request) != nil)
            if request.path == "*" { return .now(named(Response(status: 204), id)) }
            let (route, parameters) = try find(request)
            times = route.times
            try route.checkScope(grant)
            try route.checkAccept(request)
            try route.checkBody(request)
            let query =
                route.ignoresQuery ? Query() : try Query(request.query, known: route.query)
            let call = Call(
                request, id: id, at: now, route: route, parameters: parameters, query: query,
                grant: grant, key: key, log: report)
            switch route.work {
            case .now(let work):
                let response = named(Router.shown(try work(call), call), id)
                times.count(response.status, since: began)
                return compressor.answer(response, call)
            case .later(let work) where route.isLong || request.body.count > LongWork.bodyBytes:
                return .later { await self.performLong(work, call, since: began) }
            case .later(let work):
                return .later { await self.perform(work, call, since: began) }
            }
        } catch {
            let response = named(error.response(instance: request.path, requestID: id), id)
            times.count(response.status, since: began)
            return .now(compressor.refusal(response, for: request))
        }
    }

    /// Refuses a request before its route is found.
    func refuse(_ request: Request, _ problem: Problem) -> Response {
        let id = identifiers.make(at: now()).text(.request)
        let response = named(problem.response(instance: request.path, requestID: id), id)
        return compressor.refusal(counted(response), for: request)
    }

    /// An answer to a request that reaches no endpoint.
    func accepted(_ response: Response) -> Response {
        counted(named(response, identifiers.make(at: now()).text(.request)))
    }

    /// Counts an answer to a request without a route.
    private func counted(_ response: Response) -> Response {
        unrouted.count(response.status, since: RouteTimes.clock)
        return response
    }

    /// Refuses bytes that are no request, with a problem like every other refusal.
    ///
    /// - Parameters:
    ///   - rejection: what is wrong with it.
    ///   - outline: what could be read of it.
    /// - Returns: the answer, named like every other.
    package func refuse(_ rejection: Rejection, of outline: RequestOutline) -> Response {
        let id = identifiers.make(at: now()).text(.request)
        let kind = ProblemKind(rawValue: rejection.code) ?? .malformedRequest
        // Without a path the instance is the problem's page with the identifier of the request.
        let instance = outline.path ?? kind.path + "#" + id
        let problem = Problem(kind, rejection.detail)
        return counted(named(problem.response(instance: instance, requestID: id), id))
    }

    /// Refuses a request because the store failed before its route was found.
    func refuse(_ request: Request, _ failure: StoreError) -> Response {
        let id = identifiers.make(at: now()).text(.request)
        if failure.code != .overloaded { report(id, failure.description) }
        let problem = Problem(failure)
        let response = named(problem.response(instance: request.path, requestID: id), id)
        return compressor.refusal(counted(response), for: request)
    }

    private typealias Work = @Sendable (Call) async throws(Problem) -> Response

    @LongWork private func performLong(
        _ work: Work, _ call: Call, since began: Int64
    ) async -> Response {
        await perform(work, call, since: began)
    }

    private func perform(_ work: Work, _ call: Call, since began: Int64) async -> Response {
        let response: Response
        do throws(Problem) {
            let whole =
                call.route.idempotency == .none
                ? try await work(call) : try await idempotency.perform(work, call)
            response = named(Router.shown(whole, call), call.id)
        } catch {
            let problem = call.hidesDownloads ? error.unread : error
            response = named(
                problem.response(instance: call.request.path, requestID: call.id), call.id)
        }
        call.route.times.count(response.status, since: began)
        return await compressor.answer(response, for: call.request)
    }

    /// An answer in the form for the key of this request, also if it was stored for another key.
    private static func shown(_ response: consuming Response, _ call: Call) -> Response {
        call.hidesDownloads ? response.unread(keeping: call.route.unread) : response
    }

    private func named(_ response: consuming Response, _ id: String) -> Response {
        response.headers.append(("X-Request-Id", id))
        if Compressor.mayCompress(response) { response.vary(by: "Accept-Encoding") }
        if !origins.isEmpty { response.vary(by: "Origin") }
        response.begin(paths: publicPath)
        // A cache has to revalidate each answer, and need not store one without an entity tag (RFC
        // 9111 sections 5.2.2.4 and 5.2.2.5).
        var hasTag = false
        for (name, _) in response.headers {
            if name == "Cache-Control" { return response }
            if name == "ETag" { hasTag = true }
        }
        response.headers.append(("Cache-Control", hasTag ? "no-cache" : "no-store"))
        return response
    }

    /// The route of a request; HEAD uses the route of GET unless the table has one for it.
    private func find(_ request: Request) throws(Problem) -> (Route, [String]) {
        let path = request.path
        var allowed: [String] = []
        let found = table.first(of: path) { routes, parameters -> (Route, [String])? in
            for route in routes {
                if route.method == request.method || route.method == "GET" && request.isHead {
                    return (route, parameters)
                }
                allowed.append(route.method)
                if route.method == "GET" { allowed.append("HEAD") }
            }
            return nil
        }
        if let found { return found }
        guard !allowed.isEmpty else { throw notFound(request) }
        var problem = Problem(
            .methodNotAllowed,
            "\(path) does not have the method \(request.method). Its methods: "
                + allowed.joined(separator: ", ") + ".")
        problem.headers = [("Allow", allowed.joined(separator: ", "))]
        throw problem
    }

    private func notFound(_ request: Request) -> Problem {
        let path = request.path
        if request.method == "POST", path.hasPrefix("/v1/downloads/"), path.hasSuffix("/pause") {
            return Problem(
                .notFound, "There is no pause. Use /suspend, and /resume to continue.")
        }
        if path.count > 1, path.hasSuffix("/") {
            return Problem(.notFound, "There is no resource \(path). Leave out the last slash.")
        }
        if path == "/healthz" {
            return Problem(.notFound, "There is no resource /healthz. Use /livez or /readyz.")
        }
        return Problem(
            .notFound, "There is no resource \(path). GET /openapi.yaml lists the paths.")
    }
}
