/// A request to a replica, identified by its nonce.
package struct PeerQuestion: Equatable, Sendable {
    /// The path as it is sent; it names the file and the range.
    package let path: String
    /// Random, 32 hexadecimal digits; new for each request.
    package let nonce: String

    /// Creates a request for a path.
    package init(path: String, nonce: String) { (self.path, self.nonce) = (path, nonce) }
}
