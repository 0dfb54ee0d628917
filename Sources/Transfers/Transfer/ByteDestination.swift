// The destinations of a body: a closed set, so that the byte path stays short.

/// What happens to the body of the final answer.
package enum ByteDestination: Sendable {
    /// Every byte is offered to the sink.
    case sink(TransferSink)
    /// The first bytes are kept in the result; what is beyond the limit is read and dropped.
    case buffer(limit: Int)
    /// Bytes are counted and dropped.
    case discard
}
