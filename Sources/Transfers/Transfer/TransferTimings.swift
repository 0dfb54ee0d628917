/// Microseconds since the start of the hop that answered, and of the whole.
package struct TransferTimings: Sendable, Equatable {
    /// All waiting for addresses, of every hop.
    package var lookup: Int64 = 0
    /// Until the connection was established; 0 when a kept one was used.
    package var connect: Int64 = 0
    /// Until TLS was established; 0 without TLS or on a kept connection.
    package var tls: Int64 = 0
    /// Until the first byte of the answer.
    package var firstByte: Int64 = 0
    /// The whole run, redirects and look-ups included.
    package var total: Int64 = 0

    /// All zero.
    package init() {}
}
