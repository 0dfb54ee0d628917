// What a client calls its request, so that sending it twice does it once.
package import Core

/// A key of an app, and the request that it was sent with.
package struct IdempotencyKey: Sendable, Hashable {
    /// Whose.
    package let app: Int64
    /// Half of the SHA-256 of the key's text.
    package let hash: Identifier
    /// Half of the SHA-256 of the method, the target and the body.
    package let fingerprint: Identifier

    /// Names all of it.
    package init(app: Int64, hash: Identifier, fingerprint: Identifier) {
        self.app = app
        self.hash = hash
        self.fingerprint = fingerprint
    }
}

/// An answer as it is given again.
package struct StoredAnswer: Sendable, Equatable {
    /// The status code.
    package let status: Int
    /// The header fields by name.
    package let headers: JSONObject
    /// The body as it was sent.
    package let body: String

    /// Names all of it.
    package init(status: Int, headers: JSONObject, body: String) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Whether a request with a key is to be done.
package enum KeyClaim: Sendable, Equatable {
    /// It is, or was just now, by us.
    case mine
    /// It was done; this was the answer.
    case answered(StoredAnswer)
    /// Somebody does it at the moment.
    case inProgress
    /// The key belongs to another request.
    case reused
}
