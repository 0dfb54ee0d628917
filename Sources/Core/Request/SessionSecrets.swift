// What the downloads of a session are asked for with.

/// The secrets of one version of a session; sealed at rest.
package struct SessionSecrets: Equatable, Sendable {
    /// Fields of every request; those of a download win.
    package var headers: [HeaderField] = []
    /// For every connection.
    package var tls = TLSMaterial()

    /// None.
    package init() {}

    /// Whether there is nothing to keep.
    package var isEmpty: Bool { self == SessionSecrets() }

    /// What binds a sealed form to its session.
    package static func place(app: Int64, session: String) -> [UInt8] {
        Array("session_secrets.sealed/\(app)/\(session)".utf8)
    }

    /// Reads the members of a session document.
    package init(reading reader: inout FieldReader) {
        headers = HeaderField.read("http_additional_headers", &reader)
        tls = TLSMaterial(reading: &reader)
    }

    /// What is sealed.
    package var plain: [UInt8] {
        var object = JSONObject()
        if !headers.isEmpty { object["headers"] = HeaderField.json(headers) }
        let material = tls.json
        if !material.isEmpty { object["tls"] = .object(material) }
        return object.serialized()
    }

    /// Reads `plain`; nil for anything else.
    package init?(plain bytes: [UInt8]) {
        guard let object = JSONObject(text: bytes), let fields = HeaderField.list(object["headers"])
        else { return nil }
        headers = fields
        if let material = object["tls"]?.objectValue { tls = TLSMaterial(sealed: material) }
    }
}
