// The phase of a hop, on which the meaning of a timeout depends.
internal import Downloads

/// The phase that a transfer is in, or was in at its end.
package enum TransferPhase: String, Sendable, CaseIterable {
    /// Waiting for a place among the running, or for the address of the host.
    case lookup
    /// Waiting for the connection.
    case connect
    /// Waiting for the end of the TLS handshake.
    case tls
    /// The request was sent; the head is not complete.
    case firstByte = "first_byte"
    /// The head is complete.
    case body

    /// The failure if the other side is silent for too long in this phase.
    var timeout: TransferFailure {
        switch self {
        case .lookup:
            TransferFailure(
                .dnsLookupFailed, sentence: "The name server did not answer in time."
            ).unreachable
        case .connect:
            TransferFailure(
                .cannotConnectToHost, sentence: "The host did not accept a connection in time."
            ).unreachable
        case .tls:
            TransferFailure(
                .secureConnectionFailed, sentence: "The TLS handshake did not end in time.")
        case .firstByte:
            TransferFailure(
                .timedOut, sentence: "The server accepted the request, but did not answer in time."
            )
        case .body:
            TransferFailure(
                .timedOut, sentence: "The server stopped sending in the middle of the body.")
        }
    }
}
