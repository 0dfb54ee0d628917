/// An object, or a range of one, that is being read.
package struct StoreReading: Sendable {
    /// The length of the whole object in bytes.
    package let length: Int64
    /// The next bytes, never empty; nil at the end.
    package let next: @Sendable () async throws(StoreFailure) -> [UInt8]?

    /// Creates a value with all its members.
    package init(
        length: Int64, next: @escaping @Sendable () async throws(StoreFailure) -> [UInt8]?
    ) {
        self.length = length
        self.next = next
    }
}
