// The cause of a failed transfer, if libcurl's code does not tell it.
internal import Base
internal import CCurl
internal import Downloads
internal import Glibc

extension EasyHandle {
    /// The failure for a result code other than OK.
    ///
    /// - Parameters:
    ///   - code: what libcurl ended the transfer with.
    ///   - hop: what was asked for.
    ///   - isProxied: whether a proxy was on the way.
    /// - Returns: the code with libcurl's message, or the cause at the proxy or in TLS.
    func failure(_ code: CURLcode, of hop: Hop, isProxied: Bool) -> TransferFailure {
        if isProxied, let failure = proxyFailure(code, isTunnel: hop.url.scheme == .https) {
            return isUnreachable(code) ? failure.unreachable : failure
        }
        let failure = TransferFailure(curl: code, words: errorText)
        return isUnreachable(code) ? failure.unreachable : failure
    }

    /// Whether there is no connection because the other side is not reached; a refused connection
    /// means that it is.
    private func isUnreachable(_ code: CURLcode) -> Bool {
        guard code == CURLE_COULDNT_CONNECT else { return false }
        var number = 0
        _ = unsafe lull_get_long(raw, CURLINFO_OS_ERRNO, &number)  // It stays 0 on failure.
        return [ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, ETIMEDOUT]
            .contains(Int32(clamping: number))
    }

    /// The proxy's status to CONNECT; 0 before its answer.
    var tunnelStatus: Int {
        var status = 0
        _ = unsafe lull_get_long(raw, CURLINFO_HTTP_CONNECTCODE, &status)  // 0 on failure.
        return status
    }

    /// The failure if the proxy is its cause, or nil.
    private func proxyFailure(_ code: CURLcode, isTunnel: Bool) -> TransferFailure? {
        if code == CURLE_COULDNT_CONNECT, tunnelStatus == 0 {
            return TransferFailure(
                .cannotConnectToHost, sentence: "No connection to the proxy could be made.",
                detail: TransferFailure.words(errorText, code))
        }
        guard isTunnel, code != CURLE_OPERATION_TIMEDOUT else { return nil }
        let status = tunnelStatus
        guard !(200...299).contains(status) else { return nil }
        return TransferFailure(tunnel: status)
    }
}

extension TransferFailure {
    /// The failure of a tunnel that was not opened (RFC 9110 section 9.3.6).
    ///
    /// - Parameter status: what the proxy answered to CONNECT; 0 if it did not answer.
    init(tunnel status: Int) {
        switch status {
        case 0:
            self.init(
                .proxyConnectionFailed,
                sentence: "The proxy ended the connection before it opened a tunnel.")
        case 407:
            self.init(
                .proxyAuthenticationRequired,
                sentence: "The proxy answered 407: PATCH proxy with its credentials, then resume.")
        case 408, 425, 429, 500...599:
            self.init(
                .proxyConnectionFailed,
                sentence: "The proxy could not open a tunnel to the host and answered \(status).")
        default:
            self.init(
                .proxyRefused,
                sentence: "The proxy refused to open a tunnel to the host and answered \(status).")
        }
    }
}
