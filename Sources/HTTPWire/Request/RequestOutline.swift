// What is known of a request that was read in part.

/// The method and path of a request as far as they were read, and who sent it.
package struct RequestOutline: Sendable, Hashable {
    /// The method's token; nil where the first line was not read that far.
    package let method: String?
    /// The target's path as sent; nil where the first line was not read or not accepted.
    package let path: String?
    /// Who is at the other end, as in `Request.peer`.
    package let peer: String
    /// Its `traceparent` as sent; nil where it has none or was not read whole.
    package let traceparent: String?

    /// Sets all members.
    package init(method: String?, path: String?, peer: String, traceparent: String? = nil) {
        self.method = method
        self.path = path
        self.peer = peer
        self.traceparent = traceparent
    }

    /// That of a whole request.
    package init(_ request: Request) {
        self.init(
            method: request.method, path: request.path, peer: request.peer,
            traceparent: request.headers["traceparent"])
    }

    /// True if its answer has no content.
    package var isHead: Bool { method == "HEAD" }
}
