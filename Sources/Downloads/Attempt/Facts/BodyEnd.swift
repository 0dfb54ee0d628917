/// The state of the bytes when a transfer is over.
package struct BodyEnd: Equatable, Sendable {
    /// The answer brought more bytes than it announced.
    package var isOverEnd = false
    /// The content is longer than the bound.
    package var isOverBound = false
    /// The reason why the file cannot be written.
    package var trouble: WriteTrouble?
    /// Whether other streams are under way or were to begin.
    package var hasStreams = false
    /// Whether the file was cut for several streams.
    package var isCut = false
    /// Whether all streams together brought every byte.
    package var isComplete = false

    /// One stream, and no trouble.
    package init() {}
}
