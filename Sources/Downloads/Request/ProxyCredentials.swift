/// The credentials for a proxy (RFC 9110 section 11.7).
package struct ProxyCredentials: Equatable, Sendable {
    /// The user's name.
    package var username: String
    /// The password.
    package var password: String

    /// Creates a pair of both values.
    package init(username: String, password: String) {
        self.username = username
        self.password = password
    }
}
