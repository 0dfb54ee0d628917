/// The HTTP version of a message; RFC 9112 section 2.3.
package enum HTTPVersion: Sendable, Hashable {
    /// HTTP/1.0.
    case http10
    /// HTTP/1.1, and every later 1.x.
    case http11
}
