// libcurl's codes in our words.
internal import CCurl

extension TransferFailure.Code {
    /// The code for a transfer that libcurl ended; see libcurl-errors(3).
    init(_ code: CURLcode) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: self = .cannotFindHost
        case CURLE_COULDNT_CONNECT: self = .cannotConnectToHost
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_PEER_FAILED_VERIFICATION: self = .serverCertificateUntrusted
        case CURLE_SSL_CLIENTCERT: self = .clientCertificateRequired
        case CURLE_SSL_CERTPROBLEM: self = .clientCertificateRejected
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_USE_SSL_FAILED:
            self = .secureConnectionFailed
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR,
            CURLE_SSL_SHUTDOWN_FAILED:
            self = .networkConnectionLost
        // Code 1 is how this libcurl says that an answer is not HTTP/1.x.
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING,
            CURLE_HTTP2, CURLE_HTTP_RETURNED_ERROR:
            self = .badServerResponse
        case CURLE_URL_MALFORMAT: self = .unsupportedURL
        case CURLE_FILESIZE_EXCEEDED: self = .dataLengthExceedsMaximum
        default: self = .resourceUnavailable
        }
    }
}
