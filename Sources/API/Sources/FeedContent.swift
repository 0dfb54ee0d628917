/// The document of a feed, as its download brought it.
package enum FeedContent: Sendable {
    /// All of its bytes.
    case bytes([UInt8])
    /// It cannot be read now, such as while the replica that has it is away.
    case unavailable(String)
    /// It is no longer held.
    case gone(String)
}
