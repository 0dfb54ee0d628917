// Probes, metrics and version, for operators and their tools.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Platform

/// The endpoints for operators, which need no key; the metrics need one if the settings say so.
final class OperatorEndpoints: EndpointGroup {
    private let version: String
    private let auth: String
    private let metricsNeedKey: Bool
    private let readiness: @concurrent @Sendable () async -> [ReadinessCheck]
    private let requestTimes: RequestTimes
    private let compressor: Compressor
    private let metrics: @Sendable () -> [Metric]

    /// Creates the group with the values that its endpoints use.
    init(
        version: String, auth: String, metricsNeedKey: Bool,
        readiness: @escaping @concurrent @Sendable () async -> [ReadinessCheck],
        requestTimes: RequestTimes, compressor: Compressor,
        metrics: @escaping @Sendable () -> [Metric]
    ) {
        self.version = version
        self.auth = auth
        self.metricsNeedKey = metricsNeedKey
        self.readiness = readiness
        self.requestTimes = requestTimes
        self.compressor = compressor
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
                "GET", "/metrics", "getMetrics", scope: metricsNeedKey ? .admin : nil,
                answers: [.page("text/plain")], ignoresAccept: true, .later(getMetrics)),
            Route(
                "GET", "/version", "getVersion", scope: nil, answers: [.json()],
                ignoresAccept: true, .now(getVersion)),
        ]
    }

    /// `GET /livez`: the process answers; the database is not asked.
    private func live(_ call: Call) throws(Problem) -> Response {
        OperatorEndpoints.alive
    }

    /// `GET /metrics`; numbers of other parts and from /proc are read apart from the server's lane.
    private func getMetrics(_ call: Call) async throws(Problem) -> Response {
        let build = Metric(
            "lull_build_info", "The program; always 1.", kind: .gauge,
            samples: [.init(1, labels: [("version", version)])])
        let (metrics, requestTimes, compressor) = (metrics, requestTimes, compressor)
        let text = await ThreadPool.run {
            ([build] + metrics() + [requestTimes.metric, compressor.metric]).map(\.text).joined()
        }
        return .text(text, type: "text/plain; version=0.0.4; charset=utf-8")
    }

    /// The answer of a process that runs.
    static let alive = Response.text("ok\n", type: "text/plain; charset=utf-8")

    /// `GET /version`.
    private func getVersion(_ call: Call) throws(Problem) -> Response {
        .json(["name": "lull", "version": .string(self.version), "auth": .string(self.auth)])
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
