package import Core

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
