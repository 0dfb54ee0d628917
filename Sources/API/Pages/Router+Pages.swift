// What is not a resource: probes, the description of the API, and the pages of problems.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// `GET /`.
    func index(_ call: Call) throws(Problem) -> Response {
        .text(
            """
            Lull \(dependencies.settings.version) runs downloads in the background.

              POST /v1/downloads   {"url": "https://…"}
              GET  /v1/downloads   what is queued, running and done
              GET  /openapi.yaml   the whole API
              GET  /readyz         whether the service can work

            """, type: "text/plain; charset=utf-8")
    }

    /// `GET /livez`: the process answers; the database has no say in this.
    func live(_ call: Call) throws(Problem) -> Response {
        Router.alive
    }

    /// `GET /metrics`.
    func metrics(_ call: Call) throws(Problem) -> Response {
        let version = dependencies.settings.version
        let build = Metric(
            "lull_build_info", "The program; always 1.", kind: .gauge,
            samples: [.init(1, labels: [("version", version)])])
        let families = [build] + dependencies.metrics()
        return .text(
            families.map(\.text).joined(), type: "text/plain; version=0.0.4; charset=utf-8")
    }
    static let alive = Response.text("ok\n", type: "text/plain; charset=utf-8")

    /// `GET /version`.
    func version(_ call: Call) throws(Problem) -> Response {
        .json(["name": "lull", "version": .string(dependencies.settings.version)])
    }

    /// `GET /openapi.yaml`.
    func description(_ call: Call) throws(Problem) -> Response {
        Response(
            status: 200, headers: [("Content-Type", "application/yaml")],
            body: .bytes(APIDescription.bytes))
    }

    /// `GET /problems/{slug}`.
    func problemPage(_ call: Call) throws(Problem) -> Response {
        guard let kind = ProblemKind(rawValue: call.parameters[0]) else {
            throw Problem(.notFound, "No problem is called \"\(call.parameters[0])\".")
        }
        var response = Response.text(kind.page, type: "text/html; charset=utf-8")
        response.headers.append(("Content-Security-Policy", "default-src 'none'"))
        return response
    }

    /// `GET /readyz`.
    func ready(_ call: Call) async throws(Problem) -> Response {
        let checks = await dependencies.readiness()
        let failed = checks.filter { !$0.isOK }
        let list = JSON.array(
            checks.map {
                [
                    "name": .string($0.name), "is_ok": .bool($0.isOK),
                    "detail": .string($0.detail),
                ]
            })
        guard let first = failed.first else {
            return .json(["is_ready": true, "checks": list])
        }
        var problem = Problem(.notReady, "\(first.name): \(first.detail)")
        problem.members["is_ready"] = false
        problem.members["checks"] = list
        problem.headers = [("Retry-After", "1")]
        throw problem
    }

    /// `GET /v1/webhook_endpoints/default/secret`.
    func webhookSecret(_ call: Call) async throws(Problem) -> Response {
        let secret = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.webhookSecret()
        }
        return .json(["secret": .string(secret)], headers: [("Cache-Control", "no-store")])
    }
}
