// Content that is produced while it is sent.

/// A body that is produced piece by piece: of a known length, or sent in chunks in HTTP/1.1 and
/// until the close in HTTP/1.0.
package struct BodyStream: Sendable {
    /// The number of bytes that are written, not negative; nil if it is not known before.
    ///
    /// A producer that returns before it has written so many has failed: the connection is ended,
    /// so that the client does not take the part for the whole.
    package let length: Int64?
    /// Writes the content and returns at its end.
    ///
    /// Runs in a task of its own, which is cancelled when the client goes away and when the server
    /// is about to stop. At the server's end the body's end can still be written.
    package let produce: @Sendable (BodyWriter) async -> Void

    /// Creates a body that a function writes.
    package init(length: Int64? = nil, _ produce: @escaping @Sendable (BodyWriter) async -> Void) {
        precondition(length ?? 0 >= 0, "a length is not negative")
        self.length = length
        self.produce = produce
    }
}
