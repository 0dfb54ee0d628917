// The destinations of a body: a closed set, so that the code for each byte is short.

/// The destination of the final answer's body.
package enum ByteDestination: Sendable {
    /// All bytes are offered to the sink.
    case sink(TransferSink)
    /// The first bytes are kept in the result; bytes beyond the limit are read and dropped.
    case buffer(limit: Int)
    /// Bytes are counted and dropped.
    case discard
}
