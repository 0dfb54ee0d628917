// The page for people in a browser: its views and its files.
internal import HTTPWire

/// The endpoints below `/ui`, which need no key: the page asks for one where it is needed.
final class PageFileEndpoints: EndpointGroup {
    /// The views of the page besides the first, which is `/ui/`.
    static let views = ["queue", "add", "download", "when", "policy", "webhooks", "sessions"]

    private let isOn: Bool

    /// Creates the group; without the page each path below `/ui` is 404.
    init(isOn: Bool) { self.isOn = isOn }

    var routes: [Route] {
        let types = PageFile.Kind.allCases.map(\.rawValue)
        return [
            Route(
                "GET", "/ui", "getPageRedirect", scope: nil, answers: [.empty(308)],
                ignoresAccept: true, .now(redirect)),
            Route(
                "GET", "/ui/", "getPage", scope: nil, headers: .conditions,
                answers: [.page("text/html"), .notModified],
                ignoresAccept: true, ignoresQuery: true, isFixed: true, .now(first)),
            Route(
                "GET", "/ui/{name}", "getPageFile", scope: nil, headers: .conditions,
                answers: [RouteAnswer(status: 200, types: types), .notModified],
                ignoresAccept: true, ignoresQuery: true, isFixed: true, .now(get)),
        ]
    }

    /// `GET /ui`; the address is relative, so that it is right below a proxy's prefix.
    private func redirect(_ call: Call) throws(Problem) -> Response {
        try expectPage()
        return Response(status: 308, headers: [("Location", "ui/")])
    }

    /// `GET /ui/`.
    private func first(_ call: Call) throws(Problem) -> Response {
        try send(PageFile.document, call)
    }

    /// `GET /ui/{name}`: a view or a file.
    private func get(_ call: Call) throws(Problem) -> Response {
        let name = call.parameters[0]
        if PageFileEndpoints.views.contains(name) { return try send(PageFile.document, call) }
        guard let file = PageFile.all.first(where: { $0.name == name }) else {
            try expectPage()
            throw Problem(.notFound, "The page has no view and no file \"\(name)\".")
        }
        return try send(file, call)
    }

    private func send(_ file: PageFile, _ call: Call) throws(Problem) -> Response {
        try expectPage()
        if try call.conditions.check(Representation(tag: file.tag)) {
            return Response(status: 304, headers: file.headers)
        }
        return Response(status: 200, headers: file.headers, body: .bytes(file.bytes))
    }

    private func expectPage() throws(Problem) {
        guard !isOn else { return }
        throw Problem(.notFound, "The operator has switched the page off (LULL_UI=off).")
    }
}
