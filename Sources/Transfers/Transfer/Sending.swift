// The progress of a body that is read while it is sent.

/// The state of one request whose body comes from a source; engine's thread only.
struct Sending {
    /// The bytes that libcurl took from the source.
    var taken: Int64 = 0
    /// The bytes that the other side's machine had acknowledged at the last look; nil before the
    /// first byte of the body.
    var acknowledged: UInt64?
    /// Whether no more bytes are sent, because the answer came first.
    var isOver = false
    /// Whether the answer came after the last byte.
    var isWhole = false
}
