// Probes, metrics and version, for operators and their tools.
internal import Core
internal import HTTPWire

/// The endpoints for operators, which need no key.
final class OperatorEndpoints: EndpointGroup {
    private let version: String
    private let readiness: @concurrent @Sendable () async -> [ReadinessCheck]
    private let metrics: @Sendable () -> [Metric]

    /// Takes what its endpoints use.
    init(
        version: String, readiness: @escaping @concurrent @Sendable () async -> [ReadinessCheck],
        metrics: @escaping @Sendable () -> [Metric]
    ) {
        self.version = version
        self.readiness = readiness
        self.metrics = metrics
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/livez", "getLiveness", scope: nil, answers: [.page("text/plain")],
                ignoresAccept: true, .now(live)),
            Route(
                "GET", "/readyz", "getReadiness", scope: nil,
                answers: [.json(), .problem(.notReady)], ignoresAccept: true, .later(ready)),
            Route(
                "GET", "/metrics", "getMetrics", scope: nil, answers: [.page("text/plain")],
                ignoresAccept: true, .now(getMetrics)),
            Route(
                "GET", "/version", "getVersion", scope: nil, answers: [.json()],
                ignoresAccept: true, .now(getVersion)),
        ]
    }

    /// `GET /livez`: the process answers; the database is not asked.
    private func live(_ call: Call) throws(Problem) -> Response {
        OperatorEndpoints.alive
    }

    /// `GET /metrics`.
    private func getMetrics(_ call: Call) throws(Problem) -> Response {
        let build = Metric(
            "lull_build_info", "The program; always 1.", kind: .gauge,
            samples: [.init(1, labels: [("version", version)])])
        let families = [build] + self.metrics()
        return .text(
            families.map(\.text).joined(), type: "text/plain; version=0.0.4; charset=utf-8")
    }

    /// The answer of a process that runs.
    static let alive = Response.text("ok\n", type: "text/plain; charset=utf-8")

    /// `GET /version`.
    private func getVersion(_ call: Call) throws(Problem) -> Response {
        .json(["name": "lull", "version": .string(self.version)])
    }

    /// `GET /readyz`.
    private func ready(_ call: Call) async throws(Problem) -> Response {
        let checks = await readiness()
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
}
