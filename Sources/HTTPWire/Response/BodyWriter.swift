/// Takes the bytes of a body from its producer, one write after the other.
package struct BodyWriter: Sendable {
    private let take: @Sendable ([UInt8]) async -> Bool

    /// Creates a writer that passes bytes to a closure.
    package init(_ take: @escaping @Sendable ([UInt8]) async -> Bool) { self.take = take }

    /// Hands bytes over and waits until there is room for more.
    ///
    /// - Parameter bytes: sent next; an empty array sends nothing.
    /// - Returns: false once the client is gone.
    package func write(_ bytes: [UInt8]) async -> Bool { await take(bytes) }
}
