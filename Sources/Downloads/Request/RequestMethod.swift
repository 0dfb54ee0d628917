// The HTTP method of a download.

/// The methods that a download can use (RFC 9110 section 9).
package enum RequestMethod: String, Sendable, CaseIterable, MemberValue {
    /// Fetch; the only method whose transfer can be resumed.
    case get = "GET"
    /// Send a body and fetch the answer; not idempotent.
    case post = "POST"
    /// Send a body and fetch the answer; idempotent.
    case put = "PUT"
}
