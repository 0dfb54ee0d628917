/// Certificates and a key as PEM texts, for the connections of one run.
package struct TransferTLS: Sendable {
    /// The trusted authorities, in place of the engine's; nil for the engine's.
    package var caPEM: String?
    /// The client's certificate, for the origin of the first hop only.
    package var certificatePEM: String?
    /// Its key.
    package var keyPEM: String?

    /// Creates a value with all its members.
    package init(caPEM: String?, certificatePEM: String?, keyPEM: String?) {
        self.caPEM = caPEM
        self.certificatePEM = certificatePEM
        self.keyPEM = keyPEM
    }
}
