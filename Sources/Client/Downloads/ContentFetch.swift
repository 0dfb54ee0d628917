// Fetching the content of a succeeded download, across lost connections.
/// Fetches content into a file.
struct ContentFetch {
    /// The number of connections in a row without a byte after which the fetch fails.
    private static let vainAtMost = 10

    let context: ClientContext
    let view: DownloadView

    /// Fetches all bytes; bytes that were received are not requested again.
    ///
    /// - Throws: `ClientFailure` where it cannot be had.
    func run(into file: ContentFile) throws(ClientFailure) {
        var vain = 0
        while true {
            let before = file.length
            do throws(ClientFailure) {
                try ask(file)
                return
            } catch {
                if let failure = file.failure {
                    throw ClientFailure("the content cannot be written: \(failure)")
                }
                vain = file.length > before ? 0 : vain + 1
                guard error.isTransient, vain < ContentFetch.vainAtMost else { throw error }
                try context.transport.pause(error.retryAfter ?? .seconds(1 << min(vain, 4)))
            }
        }
    }

    private func ask(_ file: ContentFile) throws(ClientFailure) {
        var request = Request("GET", ClientContext.path(view.id, "/content?via=lull"))
        if file.length > 0, let sha256 = view.sha256 {
            request.headers = [
                (name: "Range", value: "bytes=\(file.length)-"),
                (name: "If-Range", value: "\"sha256-\(sha256)\""),
            ]
            if file.length == view.length { return }
        }
        let (terminal, length) = (context.terminal, view.length)
        let bar = ProgressBar(name: view.name, received: 0, expected: length)
        var isStarted = false
        let meter = RateMeter(file.length)
        let sink = unsafe Exchange.Sink { reply, bytes in
            if !isStarted {
                isStarted = true
                // A 200 answers with the whole content instead of the rest: the received bytes are
                // overwritten.
                guard reply.status == 206 || file.restart() else { return false }
            }
            return unsafe file.write(bytes)
        }
        let reply = try context.transport.send(
            request, sink: sink,
            everySecond: { _ in
                terminal.draw { columns in
                    var bar = bar
                    bar.received = file.length
                    bar.rate = meter.rate(file.length)
                    return [bar.line(columns: columns)]
                }
            })
        terminal.clearProgress()
        guard length == nil || file.length == length else {
            throw ClientFailure(
                "the content ended after \(file.length) bytes (status \(reply.status))",
                isTransient: true)
        }
    }
}
