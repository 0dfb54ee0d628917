// Content that is made while it is sent.

/// A body of unknown length: chunks in HTTP/1.1, until the close in HTTP/1.0.
package struct BodyStream: Sendable {
    /// Writes the content and returns at its end.
    ///
    /// Runs in a task of its own, which is cancelled when the client goes away and when the server
    /// is about to stop. In the second case its end can still be written.
    package let produce: @Sendable (BodyWriter) async -> Void

    /// A body that a function writes.
    package init(_ produce: @escaping @Sendable (BodyWriter) async -> Void) {
        self.produce = produce
    }
}
