// Failures of the store, and answers that all endpoints make alike.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// Runs a call to the store and turns its failure into a problem; the cause goes to the log.
    func stored<Value>(
        _ call: Call, _ body: () async throws(StoreError) -> Value
    ) async throws(Problem) -> Value {
        do throws(StoreError) {
            return try await body()
        } catch {
            if error.code != .overloaded {
                let trace = call.traceparent.map { "; traceparent \($0)" } ?? ""
                dependencies.report(call.id, error.description + trace)
            }
            throw Router.problem(error)
        }
    }

    /// What a client is told of a failure of the store.
    static func problem(_ error: StoreError) -> Problem {
        var problem: Problem
        switch error.code {
        case .overloaded:
            problem = Problem(
                .overloaded, "Too many requests wait for the database; try again.")
        case .unavailable, .leaseLost:
            problem = Problem(
                .databaseUnavailable,
                "The database does not answer; nothing is known to have changed. Try again.")
        case .refused:
            return Problem(
                .internalError, "The store refused what Lull asked of it; the log has the cause.")
        }
        problem.headers = [("Retry-After", "\(max(1, error.retryAfterSeconds))")]
        return problem
    }
}

extension Response {
    /// An answer with a JSON body.
    static func json(
        _ object: JSONObject, status: Int = 200, headers: [(String, String)] = []
    ) -> Response {
        Response(
            status: status, headers: [("Content-Type", "application/json")] + headers,
            body: .bytes(object.line()))
    }

    /// An answer with a JSON body that is written, with a line end for those who read it in a
    /// terminal.
    static func json(
        _ body: JSONWriter, status: Int = 200, headers: [(String, String)] = []
    ) -> Response {
        var bytes = body.bytes
        bytes.append(UInt8(ascii: "\n"))
        return Response(
            status: status, headers: [("Content-Type", "application/json")] + headers,
            body: .bytes(bytes))
    }

    /// An answer with a text body.
    static func text(_ text: String, type: String) -> Response {
        Response(
            status: 200, headers: [("Content-Type", type)], body: .bytes(Array(text.utf8)))
    }
}

extension JSONObject {
    /// The bytes of a body, with a line end for those who read it in a terminal.
    func line() -> [UInt8] {
        var bytes = serialized()
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}
