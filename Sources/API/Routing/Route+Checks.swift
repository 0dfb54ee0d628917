// The checks of the router before the work of a route.
internal import Downloads
internal import HTTPWire

extension Route {
    /// Refuses a key that lacks the scope of the endpoint (RFC 6750 section 3.1).
    ///
    /// - Throws: `insufficient-scope`.
    func checkScope(_ grant: KeyGrant) throws(Problem) {
        guard let scope else { return }
        if let otherScope, grant.scopes.contains(otherScope) { return }
        try grant.expect(scope)
    }

    /// Whether a key sees only `unread` of its answers, because it may change downloads but not
    /// read them.
    func hidesDownloads(from grant: KeyGrant) -> Bool {
        scope == .writeDownloads && !grant.showsDownloads
            || scope == .writeUploads && !isOfUploadContent && !grant.scopes.contains(.readUploads)
    }

    /// Whether it brings the bytes of an upload: a key that may bring them has to learn how many
    /// are there, and which tus is spoken.
    private var isOfUploadContent: Bool { path == UploadContentEndpoints.path || streamsBody }

    /// Whether it is about uploads, whose identifiers have a prefix of their own.
    var isOfUploads: Bool { path.hasPrefix("/v1/uploads") }

    /// Refuses a client that does not accept JSON (RFC 9110 section 12.5.1).
    ///
    /// - Throws: `not-acceptable`.
    func checkAccept(_ request: Request) throws(Problem) {
        guard !ignoresAccept, !Accept.allowsJSON(request.headers.all("Accept")) else { return }
        throw Problem(
            .notAcceptable, "The answer is application/json, but Accept does not allow that type.")
    }

    /// Refuses a body with a content coding, or of a type that the endpoint does not read.
    ///
    /// - Throws: `unsupported-media-type`, with what may be sent instead.
    func checkBody(_ request: Request) throws(Problem) {
        if let coding = ContentCoding.first(of: request) {
            var problem = Problem(
                .unsupportedMediaType,
                "The body has Content-Encoding: \(coding). Send it without a content coding.")
            // By RFC 9110 section 12.5.3 the field names the coding, not the type, as the reason.
            problem.headers = [("Accept-Encoding", "identity")]
            throw problem
        }
        guard !request.body.isEmpty, !body.isEmpty else { return }
        try checkType(request)
    }

    /// Refuses a body that is not declared as one of the types of the endpoint.
    ///
    /// - Throws: `unsupported-media-type`, with the types in the field for the method.
    func checkType(_ request: Request) throws(Problem) {
        guard !body.contains("*/*") else { return }
        if let type = MediaType.declared(request), body.contains(type) { return }
        let fields = request.headers.all("Content-Type")
        let sent =
            switch fields.count {
            case 0: "has no Content-Type"
            case 1: "was declared as \"\(fields[0])\""
            default: "has more than one Content-Type"
            }
        let hint =
            fields.contains(where: MediaType.isForm)
            ? " (curl -d declares a form; use curl --json, from 7.82 on)" : ""
        let list = body.joined(separator: ", ")
        var problem = Problem(
            .unsupportedMediaType, "The body \(sent). Send it with Content-Type: \(list)\(hint).")
        let name = ["POST": "Accept-Post", "PATCH": "Accept-Patch"][request.method] ?? "Accept"
        problem.headers = [(name, list)]
        throw problem
    }
}

extension KeyGrant {
    /// Refuses a key that lacks a scope (RFC 6750 section 3.1).
    ///
    /// - Throws: `insufficient-scope`.
    func expect(_ scope: KeyScope) throws(Problem) {
        guard !scopes.contains(scope) else { return }
        let held = KeyScope.allCases.filter(scopes.contains).map(\.rawValue)
        var problem = Problem(
            .insufficientScope,
            "This request needs a key with the scope \(scope.rawValue). The scopes of this key: "
                + "\(held.isEmpty ? "none" : held.joined(separator: ", ")).")
        problem.headers = [
            ("WWW-Authenticate", "Bearer error=\"insufficient_scope\", scope=\"\(scope.rawValue)\"")
        ]
        throw problem
    }

    /// Refuses a key that may not have files sent, for a download or session with a receiver.
    ///
    /// - Throws: `insufficient-scope`.
    func expectUploads(for relay: Relay?) throws(Problem) {
        if relay != nil { try expect(.writeUploads) }
    }
}
