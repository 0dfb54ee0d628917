// The connections of a command: a libcurl multi handle, which runs while the caller waits.
internal import Base
internal import CCurl
internal import Platform

/// Sends requests over a `CURLM`; see libcurl-multi(3).
///
/// Every wait is short, so that Ctrl-C is noticed.
@safe final class HTTPTransport {
    /// The longest wait in milliseconds before the next check for signals.
    private static let turnMilliseconds: Int32 = 200

    /// The address and the key that are used for requests.
    let settings: ClientSettings
    private let raw: UnsafeMutableRawPointer
    /// The words for places in the requests of the command; nil for the pointers of the service.
    var words: PlaceWords?
    private var open: [ObjectIdentifier: Exchange] = [:]

    /// Initializes libcurl.
    ///
    /// - Throws: `ClientFailure` when there is no memory.
    init(_ settings: ClientSettings) throws(ClientFailure) {
        guard lull_global_init() == CURLE_OK, let raw = unsafe curl_multi_init() else {
            throw ClientFailure("libcurl cannot be started")
        }
        unsafe self.raw = unsafe raw
        self.settings = settings
    }

    /// Begins a request; `turn` advances it.
    func begin(_ request: Request, sink: Exchange.Sink? = nil) throws(ClientFailure) -> Exchange {
        let exchange = try Exchange(request, to: settings, sink: sink)
        guard unsafe curl_multi_add_handle(raw, exchange.raw) == CURLM_OK else {
            throw ClientFailure("libcurl does not accept another request")
        }
        open[ObjectIdentifier(exchange)] = exchange
        return exchange
    }

    /// Ends a request, complete or not.
    func end(_ exchange: Exchange) {
        guard open.removeValue(forKey: ObjectIdentifier(exchange)) != nil else { return }
        let removed = unsafe curl_multi_remove_handle(raw, exchange.raw)
        precondition(removed == CURLM_OK, "a handle is removed once, outside callbacks")
    }

    /// Advances all requests, after waiting for activity or the time limit.
    ///
    /// - Throws: `ClientFailure.interrupted`.
    func turn(upTo limit: Duration) throws(ClientFailure) {
        let wait = min(
            Int32(clamping: max(0, limit.wholeMilliseconds)), HTTPTransport.turnMilliseconds)
        var count: Int32 = 0
        // An interrupted wait needs no handling: all requests are checked next.
        _ = unsafe curl_multi_poll(raw, nil, 0, wait, &count)
        guard !Interrupt.isRaised else { throw .interrupted }
        guard unsafe curl_multi_perform(raw, &count) == CURLM_OK else {
            throw ClientFailure("libcurl cannot continue")
        }
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(raw, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            let handle = unsafe message.pointee.easy_handle
            let ended = open.values.first { unsafe $0.raw == handle }
            ended?.result = unsafe lull_message_result(message)
        }
    }

    /// Sends a request and waits for the answer.
    ///
    /// - Throws: `ClientFailure` where there is no answer; an answer of any status is one.
    func exchange(
        _ request: Request, sink: Exchange.Sink? = nil,
        everySecond: (_ sent: Int64) -> Void = { _ in }
    ) throws(ClientFailure) -> Reply {
        let exchange = try begin(request, sink: sink)
        defer { end(exchange) }
        var shown = SystemClock.bootNanoseconds()
        while exchange.result == nil {
            try turn(upTo: .seconds(1))
            if SystemClock.bootNanoseconds() - shown >= 500_000_000 {
                everySecond(exchange.given)
                shown = SystemClock.bootNanoseconds()
            }
        }
        // A refusal may come before the whole body was sent.
        let isRefused = request.file != nil && exchange.reply.status >= 400
        if exchange.result != CURLE_OK, !isRefused { throw failure(of: exchange) }
        return exchange.reply
    }

    /// Sends a request and waits for the answer; an answer of 4xx or 5xx is a failure.
    func send(
        _ request: Request, sink: Exchange.Sink? = nil,
        everySecond: (_ sent: Int64) -> Void = { _ in }
    ) throws(ClientFailure) -> Reply {
        let reply = try exchange(request, sink: sink, everySecond: everySecond)
        guard reply.status < 400 else { throw refusal(reply) }
        return reply
    }

    /// Waits for a time; throws on Ctrl-C.
    func pause(_ duration: Duration) throws(ClientFailure) {
        let end = SystemClock.bootNanoseconds() + duration.wholeMicroseconds * 1000
        while true {
            let left = end - SystemClock.bootNanoseconds()
            guard left > 0 else { return }
            try turn(upTo: .nanoseconds(left))
        }
    }

    /// The failure for an answer of 4xx or 5xx.
    func refusal(_ reply: Reply) -> ClientFailure {
        var document: JSON?
        do throws(JSONError) { document = try JSON.parse(reply.body) } catch { document = nil }
        let seconds = reply["retry-after"].flatMap { Int64($0) }
        return Refusal.failure(
            status: reply.status, document, retryAfter: seconds.map { .seconds($0) }, in: words)
    }

    /// The failure for a request without a complete answer.
    func failure(of exchange: Exchange) -> ClientFailure {
        let words = exchange.errorText.isEmpty ? "" : " (\(Printable.text(exchange.errorText)))"
        guard exchange.reply.status == 0 else {
            return ClientFailure(
                "the connection to \(settings.server.text) was lost\(words)", .notReached,
                isTransient: true)
        }
        return ClientFailure(
            "no service can be reached at \(settings.server.text)\(words); start lull serve there, "
                + "or give its address with --server or LULL_SERVER",
            .notReached, isTransient: true, wasReached: false)
    }

    deinit {
        for exchange in open.values { _ = unsafe curl_multi_remove_handle(raw, exchange.raw) }
        _ = unsafe curl_multi_cleanup(raw)
    }
}
