// The TLS alert of the peer, read from OpenSSL's message in libcurl's error text.

/// An alert that the server sent (RFC 8446 section 6).
enum TLSAlert {
    /// The alerts about the client's certificate: bad, unsupported, revoked, expired, unknown, of
    /// an unknown authority, missing.
    private static let certificate: Set<Int> = [42, 43, 44, 45, 46, 48, 116]
    /// `handshake_failure`, which tells no cause.
    static let refusal = 40
    /// OpenSSL gives an alert N the reason 1000 + N of its library 20; see ERR_GET_REASON(3).
    private static let library = 20
    private static let reasons = 1000
    /// SSL_R_UNEXPECTED_EOF_WHILE_READING.
    private static let unexpectedEnd = 294

    /// Whether the server wants a client certificate, or another one.
    ///
    /// Under TLS 1.3 the alert comes when the client's side of the handshake has ended, so libcurl
    /// reports an error of receiving or sending. Under TLS 1.2 a missing certificate is
    /// `handshake_failure`, which may also mean that no cipher fits.
    static func isAboutCertificate(_ text: String) -> Bool {
        number(in: text).map { certificate.contains($0) } ?? false
    }

    /// Whether the connection ended without the closing alert of TLS (RFC 8446 section 6.1).
    static func isMissingCloseNotify(_ text: String) -> Bool { code(in: text) == unexpectedEnd }

    /// The alert in a text such as `OpenSSL SSL_read: error:0A00045C:SSL routines::...`.
    static func number(in text: String) -> Int? {
        guard let alert = code(in: text).map({ $0 - reasons }), (1...255).contains(alert) else {
            return nil
        }
        return alert
    }

    /// The reason in such a text, if it is one of the TLS library.
    private static func code(in text: String) -> Int? {
        guard let label = text.utf8.firstRange(of: "error:".utf8),
            let end = text.utf8.index(label.upperBound, offsetBy: 8, limitedBy: text.utf8.endIndex),
            let code = Int(text[label.upperBound..<end], radix: 16),
            code >> 23 == library
        else { return nil }
        return code & 0x7f_ffff
    }
}
