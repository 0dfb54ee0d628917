/// A pair of keys with which requests are signed.
package struct SigningCredentials: Sendable, Equatable, CustomStringConvertible {
    /// The public name of the pair.
    package var accessKey: String
    /// The secret of the pair.
    package var secretKey: String
    /// The token of temporary credentials; nil for lasting ones.
    package var sessionToken: String?

    /// Creates a pair.
    package init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }

    /// The public name alone, so that no log has a secret.
    package var description: String { accessKey }
}
