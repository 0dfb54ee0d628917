// A proxy of a transfer: its address is resolved and judged like that of any destination.
internal import Base
internal import Downloads
internal import Platform

extension TransferEngine {
    /// Creates a handle for this engine.
    func newHandle() -> EasyHandle? {
        EasyHandle(configuration, egress: egress, proxyEgress: proxyEgress)
    }

    /// Resolves the proxy's address; the target's was resolved and judged before, although the
    /// proxy resolves it itself.
    func find(_ proxy: TransferProxy, for transfer: Transfer) {
        if let address = proxy.url.address {
            return connect(transfer, throughProxyAt: [address])
        }
        transfer.asksForProxy = true
        switch lookups.ask(proxy.url.host, for: transfer, now: SystemClock.bootNanoseconds()) {
        case .answered(let answer): found(answer, for: transfer)
        case .waiting: startLookups()
        case .refused:
            transfer.fail(.resourceUnavailable, detail: "too many host names are being looked up")
            end(transfer)
        }
    }

    /// Passes the hop to libcurl, the proxy's name pinned to the judged addresses.
    func connect(_ transfer: Transfer, throughProxyAt addresses: [IPAddress]) {
        transfer.asksForProxy = false
        guard let proxy = transfer.request.proxy,
            let verdict = proxyEgress?.judge(
                addresses, of: proxy.url, now: SystemClock.bootNanoseconds()),
            case .allowed = verdict
        else {
            transfer.fail(.destinationNotAllowed, detail: "proxy")
            return end(transfer)
        }
        let isLiteral = proxy.url.isLiteralAddress
        connect(
            transfer,
            pins: isLiteral ? nil : HeaderList([FieldValue(Self.pin(proxy.url, to: addresses))]))
    }
}

extension Transfer {
    /// The failure for a timeout in the current phase.
    var silence: TransferFailure {
        if isSending {
            return TransferFailure(
                .timedOut, sentence: "The receiver stopped reading in the middle of the body.")
        }
        guard phase == .tls, request.proxy != nil, easy?.tunnelStatus == 0 else {
            return phase.timeout
        }
        return TransferFailure(
            .proxyConnectionFailed, sentence: "The proxy did not open a tunnel in time.")
    }
}
