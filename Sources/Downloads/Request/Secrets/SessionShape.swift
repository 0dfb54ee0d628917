internal import Base

/// The visible part of a session's TLS settings and credentials, stored with its configuration.
package struct SessionShape: Equatable, Sendable {
    /// The names of the fields.
    package var headerNames: [String]
    /// The names of the members of `tls`.
    package var tlsNames: [String]
    /// A keyed digest of the values: a different one means another version.
    package var fingerprint: String
    /// The request to the receiver of `webhook_url`.
    package var webhook = RequestShape()
    /// The request to the receiver of `begin_hook`.
    package var hook = RequestShape()
    /// The request to the receiver of finished files.
    package var relay = RequestShape()

    /// The visible part of secrets.
    package init(_ secrets: SessionSecrets, fingerprint: String) {
        headerNames = secrets.headers.map(\.name)
        tlsNames = secrets.tls.names
        webhook = secrets.webhook?.shape ?? RequestShape()
        hook = secrets.hook?.shape ?? RequestShape()
        relay = secrets.relay?.shape ?? RequestShape()
        self.fingerprint = fingerprint
    }

    /// Whether a client certificate is among them.
    package var hasClientCertificate: Bool { tlsNames.contains("client_certificate_pem") }

    /// Reads `json`.
    init(stored object: JSONObject) {
        headerNames = object["header_names"]?.arrayValue?.compactMap(\.stringValue) ?? []
        tlsNames = object["tls"]?.arrayValue?.compactMap(\.stringValue) ?? []
        fingerprint = object["fingerprint"]?.stringValue ?? ""
        webhook = object["webhook"].flatMap { RequestShape(stored: $0) } ?? RequestShape()
        hook = object["hook"].flatMap { RequestShape(stored: $0) } ?? RequestShape()
        relay = object["relay"].flatMap { RequestShape(stored: $0) } ?? RequestShape()
    }

    var json: JSON {
        var object: JSONObject = [
            "header_names": .array(headerNames.map { .string($0) }),
            "tls": .array(tlsNames.map { .string($0) }),
            "fingerprint": .string(fingerprint),
        ]
        // Deliveries read these two members.
        if webhook.hasSecrets { object["webhook"] = webhook.tree }
        if hook.hasSecrets { object["hook"] = hook.tree }
        if relay.hasSecrets { object["relay"] = relay.tree }
        return .object(object)
    }
}
