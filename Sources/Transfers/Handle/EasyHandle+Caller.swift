// The options of a connection that depend on the request.
internal import Base
internal import CCurl
internal import Downloads

extension EasyHandle {
    /// Sets a request's certificates, its proxy, and whether it may be repeated.
    func apply(_ request: TransferRequest, to hop: Hop) {
        if !request.isRepeatable {
            // libcurl itself repeats a request that failed on a kept connection.
            set(CURLOPT_FRESH_CONNECT, 1)
        }
        if let pem = request.tls?.caPEM {
            set(CURLOPT_CAINFO_BLOB, pem: pem)
            trustNothingElse()
        }
        if let certificate = request.certificate(at: hop) {
            set(CURLOPT_SSLCERT_BLOB, pem: certificate.certificatePEM)
            set(CURLOPT_SSLKEY_BLOB, pem: certificate.keyPEM)
            // A key with a passphrase must fail, not ask at the terminal.
            set(CURLOPT_KEYPASSWD, "")
        }
        if let proxy = request.proxy {
            set(CURLOPT_PROXY, proxy.url.origin)
            if let credentials = proxy.credentials {
                set(CURLOPT_PROXYUSERNAME, credentials.username)
                set(CURLOPT_PROXYPASSWORD, credentials.password)
            }
        }
    }

    private func set(_ option: CURLoption, pem: String) {
        var text = Array(pem.utf8)
        let count = text.count
        let result = unsafe text.withUnsafeMutableBytes {
            unsafe lull_set_blob(raw, option, $0.baseAddress, count)
        }
        precondition(result == CURLE_OK, "this libcurl copies PEM texts")
    }
}
