// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// PEM texts (RFC 7468) for the connections of the session's downloads; secrets like header values.
///
/// `ca_pem` is trusted instead of the system's authorities. The client certificate is not shown to
/// another origin.
public struct TLSMaterial: Codable, Hashable, Sendable {
    /// `ca_pem` of the API.
    public var caPEM: String?
    /// `client_certificate_pem` of the API.
    public var clientCertificatePEM: String?
    /// Not encrypted.
    public var clientKeyPEM: String?

    /// Makes one of its members; those that are left out are nil.
    public init(
        caPEM: String? = nil,
        clientCertificatePEM: String? = nil,
        clientKeyPEM: String? = nil
    ) {
        self.caPEM = caPEM
        self.clientCertificatePEM = clientCertificatePEM
        self.clientKeyPEM = clientKeyPEM
    }

    private enum CodingKeys: String, CodingKey {
        case caPEM = "ca_pem"
        case clientCertificatePEM = "client_certificate_pem"
        case clientKeyPEM = "client_key_pem"
    }
}
