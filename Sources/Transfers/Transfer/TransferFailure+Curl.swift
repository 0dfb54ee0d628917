// Failures for libcurl's result codes, with its own messages.
internal import CCurl
internal import Downloads

extension TransferFailure {
    /// The failure of a transfer that libcurl ended; see libcurl-errors(3).
    ///
    /// - Parameters:
    ///   - curl: any code but `CURLE_OK`.
    ///   - text: what libcurl wrote into the error buffer; may be empty.
    init(curl: CURLcode, words text: String) {
        let words = Self.words(text, curl)
        let code = FailureCode(curl)
        switch (curl, code) {
        case (CURLE_SSL_CONNECT_ERROR, _), (CURLE_RECV_ERROR, _), (CURLE_SEND_ERROR, _):
            self = Self.secure(curl, code, text, words)
        case (_, .resourceUnavailable): self = .engineFailed(words)
        default: self.init(code, detail: words)
        }
    }

    /// The failure for a result code as a number.
    init(curl number: UInt32, words text: String) {
        self.init(curl: CURLcode(rawValue: number), words: text)
    }

    /// The failure for a code of several meanings, from OpenSSL's more precise message.
    private static func secure(
        _ curl: CURLcode, _ code: FailureCode, _ text: String, _ words: String
    ) -> TransferFailure {
        if TLSAlert.isAboutCertificate(text) {
            return TransferFailure(.clientCertificateRequired, detail: words)
        }
        if curl == CURLE_SSL_CONNECT_ERROR, TLSAlert.number(in: text) == TLSAlert.refusal {
            return TransferFailure(
                code,
                sentence: "The server refused the TLS handshake: there is no common TLS version or "
                    + "cipher, or it demands a client certificate.", detail: words)
        }
        if curl == CURLE_RECV_ERROR, TLSAlert.isMissingCloseNotify(text) {
            return TransferFailure(
                code,
                sentence: "The server ended the connection without close_notify, so the answer may "
                    + "have been cut off.", detail: words)
        }
        return TransferFailure(code, detail: words)
    }

    /// `curl: (56) Recv failure: Connection reset by peer`, as curl(1) prints it.
    static func words(_ text: String, _ curl: CURLcode) -> String {
        let words = text.isEmpty ? unsafe String(cString: curl_easy_strerror(curl)) : text
        return "curl: (\(curl.rawValue)) \(words)"
    }

    /// A failure of the engine itself.
    ///
    /// - Parameter detail: which call failed, or libcurl's words.
    /// - Returns: `resource_unavailable`.
    static func engineFailed(_ detail: String) -> TransferFailure {
        TransferFailure(
            .resourceUnavailable, sentence: "The service could not carry out the transfer.",
            detail: detail)
    }

    /// The end of every transfer after the engine was closed.
    static let engineClosed = TransferFailure(
        .resourceUnavailable, sentence: "The service is being stopped.",
        detail: "the transfer engine is closed")
}

extension FailureCode {
    /// The failure code of a result code; `resourceUnavailable` if the other side is not the cause.
    init(_ code: CURLcode) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .cannotFindHost
        case CURLE_COULDNT_CONNECT: self = .cannotConnectToHost
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_PEER_FAILED_VERIFICATION: self = .serverCertificateUntrusted
        case CURLE_SSL_CLIENTCERT: self = .clientCertificateRequired
        case CURLE_SSL_CERTPROBLEM: self = .clientCertificateRejected
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_USE_SSL_FAILED:
            self = .secureConnectionFailed
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR,
            CURLE_SSL_SHUTDOWN_FAILED, CURLE_SEND_FAIL_REWIND:
            self = .networkConnectionLost
        // This libcurl returns code 1 for an answer that is not HTTP/1.x, 27 for a line longer than
        // its buffer, 43 for a line that is no header.
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING,
            CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3, CURLE_HTTP_RETURNED_ERROR,
            CURLE_OUT_OF_MEMORY, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_RANGE_ERROR:
            self = .badServerResponse
        case CURLE_PROXY: self = .proxyConnectionFailed
        case CURLE_TOO_MANY_REDIRECTS: self = .tooManyRedirects
        case CURLE_URL_MALFORMAT: self = .unsupportedURL
        case CURLE_FILESIZE_EXCEEDED: self = .dataLengthExceedsMaximum
        default: self = .resourceUnavailable
        }
    }
}
