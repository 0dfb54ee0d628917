// The secrets of a session's requests.
package import Base

/// The secrets of one version of a session; stored sealed.
package struct SessionSecrets: Equatable, Sendable {
    /// Fields of requests to the session's origins; those of a download override them.
    package var headers: [HeaderField] = []
    /// Authorities for every connection, and a certificate for those to the session's origins.
    package var tls = TLSMaterial()
    /// Fields and credentials for the receiver of `webhook_url`; nil for none.
    package var webhook: BoundSecrets?
    /// Fields and credentials for the receiver of `begin_hook`; nil for none.
    package var hook: BoundSecrets?
    /// Fields and credentials for the receiver of finished files, and for its hook; nil for
    /// none.
    package var relay: BoundSecrets?

    /// Creates a value without secrets.
    package init() {}

    /// Whether there are no secrets.
    package var isEmpty: Bool { self == SessionSecrets() }

    /// The associated data that binds the sealed form to its session.
    package static func associatedData(app: Int64, session: String) -> [UInt8] {
        Array("session_secrets.sealed/\(app)/\(session)".utf8)
    }

    /// Reads the members of a session document.
    package init(reading reader: inout FieldReader) {
        headers = HeaderField.read("http_additional_headers", &reader)
        tls = TLSMaterial(reading: &reader)
    }
}
