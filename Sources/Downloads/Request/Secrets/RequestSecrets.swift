// The secret parts of a request: sent to the origin, never shown to clients.
package import Base

/// The secrets of one download; stored sealed, and erased at its end.
package struct RequestSecrets: Equatable, Sendable {
    /// The fields with their values.
    package var headers: [HeaderField] = []
    /// The body.
    package var body: [UInt8]?
    /// The credentials.
    package var authorization: Authorization?
    /// The credentials for the proxy.
    package var proxyCredentials: ProxyCredentials?
    /// An array, because a value cannot contain another of its own type.
    private var hooks: [BoundSecrets] = []
    private var relays: [BoundSecrets] = []

    /// Fields and credentials for the receiver of the download's own `begin_hook`, which have an
    /// origin of their own; nil for none.
    package var hook: BoundSecrets? {
        get { hooks.first }
        set { hooks = newValue.map { [$0] } ?? [] }
    }

    /// Fields and credentials for the receiver of the finished file, which have an origin of their
    /// own, and for its hook; nil for none.
    package var relay: BoundSecrets? {
        get { relays.first }
        set { relays = newValue.map { [$0] } ?? [] }
    }

    /// Creates a value without secrets.
    package init() {}

    /// Whether there are no secrets.
    package var isEmpty: Bool { self == RequestSecrets() }

    /// The associated data that binds the sealed form to its row, so that it cannot be moved to
    /// another one.
    package static func associatedData(of id: Identifier, app: Int64) -> [UInt8] {
        Array("download_secrets.sealed/\(app)/\(id.hexadecimal)".utf8)
    }
}

extension HeaderField {
    /// Fields as pairs, in their order.
    static func json(_ fields: [HeaderField]) -> JSON {
        .array(fields.map { [.string($0.name), .string($0.value)] })
    }

    /// Reads `json`; a missing member is an empty list, anything else than a list of fields is nil.
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
    /// Reads the text of an object; nil for any other text.
    init?(text: some Collection<UInt8>) {
        do throws(JSONError) {
            guard case .object(let object) = try JSON.parse(Array(text)) else { return nil }
            self = object
        } catch {
            return nil
        }
    }
}
