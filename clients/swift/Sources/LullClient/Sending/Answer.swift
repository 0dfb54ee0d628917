import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An answer with its whole body.
struct Answer: Sendable {
    let status: Int
    /// Header fields by their names in lower case.
    let fields: [String: String]
    let body: Data

    init(_ response: HTTPURLResponse, body: Data) {
        status = response.statusCode
        fields = Answer.fields(response)
        self.body = body
    }

    static func fields(_ response: HTTPURLResponse) -> [String: String] {
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String {
                fields[name.lowercased()] = value
            }
        }
        return fields
    }

    /// Seconds to wait before the next request.
    var retryAfter: Int? { fields["retry-after"].flatMap { Int($0) } }

    /// The refusal as a failure.
    var failure: LullError {
        if fields["content-type"]?.hasPrefix("application/problem+json") == true {
            do {
                return .problem(
                    try JSONForm.read(Problem.self, from: body), retryAfter: retryAfter)
            } catch {
                return error
            }
        }
        return .unexpectedAnswer(status: status)
    }
}
