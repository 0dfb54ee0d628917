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

/// Where the producer of a body puts its bytes, one write after the other.
package struct BodyWriter: Sendable {
    private let take: @Sendable ([UInt8]) async -> Bool

    /// A writer that passes bytes to a closure.
    package init(_ take: @escaping @Sendable ([UInt8]) async -> Bool) { self.take = take }

    /// Hands bytes over and waits until there is room for more.
    ///
    /// - Parameter bytes: sent next; an empty array sends nothing.
    /// - Returns: false once the client is gone.
    package func write(_ bytes: [UInt8]) async -> Bool { await take(bytes) }
}
