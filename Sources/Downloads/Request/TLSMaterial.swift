internal import Base

/// Certificates and a key as PEM texts (RFC 7468), never as file names.
package struct TLSMaterial: Equatable, Sendable {
    /// The trusted authorities, in place of the system's.
    package var caPEM: String?
    /// The client certificate with its chain.
    package var clientCertificatePEM: String?
    /// Its private key.
    package var clientKeyPEM: String?

    /// Creates a value without certificates.
    package init() {}

    /// The names of the members that are set.
    package var names: [String] { json.members.map(\.key) }

    var json: JSONObject {
        var object = JSONObject()
        object["ca_pem"] = caPEM.map { .string($0) }
        object["client_certificate_pem"] = clientCertificatePEM.map { .string($0) }
        object["client_key_pem"] = clientKeyPEM.map { .string($0) }
        return object
    }

    init(sealed object: JSONObject) {
        caPEM = object["ca_pem"]?.stringValue
        clientCertificatePEM = object["client_certificate_pem"]?.stringValue
        clientKeyPEM = object["client_key_pem"]?.stringValue
    }

    /// Reads the `tls` member.
    init(reading reader: inout FieldReader) {
        guard let value = reader.value("tls") else { return }
        guard let object = value.objectValue else {
            reader.refuse("tls", "must be an object")
            return
        }
        var part = FieldReader(object, at: reader.pointer("tls"))
        caPEM = TLSMaterial.pem("ca_pem", "CERTIFICATE", 262_144, &part)
        clientCertificatePEM = TLSMaterial.pem(
            "client_certificate_pem", "CERTIFICATE", 65_536, &part)
        clientKeyPEM = TLSMaterial.pem("client_key_pem", "PRIVATE KEY", 32_768, &part)
        if (clientCertificatePEM == nil) != (clientKeyPEM == nil), part.errors.isEmpty {
            part.refuse("client_certificate_pem", "must be given together with client_key_pem")
        }
        if clientKeyPEM?.contains("ENCRYPTED") == true {
            part.refuse(
                "client_key_pem", "must not be encrypted, because nobody can type its passphrase")
        }
        reader.adopt(part.finish())
    }

    private static func pem(
        _ key: String, _ label: String, _ bytes: Int, _ reader: inout FieldReader
    ) -> String? {
        guard let text = reader.string(key, maximumLength: bytes) else { return nil }
        guard text.utf8.allSatisfy({ $0 < 0x80 }), has(label, text.utf8) else {
            reader.refuse(key, "must be PEM text with a line -----BEGIN \(label)-----")
            return nil
        }
        return text
    }

    /// Whether a line begins as PEM does and names a label that ends with the given text.
    private static func has(_ label: String, _ text: String.UTF8View) -> Bool {
        text.split(separator: 0x0a).contains { line in
            line.starts(with: "-----BEGIN ".utf8) && Substring(line).contains(label + "-----")
        }
    }
}
