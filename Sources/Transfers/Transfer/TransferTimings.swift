/// Microseconds since the start of the answered hop, and of the whole run.
package struct TransferTimings: Sendable, Equatable {
    /// The waits for addresses, of all hops.
    package var lookup: Int64 = 0
    /// The time until the connection was established; 0 on a kept one.
    package var connect: Int64 = 0
    /// The time until TLS was established; 0 without TLS or on a kept connection.
    package var tls: Int64 = 0
    /// The time until the first byte of the answer.
    package var firstByte: Int64 = 0
    /// The whole run, redirects and look-ups included.
    package var total: Int64 = 0

    /// Creates timings of zero.
    package init() {}
}
