// A refusal as problem details (RFC 9457), with what to change.
package import Base
package import HTTPWire

/// One refusal, as problem details (RFC 9457).
package struct Problem: Error, Sendable {
    /// The kind, which determines type, title and status.
    package let kind: ProblemKind
    /// The occurrence and what to change, in a sentence.
    package let detail: String
    /// Members of this occurrence, such as `errors`.
    package var members = JSONObject()
    /// Header fields of the answer besides those that every problem has.
    package var headers: [(String, String)] = []

    /// The errors with their places; the answer lists them as `errors`.
    package var findings = FieldErrors()

    /// The most bytes of a detail.
    private static let detailBytesAtMost = 4096
    /// The most bytes of all errors in the answer, so that no refusal has more than 64 KiB.
    private static let findingsBytesAtMost = 32 << 10

    /// Creates a refusal; a detail beyond 4 KiB is cut with an ellipsis.
    package init(_ kind: ProblemKind, _ detail: String) {
        self.kind = kind
        self.detail = detail.cut(to: Problem.detailBytesAtMost)
    }

    /// A refusal of members or parameters.
    ///
    /// - Parameter errors: the findings, at least one.
    /// - Returns: a `validation-failed`.
    package static func invalid(_ errors: FieldErrors) -> Problem {
        let first = errors.first.map { "\($0.pointer) \($0.detail)" } ?? ""
        var problem = Problem(
            .validationFailed,
            errors.total == 1
                ? first
                : "\(errors.total) places of the request are wrong; the first one: \(first)")
        problem.findings = errors
        return problem
    }

    /// The refusal of a whole batch.
    ///
    /// - Parameters:
    ///   - errors: the findings.
    ///   - rejected: how many downloads have one.
    ///   - count: how many downloads the batch has.
    /// - Returns: a `batch-rejected`.
    static func batch(_ errors: FieldErrors, rejected: Int, of count: Int) -> Problem {
        let verb = rejected == 1 ? "is" : "are"
        var problem = Problem(
            .batchRejected,
            "\(rejected) of \(count) downloads \(verb) invalid, so none was created.")
        problem.findings = errors
        return problem
    }

    /// The refusal because a quota is exceeded.
    ///
    /// - Parameters:
    ///   - policy: the name of the limit.
    ///   - detail: what it is.
    ///   - seconds: when trying again makes sense.
    /// - Returns: a `quota-exceeded`.
    static func quota(_ policy: String, _ detail: String, retryAfter seconds: Int) -> Problem {
        var problem = Problem(.quotaExceeded, detail)
        problem.members["violated_policies"] = [.string(policy)]
        problem.headers = [("Retry-After", "\(seconds)")]
        return problem
    }

    /// A refusal of one member or parameter.
    package static func invalid(_ pointer: String, _ detail: String) -> Problem {
        invalid([FieldError(pointer, detail)])
    }

    /// A refusal of another kind with a pointer.
    package init(_ kind: ProblemKind, _ detail: String, at pointer: String) {
        self.init(kind, detail)
        findings = [FieldError(pointer, detail)]
    }

    /// The answer.
    ///
    /// - Parameters:
    ///   - instance: the path of the request.
    ///   - requestID: the identifier of the request.
    /// - Returns: a response of type `application/problem+json`.
    package func response(instance: String, requestID: String) -> Response {
        var object: JSONObject = [
            "type": .string(kind.path),
            "title": .string(kind.title),
            "status": .integer(Int64(kind.status)),
            "code": .string(kind.rawValue),
            "detail": .string(detail),
            "instance": .string(
                instance.hasPrefix(TriggerEndpoints.callPath)
                    ? TokenPath.hidden(instance) : instance),
            "request_id": .string(requestID),
        ]
        for (key, value) in members.members { object[key] = value }
        appendFindings(to: &object)
        return Response(
            status: kind.status,
            headers: [("Content-Type", "application/problem+json")] + headers,
            body: .bytes(object.line()))
    }

    /// Lists the errors as far as they fit, and the number of the others.
    private func appendFindings(to object: inout JSONObject) {
        guard !findings.isEmpty else { return }
        var list: [JSON] = []
        var bytes = 0
        for finding in findings {
            var members: JSONObject = [
                "pointer": .string(finding.pointer), "detail": .string(finding.detail),
            ]
            members.append("did_you_mean", ifPresent: finding.suggestion.map { .string($0) })
            let json = JSON.object(members)
            bytes += json.serialized().count
            guard bytes <= Problem.findingsBytesAtMost else { break }
            list.append(json)
        }
        object.append("errors", .array(list))
        let others = findings.total - list.count
        if others > 0 { object.append("errors_not_listed", .integer(Int64(others))) }
    }
}
