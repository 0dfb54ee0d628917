// Reads an answer that libcurl leaves in the socket.
internal import CCurl

extension EasyHandle {
    /// Whether a message of libcurl says that it could not send.
    ///
    /// Below TLS there is a message about the socket first, while OpenSSL is still writing.
    func saysThatSendingFailed(_ text: UnsafeRawBufferPointer) -> Bool {
        guard transfer?.hop.source != nil else { return false }
        guard isSecure else { return unsafe text.starts(with: "Send failure: ".utf8) }
        return [Self.openSSL, Self.shortOpenSSL].contains { unsafe text.starts(with: $0) }
    }

    private static let openSSL = Array("OpenSSL SSL_write: ".utf8)
    private static let shortOpenSSL = Array("SSL_write() ".utf8)

    /// Reads the answer of a receiver that closed the connection while the body was sent.
    ///
    /// libcurl 7.88 writes without looking for an answer that came since the last event. When the
    /// write fails, it closes the connection, although the kernel has the answer.
    func readRest() {
        guard let transfer, transfer.understandsRest else { return }
        let descriptor = ends.flatMap { connections?.socket(of: $0) } ?? socket
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < TransferLimits.restBytesMax {
            let count = unsafe lull_receive_rest(
                raw, descriptor, isSecure ? 1 : 0, &room, Int32(room.count))
            guard count > 0 else { break }
            bytes += room[..<Int(count)]
        }
        if !bytes.isEmpty { transfer.receive(rest: bytes) }
    }
}
