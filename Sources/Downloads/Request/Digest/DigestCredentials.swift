/// A name and a password that are not sent: requests carry digests of them (RFC 7616).
package struct DigestCredentials: Equatable, Sendable {
    /// The name.
    package let username: String
    /// The password.
    package let password: String

    /// Creates a pair of both values.
    package init(username: String, password: String) {
        (self.username, self.password) = (username, password)
    }
}
