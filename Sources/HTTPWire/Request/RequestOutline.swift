// The known part of a request that was not read to its end.

/// The method and path of a request as far as they were read, and who sent it.
package struct RequestOutline: Sendable, Hashable {
    /// The method's token; nil if the first line was not read that far.
    package let method: String?
    /// The target's path as sent; nil if the first line was not read or not accepted.
    package let path: String?
    /// The client, as in `Request.peer`.
    package let peer: String
    /// The value of `traceparent` as sent; nil if the field is missing or was not read whole.
    package let traceparent: String?

    /// Creates an outline.
    package init(method: String?, path: String?, peer: String, traceparent: String? = nil) {
        self.method = method
        self.path = path
        self.peer = peer
        self.traceparent = traceparent
    }

    /// Creates the outline of a complete request.
    package init(_ request: Request) {
        self.init(
            method: request.method, path: request.path, peer: request.peer,
            traceparent: request.headers["traceparent"])
    }

    /// Whether the answer has no content.
    package var isHead: Bool { method == "HEAD" }
}
