// One request on its way through its endpoint.
internal import Core
internal import HTTPWire
internal import Store

/// A request, what its route found in it, and its name.
struct Call: Sendable {
    /// The request.
    let request: Request
    /// Its identifier, told as `X-Request-Id` and in problems.
    let id: String
    /// When it came.
    let now: Timestamp
    /// The decoded segments that stand for the route's placeholders, in order.
    let parameters: [String]
    /// The media types of the bodies that its route reads.
    let types: [String]
    /// Its query, with none but known names.
    let query: Query
    /// The key under which it is done once, if the client gave one.
    var once: IdempotencyKey?
    /// What the key of the request opens.
    let grant: KeyGrant
    /// The caller's place in its trace.
    let traceparent: String?
}

extension Call {
    /// Whether the client only wants to know what would come of it.
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
        try Router.checkType(request, types)
        let document: JSON
        var hasNUL = false
        do throws(JSONError) {
            document = try JSON.parse(request.body, hasNUL: &hasNUL)
        } catch {
            let what = error.isBeyondLimits ? "more than is read" : "not JSON"
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

    /// Refuses a body where none has a meaning.
    ///
    /// - Throws: `validation-failed`, unless the body is empty or an empty object.
    func expectNoDocument() throws(Problem) {
        guard !request.body.isEmpty else { return }
        guard let object = try document().objectValue else {
            throw .invalid("#", "must be an empty object, or send no body")
        }
        guard !object.isEmpty else { return }
        var reader = FieldReader(object)
        for (name, _) in object.members { reader.refuse(name, "is not known here; nothing is") }
        throw .invalid(reader.errors)
    }
}

extension JSON {
    /// Where a key or a text has the character U+0000, or nil.
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
