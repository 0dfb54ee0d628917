package import Base

/// A stored answer, for a repeated request.
package struct StoredAnswer: Sendable, Equatable {
    /// The status code.
    package let status: Int
    /// The header fields by name.
    package let headers: JSONObject
    /// The body as sent.
    package let body: String

    /// Creates a value with all its members.
    package init(status: Int, headers: JSONObject, body: String) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
