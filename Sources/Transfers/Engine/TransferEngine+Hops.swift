// A run from its start to its end: turn, address, request, redirects, result.
internal import Base
internal import CCurl
internal import Downloads
internal import Platform

extension TransferEngine {
    /// Accepts a run; it begins at once or when another one ends.
    func start(_ transfer: Transfer) {
        precondition(transfers[transfer.id] == nil, "an identifier names one transfer")
        transfers[transfer.id] = transfer
        if isClosed { transfer.fail(.engineClosed) }
        if transfer.id.isCancelled { transfer.cancel() }
        expectGoodHeaders(transfer)
        if !HeaderRules.allows(value: transfer.request.ifRange?.text ?? "") {
            transfer.fail(.badRequestHeader, detail: "If-Range has a control character")
        }
        if transfer.ending != nil { return end(transfer) }
        pacing.enter(transfer, now: transfer.startedAt)
        guard running < TransferLimits.runningMax else {
            turnstile.append(transfer)
            return watch(transfer)
        }
        running += 1
        transfer.takeTurn(now: transfer.startedAt)
        watch(transfer)
        begin(transfer)
    }

    /// Fails a run whose next hop has a forbidden header.
    private func expectGoodHeaders(_ transfer: Transfer) {
        let fields = transfer.request.headers(at: transfer.hop)
        if !fields.allSatisfy({ HeaderRules.allows(name: $0.name, value: $0.value) }) {
            transfer.fail(.badRequestHeader, detail: "a header of the request is not allowed")
        }
    }

    /// Finds the address of the hop and judges it.
    func begin(_ transfer: Transfer) {
        let url = transfer.hop.url
        let now = SystemClock.bootNanoseconds()
        if let address = url.address {
            return launch(transfer, egress.judge(address, of: url, now: now), to: [])
        }
        switch lookups.ask(url.host, for: transfer, now: now) {
        case .answered(let answer): found(answer, for: transfer)
        case .waiting: startLookups()
        case .refused:
            transfer.fail(.resourceUnavailable, detail: "too many host names are being looked up")
            end(transfer)
        }
    }

    func startLookups() {
        while let host = lookups.next() {
            resolver.lookUp(host) { answer in
                self.post(.lookedUp(host, answer))
            }
        }
    }

    func finished(_ host: String, with answer: LookupAnswer) {
        let now = SystemClock.bootNanoseconds()
        for transfer in lookups.finish(host, with: answer, now: now)
        where transfers[transfer.id] === transfer {
            transfer.result.timings.lookup += (now - transfer.hopStartedAt) / 1000
            found(answer, for: transfer)
        }
        startLookups()
    }

    func found(_ answer: LookupAnswer, for transfer: Transfer) {
        switch answer {
        case .addresses(let addresses):
            transfer.asksForProxy
                ? connect(transfer, throughProxyAt: addresses) : judge(addresses, for: transfer)
        case .failed(let code):
            let failure = TransferFailure(code)
            transfer.fail(code == .dnsLookupFailed ? failure.unreachable : failure)
            end(transfer)
        }
    }

    private func judge(_ addresses: [IPAddress], for transfer: Transfer) {
        let verdict = egress.judge(
            addresses, of: transfer.hop.url, now: SystemClock.bootNanoseconds())
        launch(transfer, verdict, to: addresses)
    }

    /// Passes the hop to libcurl, its name pinned to the judged addresses; no pin for an address.
    private func launch(
        _ transfer: Transfer, _ verdict: Destinations.Verdict, to addresses: [IPAddress]
    ) {
        let hop = transfer.hop
        if case .denied(let reason) = verdict {
            transfer.fail(.destinationNotAllowed, detail: reason.rawValue)
            return end(transfer)
        }
        if let proxy = transfer.request.proxy { return find(proxy, for: transfer) }
        connect(
            transfer,
            pins: addresses.isEmpty
                ? nil : HeaderList([FieldValue(Self.pin(hop.url, to: addresses))]))
    }

    func connect(_ transfer: Transfer, pins: HeaderList?) {
        let hop = transfer.hop
        guard let easy = newHandle() else {
            transfer.fail(.resourceUnavailable, detail: "curl_easy_init: out of memory")
            return end(transfer)
        }
        easy.prepare(hop, headers: headers(for: transfer), pins: pins)
        easy.apply(transfer.request, to: hop)
        let isMisdirected =
            !misdirected.isEmpty && misdirected.remove(hop.url.origin) != nil
        if transfer.needsFreshConnection || isMisdirected { easy.set(CURLOPT_FRESH_CONNECT, 1) }
        let now = SystemClock.bootNanoseconds()
        // A proxy's connections serve all origins.
        if transfer.request.proxy == nil, retention.closesAfterUse(hop.url, now: now) {
            easy.set(CURLOPT_FORBID_REUSE, 1)
        }
        easy.transfer = transfer
        transfer.easy = easy
        transfer.launched(now: now)
        watch(transfer)
        guard multi.add(easy) else {
            easy.transfer = nil
            transfer.easy = nil
            transfer.fail(.engineFailed("curl_multi_add_handle"))
            return end(transfer)
        }
    }

    /// Remembers an origin that answered 421, because the connection does not lead to it: the next
    /// request to it gets a connection of its own (RFC 9110 section 15.5.20).
    private func noteMisdirected(_ transfer: Transfer) {
        guard transfer.result.head?.status == 421 else { return }
        if misdirected.count >= TransferLimits.misdirectedMax { misdirected.removeAll() }
        misdirected.insert(transfer.hop.url.origin)
    }

    static func pin(_ url: SourceURL, to addresses: [IPAddress]) -> String {
        let list = addresses.prefix(TransferLimits.addressesMax)
            .map { $0.family == .v6 ? "[\($0)]" : $0.description }
        return "+\(url.host):\(url.port):\(list.joined(separator: ","))"
    }

    private func headers(for transfer: Transfer) -> HeaderList {
        let lines = HeaderRules.lines(
            for: transfer.request, at: transfer.hop)
        if let lines { return HeaderList(lines) }
        if let plainHeaders { return plainHeaders }
        let list = HeaderList(HeaderRules.plain)
        plainHeaders = list
        return list
    }

    /// Handles a transfer that libcurl finished: begins the next hop, or ends the run.
    func finished(_ easy: EasyHandle, with code: CURLcode) {
        guard let transfer = easy.transfer else { return }
        transfer.notePhase()
        let measured = easy.measurements
        if easy.isStale, transfer.ending == nil {
            // No request was sent.
            detach(transfer)
            transfer.needsFreshConnection = true
            return begin(transfer)
        }
        if transfer.wasDead(easy, code, connections: measured.connections) {
            detach(transfer)
            transfer.needsFreshConnection = true
            transfer.lastByteAt = SystemClock.bootNanoseconds()
            return begin(transfer)
        }
        if code == CURLE_OK, let ends = easy.ends {
            easy.connections?.take(from: easy, on: ends)
        }
        let trouble = failure(code, of: easy, transfer)
        let lookup = transfer.result.timings.lookup
        transfer.result.timings = measured.timings
        transfer.result.timings.lookup = lookup
        transfer.result.newConnections += measured.connections
        transfer.result.primaryAddress = measured.address
        detach(transfer)
        if transfer.ending == nil, let next = transfer.next {
            transfer.follow(next, now: SystemClock.bootNanoseconds())
            expectGoodHeaders(transfer)
            if transfer.ending != nil { return end(transfer) }
            watch(transfer)
            return transfer.waitsUntil == nil ? begin(transfer) : ()
        }
        noteMisdirected(transfer)
        let isAnswered = transfer.hasAnswer(despite: code)
        if let trouble, !isAnswered {
            transfer.fail(trouble)
        } else if let isVerified = transfer.isLengthVerified() ?? (isAnswered ? false : nil) {
            transfer.result.outcome = .completed(lengthVerified: isVerified)
        } else {
            transfer.fail(
                .networkConnectionLost,
                detail: "the number of received bytes differs from the answer's head")
        }
        end(transfer)
    }

    /// Ends a run and lets the next one begin.
    func end(_ transfer: Transfer) {
        guard transfers.removeValue(forKey: transfer.id) != nil else { return }
        pacing.leave(transfer)
        transfer.isHeld = false
        detach(transfer)
        if let ending = transfer.ending { transfer.result.outcome = ending }
        transfer.result.isUnreachable = transfer.isUnreachable
        transfer.result.phase = transfer.phase
        if transfer.phase == .body { gauges.countInBody(-1) }
        transfer.result.sentBytes = transfer.sending.taken
        transfer.result.isBodySent = transfer.hop.source != nil && transfer.sending.isWhole
        transfer.result.unthrottledRate = transfer.unthrottledRate
        let total = SystemClock.bootNanoseconds() - transfer.startedAt
        transfer.result.timings.total = total / 1000
        transfer.result.lastURL = transfer.hop.url.description
        transfer.continuation.resume(returning: transfer.result)
        guard transfer.hasTurn else { return }
        running -= 1
        admit()
    }

    func admit() {
        guard !multi.isBroken else { return }
        while running < TransferLimits.runningMax, turnstileStart < turnstile.count {
            let transfer = turnstile[turnstileStart]
            turnstileStart += 1
            // A run that ended meanwhile is no longer in the table.
            guard transfers[transfer.id] === transfer else { continue }
            running += 1
            transfer.takeTurn(now: SystemClock.bootNanoseconds())
            watch(transfer)
            begin(transfer)
        }
        if turnstileStart * 2 > turnstile.count {
            turnstile.removeFirst(turnstileStart)
            turnstileStart = 0
        }
    }

    private func detach(_ transfer: Transfer) {
        guard let easy = transfer.easy else { return }
        multi.remove(easy)
        easy.transfer = nil
        transfer.easy = nil
    }

    private func failure(
        _ code: CURLcode, of easy: EasyHandle, _ transfer: Transfer
    ) -> TransferFailure? {
        switch code {
        case CURLE_OK: nil
        case CURLE_OPERATION_TIMEDOUT: transfer.silence
        default:
            easy.failure(code, of: transfer.hop, isProxied: transfer.request.proxy != nil)
        }
    }
}
