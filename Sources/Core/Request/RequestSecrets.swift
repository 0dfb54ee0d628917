// The secret parts of a request: sent to the origin, shown to no client.

/// The secrets of one download; at rest they are sealed, and gone with its end.
package struct RequestSecrets: Equatable, Sendable {
    /// The fields with their values.
    package var headers: [HeaderField] = []
    /// The body.
    package var body: [UInt8]?
    /// The credentials.
    package var authorization: Authorization?
    /// What the proxy wants to know.
    package var proxyCredentials: ProxyCredentials?

    /// None.
    package init() {}

    /// Whether there is nothing to keep.
    package var isEmpty: Bool { self == RequestSecrets() }

    /// What binds a sealed form to its place, so that it cannot be moved to another row.
    package static func place(of id: Identifier, app: Int64) -> [UInt8] {
        Array("download_secrets.sealed/\(app)/\(id.hexadecimal)".utf8)
    }

    /// What is sealed: one line of JSON, then the body as it is.
    package var plain: [UInt8] {
        var object = JSONObject()
        if !headers.isEmpty { object["headers"] = HeaderField.json(headers) }
        object["authorization"] = authorization?.json
        object["proxy"] = proxyCredentials.map {
            ["username": .string($0.username), "password": .string($0.password)]
        }
        if body != nil { object["has_body"] = true }
        return object.serialized() + [0x0a] + (body ?? [])
    }

    /// Reads `plain`; nil for anything else.
    package init?(plain bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: 0x0a),
            let object = JSONObject(text: bytes[..<end]),
            let fields = HeaderField.list(object["headers"])
        else { return nil }
        headers = fields
        var reader = FieldReader(object)
        authorization = Authorization(reading: &reader)
        if let proxy = object["proxy"] {
            proxyCredentials = ProxyCredentials(
                username: proxy["username"]?.stringValue ?? "",
                password: proxy["password"]?.stringValue ?? "")
        }
        if object["has_body"] == true { body = Array(bytes[(end + 1)...]) }
    }
}

extension HeaderField {
    /// Fields as pairs, in their order.
    static func json(_ fields: [HeaderField]) -> JSON {
        .array(fields.map { [.string($0.name), .string($0.value)] })
    }

    /// Reads `json`; no member is an empty list, nil is anything else.
    static func list(_ json: JSON?) -> [HeaderField]? {
        guard let json else { return [] }
        guard let items = json.arrayValue else { return nil }
        var fields: [HeaderField] = []
        for item in items {
            guard let name = item[0]?.stringValue, let value = item[1]?.stringValue else {
                return nil
            }
            fields.append(HeaderField(name, value))
        }
        return fields
    }
}

extension JSONObject {
    /// An object from its text, or nil.
    init?(text: some Collection<UInt8>) {
        do throws(JSONError) {
            guard case .object(let object) = try JSON.parse(Array(text)) else { return nil }
            self = object
        } catch {
            return nil
        }
    }
}
