// Fetching the content of a succeeded download, across lost connections, beside other work.
internal import Base
internal import Platform

/// Fetches content into a file; the caller advances it, so that several can run at once.
final class ContentTransfer {
    /// The number of connections in a row without a byte after which the fetch fails.
    private static let vainAtMost = 10

    /// The download.
    let view: DownloadView
    /// The file that takes the bytes.
    let file: ContentFile
    private let context: ClientContext
    private let meter: RateMeter
    private var exchange: Exchange?
    private var vain = 0
    /// The bytes that were there when the present connection began.
    private var before: Int64 = 0
    /// The time at which the next connection begins, in nanoseconds since boot.
    private var opensAt: Int64 = 0

    /// Creates a transfer that has sent no request.
    init(_ context: ClientContext, _ view: DownloadView, into file: ContentFile) {
        self.context = context
        self.view = view
        self.file = file
        meter = RateMeter(file.length)
    }

    /// Advances as far as is possible without waiting.
    ///
    /// Bytes that were received are not requested again.
    ///
    /// - Returns: whether all bytes are there.
    /// - Throws: `ClientFailure` where they cannot be had.
    func step() throws(ClientFailure) -> Bool {
        guard let exchange else {
            if file.length > 0, file.length == view.length { return true }
            if SystemClock.bootNanoseconds() >= opensAt { try open() }
            return false
        }
        guard exchange.result != nil else { return false }
        self.exchange = nil
        context.transport.end(exchange)
        do throws(ClientFailure) {
            try judge(exchange)
            return true
        } catch {
            if let failure = file.failure {
                throw ClientFailure("the content cannot be written: \(failure)")
            }
            vain = file.length > before ? 0 : vain + 1
            guard error.isTransient, vain < ContentTransfer.vainAtMost else { throw error }
            let wait = error.retryAfter ?? .seconds(1 << min(vain, 4))
            opensAt = SystemClock.bootNanoseconds() + wait.wholeMicroseconds * 1000
            return false
        }
    }

    /// Its progress.
    var bar: ProgressBar {
        ProgressBar(
            name: view.name, received: file.length, expected: view.length,
            rate: meter.rate(file.length))
    }

    private func open() throws(ClientFailure) {
        var request = Request("GET", ClientContext.path(view.id, "/content?via=lull"))
        if file.length > 0, let sha256 = view.sha256 {
            request.headers = [
                (name: "Range", value: "bytes=\(file.length)-"),
                (name: "If-Range", value: "\"sha256-\(sha256)\""),
            ]
        }
        before = file.length
        var isStarted = false
        let file = file
        let sink = unsafe Exchange.Sink { reply, bytes in
            if !isStarted {
                isStarted = true
                // A 200 answers with the whole content instead of the rest: the received bytes are
                // overwritten.
                guard reply.status == 206 || file.restart() else { return false }
            }
            return unsafe file.write(bytes)
        }
        exchange = try context.transport.begin(request, sink: sink)
    }

    private func judge(_ exchange: Exchange) throws(ClientFailure) {
        guard exchange.reply.status < 400 else {
            throw context.transport.refusal(exchange.reply)
        }
        guard exchange.isComplete else { throw context.transport.failure(of: exchange) }
        guard view.length == nil || file.length == view.length else {
            throw ClientFailure(
                "the content ended after \(file.length) bytes (status \(exchange.reply.status))",
                isTransient: true)
        }
    }

    deinit {
        if let exchange { context.transport.end(exchange) }
    }
}
