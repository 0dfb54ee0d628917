// Whether the body of a request is one that its route reads.
internal import HTTPWire

extension Router {
    /// Refuses a body that is coded, or declared as something that the route does not read.
    ///
    /// - Throws: `unsupported-media-type`, with what may be sent instead.
    static func checkBody(_ request: Request, _ route: Route) throws(Problem) {
        if let coding = ContentCoding.first(of: request) {
            var problem = Problem(
                .unsupportedMediaType,
                "The body has Content-Encoding: \(coding); send it as it is, without a coding.")
            // RFC 9110 section 12.5.3: says that it is the coding and not the type.
            problem.headers = [("Accept-Encoding", "identity")]
            throw problem
        }
        guard !request.body.isEmpty, !route.types.isEmpty else { return }
        try checkType(request, route.types)
    }

    /// Refuses a body that is not declared as one of these types.
    ///
    /// - Throws: `unsupported-media-type`, with the types in the field that tells them.
    static func checkType(_ request: Request, _ types: [String]) throws(Problem) {
        if let type = MediaType.declared(request), types.contains(type) { return }
        let fields = request.headers.all("Content-Type")
        let sent =
            switch fields.count {
            case 0: "has no Content-Type"
            case 1: "was declared as \"\(fields[0])\""
            default: "has more than one Content-Type"
            }
        let hint =
            fields.contains(where: MediaType.isForm)
            ? "; curl -d declares a form, use curl --json (7.82 or later)" : ""
        let list = types.joined(separator: ", ")
        var problem = Problem(
            .unsupportedMediaType, "The body \(sent); send it with Content-Type: \(list)\(hint).")
        let name = ["POST": "Accept-Post", "PATCH": "Accept-Patch"][request.method] ?? "Accept"
        problem.headers = [(name, list)]
        throw problem
    }
}
