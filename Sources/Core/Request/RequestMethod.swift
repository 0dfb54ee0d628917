// How a download asks for its content.

/// The methods that a download may be asked for with (RFC 9110 section 9).
package enum RequestMethod: String, Sendable, CaseIterable, MemberValue {
    /// Fetch; the only one that is ever continued in the middle.
    case get = "GET"
    /// Send a body and fetch what is answered; not idempotent.
    case post = "POST"
    /// The same, idempotent.
    case put = "PUT"
}
