/// Content that is read piece by piece.
package struct ContentChunks: Sendable {
    /// The length of the whole content in bytes.
    package let length: Int64
    /// The next wished bytes, never empty; nil at their end.
    ///
    /// Nothing is read before the first call.
    package let next: @Sendable () async throws(PlaceError) -> [UInt8]?

    /// Creates a value with all its members.
    package init(
        length: Int64, next: @escaping @Sendable () async throws(PlaceError) -> [UInt8]?
    ) {
        self.length = length
        self.next = next
    }
}
