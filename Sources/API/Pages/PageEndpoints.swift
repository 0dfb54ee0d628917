// Pages for people about the service, its API, and its problems.
internal import HTTPWire

/// The endpoints that need no key and do not change while the process runs.
final class PageEndpoints: EndpointGroup {
    private let version: String
    private let showsPage: Bool

    /// Creates the pages with a version; a browser that asks for the first of them is sent to the
    /// page below `/ui/` if there is one.
    init(version: String, showsPage: Bool) {
        self.version = version
        self.showsPage = showsPage
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/openapi.yaml", "getDescription", scope: nil,
                answers: [.page("application/yaml")], ignoresAccept: true, isFixed: true,
                .now(description)),
            Route(
                "GET", "/problems/{slug}", "getProblemPage", scope: nil,
                answers: [.page("text/html")], ignoresAccept: true, isFixed: true, .now(problem)),
            Route(
                "GET", "/", "getIndex", scope: nil, answers: [.page("text/plain"), .empty(303)],
                ignoresAccept: true, .now(index)),
        ]
    }

    /// `GET /`.
    private func index(_ call: Call) throws(Problem) -> Response {
        if showsPage, Accept.prefersHTML(call.request.headers.all("Accept")) {
            return Response(status: 303, headers: [("Location", "ui/"), ("Vary", "Accept")])
        }
        let page = showsPage ? "  GET  /ui/            the page for browsers\n" : ""
        var response = Response.text(
            """
            Lull \(version) runs downloads in the background.

              POST /v1/downloads   {"url": "https://…"}
              GET  /v1/downloads   all downloads
              GET  /openapi.yaml   the description of the API
              GET  /readyz         whether the service can work
            \(page)
            """, type: "text/plain; charset=utf-8")
        response.headers.append(("Vary", "Accept"))
        return response
    }

    /// `GET /openapi.yaml`.
    private func description(_ call: Call) throws(Problem) -> Response {
        Response(
            status: 200, headers: [("Content-Type", "application/yaml")],
            body: .bytes(APIDescription.bytes))
    }

    /// `GET /problems/{slug}`.
    private func problem(_ call: Call) throws(Problem) -> Response {
        guard let kind = ProblemKind(rawValue: call.parameters[0]) else {
            throw Problem(.notFound, "There is no problem \"\(call.parameters[0])\".")
        }
        var response = Response.text(kind.page, type: "text/html; charset=utf-8")
        response.headers.append(("Content-Security-Policy", "default-src 'none'"))
        return response
    }
}
