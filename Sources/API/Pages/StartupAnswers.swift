// Answers between opening the port and the database being ready.
package import Base
package import HTTPWire

/// Answers like the router before that is ready: alive, and not ready.
package struct StartupAnswers: Sendable {
    private let identifiers: RequestIDGenerator

    /// - Parameter seed: random, so that two processes name their requests differently.
    package init(seed: UInt64) { identifiers = RequestIDGenerator(seed: seed) }

    /// Answers any request.
    package func answer(_ request: Request, at now: Timestamp) -> Response {
        if request.path == "/livez", request.method == "GET" || request.isHead {
            return named(OperatorEndpoints.alive, at: now)
        }
        let detail = "it is starting, and its database is not ready yet"
        var problem = Problem(.notReady, "service: \(detail)")
        problem.members["is_ready"] = false
        problem.members["checks"] = [
            ["name": "service", "is_ok": false, "detail": .string(detail)]
        ]
        problem.headers = [("Retry-After", "1")]
        return refuse(problem, instance: request.path, at: now)
    }

    /// Refuses bytes that are no request.
    package func refuse(
        _ rejection: Rejection, of outline: RequestOutline, at now: Timestamp
    ) -> Response {
        let kind = ProblemKind(rawValue: rejection.code) ?? .malformedRequest
        let instance = outline.path ?? kind.path
        return refuse(Problem(kind, rejection.detail), instance: instance, at: now)
    }

    private func refuse(_ problem: Problem, instance: String, at now: Timestamp) -> Response {
        let id = identifiers.make(at: now).text(.request)
        return named(problem.response(instance: instance, requestID: id), id)
    }

    private func named(_ response: Response, at now: Timestamp) -> Response {
        named(response, identifiers.make(at: now).text(.request))
    }

    private func named(_ response: Response, _ id: String) -> Response {
        var response = response
        response.headers += [("X-Request-Id", id), ("Cache-Control", "no-store")]
        return response
    }
}
