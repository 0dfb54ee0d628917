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
