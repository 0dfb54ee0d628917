/// The reason why a file cannot be written.
package enum WriteTrouble: Error, Equatable, Sendable {
    /// The disk or a quota is full.
    case noRoom
    /// The disk failed.
    case failed
}
