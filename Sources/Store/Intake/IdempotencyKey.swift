// The idempotency key of a request, by which a repeated request is done once.
package import Base

/// A key of an app, and the request with which it was sent.
package struct IdempotencyKey: Sendable, Hashable {
    /// The app's number.
    package let app: Int64
    /// Half of the SHA-256 of the key's text.
    package let hash: Identifier
    /// Half of the SHA-256 of the method, the target and the body.
    package let fingerprint: Identifier

    /// Creates a value with all its members.
    package init(app: Int64, hash: Identifier, fingerprint: Identifier) {
        self.app = app
        self.hash = hash
        self.fingerprint = fingerprint
    }
}
