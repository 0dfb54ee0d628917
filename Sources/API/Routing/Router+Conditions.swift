// Conditions and failures that all endpoints judge alike.
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

    /// Whether `If-None-Match` names the tag of the current representation.
    func notModified(_ call: Call, _ tag: EntityTag) -> Bool {
        EntityTagCondition.read(call.request.headers.all("If-None-Match"))?.matchesWeakly(tag)
            ?? false
    }

    /// Judges the conditions of a change (RFC 9110 section 13.2.2).
    ///
    /// - Parameters:
    ///   - match: `If-Match`.
    ///   - noneMatch: `If-None-Match`.
    ///   - tag: of the current representation; nil if there is none.
    /// - Throws: `precondition-failed`.
    func check(
        match: EntityTagCondition?, noneMatch: EntityTagCondition?, tag: EntityTag?
    ) throws(Problem) {
        let holds = match.map { match in tag.map(match.matchesStrongly) ?? false } ?? true
        let isFree = noneMatch.map { none in !(tag.map(none.matchesWeakly) ?? false) } ?? true
        guard !holds || !isFree else { return }
        let current = tag.map { "its ETag is \($0.text)" } ?? "there is none yet"
        throw Problem(
            .preconditionFailed,
            "Nothing was changed: \(holds ? "If-None-Match" : "If-Match") does not hold, "
                + "\(current).")
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
