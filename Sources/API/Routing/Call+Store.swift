// Converts failures of the store into problems and log entries.
internal import Base
internal import HTTPWire
internal import Store

extension Call {
    /// Runs a statement and converts its failure into a problem; the cause is logged.
    ///
    /// - Throws: `overloaded`, `database-unavailable` or `internal-error`.
    func stored<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(Problem) -> Value {
        do throws(StoreError) {
            return try await body()
        } catch {
            throw problem(error)
        }
    }

    /// The problem for a failure of the store, whose cause is logged.
    func problem(_ error: StoreError) -> Problem {
        switch error.code {
        case .overloaded, .sessionClosed, .queueFull, .stagingFull: break
        case .unavailable, .leaseLost, .refused:
            let trace = traceparent.map { "; traceparent \($0)" } ?? ""
            report(error.description + trace)
        }
        return Problem(error)
    }
}

extension Problem {
    /// The problem for a failure of the store, without its cause.
    init(_ error: StoreError) {
        switch error.code {
        case .overloaded:
            self.init(.overloaded, "Too many requests are waiting for the database. Try again.")
        case .unavailable, .leaseLost:
            self.init(
                .databaseUnavailable,
                "The database does not answer, so it is not known whether the request took effect. "
                    + "Try again.")
        case .queueFull:
            self = .queueFull
            return
        case .stagingFull:
            self = .stagingFull
            return
        case .sessionClosed:
            self.init(
                .sessionInvalidated,
                "The session was ended a moment ago and takes no new downloads. PUT its "
                    + "configuration to make a new session of that name.")
            return
        case .refused:
            self.init(
                .internalError,
                "The database refused a statement. The log has the cause under the request_id.")
            return
        }
        headers = [("Retry-After", "\(max(1, error.retryAfterSeconds))")]
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

    /// An answer with a JSON body from a writer.
    static func json(
        _ body: consuming JSONWriter, status: Int = 200,
        headers: consuming [(String, String)] = []
    ) -> Response {
        headers.insert(("Content-Type", "application/json"), at: 0)
        return Response(status: status, headers: headers, body: .bytes(body.line()))
    }

    /// An answer with a text body.
    static func text(_ text: String, type: String) -> Response {
        Response(
            status: 200, headers: [("Content-Type", type)], body: .bytes(Array(text.utf8)))
    }
}

extension JSONObject {
    /// The bytes of a body, with a line end for terminals.
    func line() -> [UInt8] {
        var bytes = serialized()
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}
