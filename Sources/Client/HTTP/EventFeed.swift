// An event stream that is opened again after every loss, behind the last received event.
internal import Base
internal import Platform

/// Reads the events of a stream, one after the other.
final class EventFeed {
    /// The result of a wait for the stream.
    enum Step {
        /// The stream was opened, for the first time or again.
        case opened
        /// An event arrived.
        case event(EventReader.Event)
        /// No event arrived in the time.
        case quiet
        /// The connection was lost; it is opened again after a pause.
        case lost(ClientFailure)
        /// The service says that no further event follows.
        case ended
    }

    private let transport: HTTPTransport
    private let request: Request
    private var reader = EventReader()
    private var events: [EventReader.Event] = []
    private var exchange: Exchange?
    private var isOpen = false
    private var losses = 0
    /// The time at which the stream is opened again, in nanoseconds since boot.
    private var opensAt: Int64 = 0

    /// Creates a stream that is not open yet.
    ///
    /// - Parameters:
    ///   - transport: where it is opened.
    ///   - request: for the stream, without its headers.
    init(_ transport: HTTPTransport, _ request: Request) {
        self.transport = transport
        self.request = request
    }

    /// The identifier of the last received event, behind which the stream continues.
    var place: String? { reader.lastID }

    /// Waits for the next event or change of the stream.
    ///
    /// - Throws: `ClientFailure` where it is of no use to open the stream again.
    func next(upTo limit: Duration) throws(ClientFailure) -> Step {
        let end = SystemClock.bootNanoseconds() + limit.wholeMicroseconds * 1000
        while true {
            if let event = take() { return .event(event) }
            if let exchange, let step = try step(of: exchange) { return step }
            let now = SystemClock.bootNanoseconds()
            guard now < end else { return .quiet }
            if exchange == nil, now >= opensAt { try open() }
            let wake = exchange == nil ? min(end, opensAt) : end
            try transport.turn(upTo: .nanoseconds(max(0, wake - now)))
        }
    }

    private func take() -> EventReader.Event? {
        guard isOpen, !events.isEmpty else { return nil }
        return events.removeFirst()
    }

    /// Handles the progress of the open request.
    private func step(of exchange: Exchange) throws(ClientFailure) -> Step? {
        if !isOpen, exchange.reply.status == 200, exchange.result == nil || !events.isEmpty {
            (isOpen, losses) = (true, 0)
            return .opened
        }
        guard exchange.result != nil else { return nil }
        close()
        let status = exchange.reply.status
        if status == 204 { return .ended }
        var failure = transport.failure(of: exchange)
        if status >= 400 {
            failure = transport.refusal(exchange.reply)
            guard failure.isTransient else { throw failure }
        }
        let wait = failure.retryAfter ?? .seconds(min(1 << min(losses, 5), 30))
        losses += 1
        opensAt = SystemClock.bootNanoseconds() + wait.wholeMicroseconds * 1000
        return .lost(failure)
    }

    private func open() throws(ClientFailure) {
        var request = request
        request.headers.append((name: "Accept", value: "text/event-stream"))
        if let id = reader.lastID {
            request.headers.append((name: "Last-Event-ID", value: id))
            request.query.removeAll { $0.name == "after" }
        }
        reader.restart()
        let sink = unsafe Exchange.Sink { [weak self] _, bytes in
            guard let self else { return false }
            events += unsafe reader.read(bytes)
            return !reader.isOverlong
        }
        exchange = try transport.begin(request, sink: sink)
    }

    private func close() {
        guard let exchange else { return }
        transport.end(exchange)
        self.exchange = nil
        isOpen = false
    }

    deinit { close() }
}
