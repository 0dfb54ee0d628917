// One request in the form for an endpoint.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

/// A request with its route, its identifier and its key's rights.
///
/// A class, because it is large and passed through several types.
final class Call: Sendable {
    /// The request.
    let request: Request
    /// Its identifier, sent as `X-Request-Id` and in problems.
    let id: String
    /// The time at which it arrived.
    let now: Timestamp
    /// The endpoint.
    let route: Route
    /// The decoded segments at the placeholders of the path, in order.
    let parameters: [String]
    /// Its query; unknown names were refused.
    let query: Query
    /// The rights of its key.
    let grant: KeyGrant
    /// Its key, for a request that stays open; nil if no keys are needed.
    let key: HeldKey?
    /// The caller's trace context (W3C Trace Context).
    let traceparent: String?
    /// Writes the cause of a failure to the log, under the identifier of a request.
    let log: @Sendable (_ requestID: String, _ cause: String) -> Void
    /// Its `Idempotency-Key`; nil if it has none or the request is a dry run.
    let idempotencyKey: IdempotencyKey?

    /// Creates a call from a request that its route accepts; it has no idempotency key.
    init(
        _ request: Request, id: String, at now: Timestamp, route: Route, parameters: [String],
        query: Query, grant: KeyGrant, key: HeldKey?,
        log: @escaping @Sendable (_ requestID: String, _ cause: String) -> Void
    ) {
        self.request = request
        self.id = id
        self.now = now
        self.route = route
        self.parameters = parameters
        self.query = query
        self.grant = grant
        self.key = key
        traceparent = request.headers["traceparent"].flatMap(TraceParent.read)
        self.log = log
        idempotencyKey = nil
    }

    /// The call with its idempotency key.
    init(_ call: Call, _ idempotencyKey: IdempotencyKey) {
        request = call.request
        id = call.id
        now = call.now
        route = call.route
        parameters = call.parameters
        query = call.query
        grant = call.grant
        key = call.key
        traceparent = call.traceparent
        log = call.log
        self.idempotencyKey = idempotencyKey
    }

    /// Whether its key may change downloads but not read them.
    var hidesDownloads: Bool { route.hidesDownloads(from: grant) }

    /// The app that it acts for.
    var app: Int64 { grant.app }

    /// Writes the cause of a failure to the log.
    func report(_ cause: String) { log(id, cause) }

    /// The conditions of the request, for a route that declares them.
    var conditions: Preconditions {
        precondition(route.headers.contains(.ifMatch), "\(route.operation) declares no conditions")
        return Preconditions(request, hidesTag: hidesDownloads)
    }

    /// The preferences of the request, for a route that declares them.
    var preferences: Preferences {
        precondition(route.headers.contains(.prefer), "\(route.operation) declares no Prefer")
        return Preferences(request.headers)
    }

    /// The lines of a header field that the route declares.
    func fields(_ header: RequestHeader) -> [String] {
        precondition(route.headers.contains(header), "\(route.operation): \(header.rawValue)")
        return request.headers.all(header.rawValue)
    }
}

extension Call {
    /// Whether the request is only judged, without an effect.
    ///
    /// - Throws: `validation-failed` for anything but `true` and `false`.
    var isDryRun: Bool {
        get throws(Problem) { try query.bool("dry_run") ?? false }
    }

    /// The body as a JSON document.
    ///
    /// - Returns: the document.
    /// - Throws: `unsupported-media-type`, `malformed-json`, or `validation-failed` for a text with
    ///   the character U+0000, which the store cannot keep.
    func document() throws(Problem) -> JSON {
        try route.checkType(request)
        let document: JSON
        var hasNUL = false
        do throws(JSONError) {
            document = try JSON.parse(request.body, hasNUL: &hasNUL)
        } catch {
            let what = error.isBeyondLimits ? "larger than the limits allow" : "not JSON"
            var problem = Problem(.malformedJSON, "The body is \(what): \(error).")
            problem.members["line"] = .integer(Int64(error.line))
            problem.members["column"] = .integer(Int64(error.column))
            throw problem
        }
        if hasNUL, let pointer = document.pointerOfNUL(at: "#") {
            throw .invalid(pointer, "must not have the character U+0000")
        }
        return document
    }

    /// Refuses a body on an endpoint without one.
    ///
    /// - Throws: `validation-failed`, unless the body is empty or an empty object.
    func expectNoDocument() throws(Problem) {
        guard !request.body.isEmpty else { return }
        guard let object = try document().objectValue else {
            throw .invalid("#", "must be an empty object; or send no body")
        }
        guard !object.isEmpty else { return }
        var reader = FieldReader(object)
        for (name, _) in object.members {
            reader.refuse(name, "is unknown: this request has no members")
        }
        throw .invalid(reader.errors)
    }
}

extension JSON {
    /// The pointer to a key or text with the character U+0000; nil for none.
    func pointerOfNUL(at path: String) -> String? {
        switch self {
        case .string(let text): return text.utf8.contains(0) ? path : nil
        case .array(let items):
            for (place, item) in items.enumerated() {
                if let pointer = item.pointerOfNUL(at: path) {
                    return path + "/\(place)" + pointer.dropFirst(path.utf8.count)
                }
            }
            return nil
        case .object(let object):
            for (key, value) in object.members {
                if key.utf8.contains(0) { return path }
                if let pointer = value.pointerOfNUL(at: path) {
                    return FieldReader(object, at: path).pointer(key)
                        + pointer.dropFirst(path.utf8.count)
                }
            }
            return nil
        default: return nil
        }
    }
}
