/// A request to a replica, told from all others by its nonce.
package struct PeerQuestion: Equatable, Sendable {
    /// The path as it is sent; it names the file and the range.
    package let path: String
    /// Random, 32 hexadecimal digits; made anew for each request.
    package let nonce: String

    /// A request for a path.
    package init(path: String, nonce: String) { (self.path, self.nonce) = (path, nonce) }
}
