// The members of a download that determine its HTTP request.
package import Base

/// `method`, `headers`, `body` or `body_base64`, `authorization` and `proxy`, read and validated.
package struct RequestMembers: Equatable, Sendable {
    /// The names, as clients write them.
    package static let names = [
        "method", "headers", "body", "body_base64", "authorization", "proxy",
    ]
    /// The most bytes of a body.
    package static let bodyBytesAtMost = 1 << 20

    /// The method.
    package var method = RequestMethod.get
    /// The secrets, which are stored sealed.
    package var secrets = RequestSecrets()
    /// The proxy; nil for none.
    package var proxyURL: String?

    /// Creates a plain GET.
    package init() {}

    /// The part without secrets.
    package var shape: RequestShape {
        RequestShape(method: method, secrets, proxyURL: proxyURL)
    }

    /// Reads the members.
    package init(reading reader: inout FieldReader) {
        if let text = reader.string("method", maximumLength: 32) {
            if let method = RequestMethod(rawValue: text) {
                self.method = method
            } else {
                reader.refuse(
                    "method",
                    text == "HEAD"
                        ? "cannot be HEAD, because its answer has no content; use GET"
                        : "must be GET, POST or PUT")
            }
        }
        secrets.headers = HeaderField.read("headers", &reader)
        secrets.body = RequestMembers.body(&reader)
        secrets.authorization = Authorization(reading: &reader)
        let proxy = ProxyChoice(reading: &reader)
        proxyURL = proxy?.url
        secrets.proxyCredentials = proxy?.credentials
        judge(&reader)
    }

    /// Checks that concern several members.
    func judge(_ reader: inout FieldReader) {
        if secrets.body != nil, method == .get {
            reader.refuse("body", "needs the method POST or PUT")
        }
        if case .digest = secrets.authorization, method == .post {
            reader.refuse(
                "authorization",
                "of the type digest needs the method GET or PUT, because digest sends the request "
                    + "twice, and a POST is sent once only")
        }
        let isTwice = secrets.headers.contains { $0.isNamed("Authorization") }
        if isTwice, secrets.authorization != nil {
            reader.refuse(
                "authorization",
                "and a header Authorization cannot be given together; leave one of them out")
        }
    }

    private static func body(_ reader: inout FieldReader) -> [UInt8]? {
        let hasBase64 = reader.value("body_base64") != nil
        if let text = reader.string("body", maximumLength: bodyBytesAtMost) {
            if hasBase64 { reader.refuse("body_base64", "cannot be given together with body") }
            return Array(text.utf8)
        }
        guard let text = reader.string("body_base64", maximumLength: bodyBytesAtMost / 3 * 4 + 4)
        else { return nil }
        guard let bytes = Base64.decode(text) else {
            reader.refuse("body_base64", "must be padded base64 (RFC 4648 section 4)")
            return nil
        }
        guard bytes.count <= bodyBytesAtMost else {
            reader.refuse("body_base64", "must decode to at most \(bodyBytesAtMost) bytes")
            return nil
        }
        return bytes
    }
}

extension HeaderField {
    /// Reads an object of fields; an invalid one is refused with its pointer.
    static func read(_ key: String, _ reader: inout FieldReader) -> [HeaderField] {
        guard let value = reader.value(key) else { return [] }
        guard let object = value.objectValue, object.count <= HeaderFieldRules.countAtMost else {
            reader.refuse(
                key, "must be an object of at most \(HeaderFieldRules.countAtMost) strings")
            return []
        }
        let part = FieldReader(object, at: reader.pointer(key))
        var fields: [HeaderField] = []
        var errors = FieldErrors()
        var seen: Set<String> = []
        for (name, value) in object.members {
            if let detail = refusal(name, value, seen: &seen) {
                errors.append(FieldError(part.pointer(name), detail))
            } else {
                fields.append(HeaderField(name, (value.stringValue ?? "").trimmedOfSpace))
            }
        }
        let bytes = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        if bytes > HeaderFieldRules.bytesAtMost {
            reader.refuse(
                key, "must have at most \(HeaderFieldRules.bytesAtMost) bytes, but has \(bytes)")
        }
        reader.adopt(errors)
        return fields
    }

    private static func refusal(
        _ name: String, _ value: JSON, seen: inout Set<String>
    ) -> String? {
        if let detail = HeaderFieldRules.refusal(of: name) { return detail }
        guard let text = value.stringValue else { return "must be a string" }
        guard HeaderFieldRules.allows(value: text) else {
            return "must have no control characters"
        }
        guard text != RequestShape.redacted else {
            return "is the placeholder that this service shows instead of a secret value; send the "
                + "value itself"
        }
        guard seen.insert(name.lowercased()).inserted else {
            return "is given more than once: names that differ only in case are equal"
        }
        return nil
    }
}

extension String {
    /// The text without spaces and tabs at its ends, which are not part of a field's value.
    fileprivate var trimmedOfSpace: String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let start = utf8.firstIndex(where: { !isSpace($0) }),
            let end = utf8.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self[start...end])
    }
}
