// Requests of web pages of other sites: preflights, and the fields that let a browser pass answers
// on (Fetch Standard, section 3.2).
internal import HTTPWire

extension Router {
    /// The methods that a page of another site may use.
    static let sharedMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// The fields that such a page may send, beside those that need no leave.
    static let sharedRequestFields =
        [
            "Authorization", "Content-Type", "Idempotency-Key", "traceparent", "tracestate",
            "Upload-Length", "Upload-Metadata",
        ] + RequestHeader.allCases.map(\.rawValue)

    /// The fields that such a page may read, beside those that need no leave.
    static let sharedAnswerFields = [
        "Accept-Patch", "Accept-Post", "Accept-Ranges", "Allow", "Content-Disposition",
        "Content-Encoding", "Content-Range", "ETag", "Idempotent-Replayed", "Link", "Location",
        "Preference-Applied", "Repr-Digest", "Retry-After", "Tus-Max-Size", "Tus-Extension",
        "Tus-Resumable", "Tus-Version", "Upload-Expires", "Upload-Length", "Upload-Offset",
        "WWW-Authenticate", "X-Request-Id",
    ]

    /// The answer to a preflight of a listed origin; nil for every other request.
    ///
    /// It needs no key, because a browser sends none, and is equal for all paths, so that it tells
    /// nothing about them.
    func preflight(_ request: Request) -> Response? {
        guard request.method == "OPTIONS", origins.origin(of: request) != nil,
            !request.headers.all("Access-Control-Request-Method").isEmpty
        else { return nil }
        do throws(Problem) {
            try hosts.check(request, isListed: true)
        } catch {
            return refuse(request, error)
        }
        let answer = accepted(
            Response(
                status: 204,
                headers: [
                    ("Access-Control-Allow-Methods", Router.sharedMethods.joined(separator: ", ")),
                    (
                        "Access-Control-Allow-Headers",
                        Router.sharedRequestFields.joined(separator: ", ")
                    ),
                    ("Access-Control-Max-Age", "7200"),
                ]))
        return shared(answer, with: request)
    }

    /// An answer that the page of a listed origin may read.
    func shared(_ answer: Answer, with request: Request) -> Answer {
        guard origins.origin(of: request) != nil else { return answer }
        switch answer {
        case .now(let response): return .now(shared(response, with: request))
        case .later(let work):
            return .later { self.shared(await work(), with: request) }
        }
    }

    private func shared(_ response: Response, with request: Request) -> Response {
        guard let origin = origins.origin(of: request) else { return response }
        var response = response
        response.headers.append(("Access-Control-Allow-Origin", origin))
        let fields = Router.sharedAnswerFields.joined(separator: ", ")
        response.headers.append(("Access-Control-Expose-Headers", fields))
        return response
    }
}
