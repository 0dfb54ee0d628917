// Reading requests and writing answers on one connection.
internal import CPlatform
internal import Glibc
internal import HTTPWire
internal import Platform

extension Server {
    /// Reads once from the socket.
    ///
    /// - Returns: false if the connection is gone.
    func receive(_ connection: Connection) -> Bool {
        let count = unsafe input.withUnsafeMutableBytes { room in
            unsafe recv(connection.descriptor, room.baseAddress, room.count, 0)
        }
        if count > 0 {
            if connection.state == .lingering {
                connection.lingeredBytes += count
                guard connection.lingeredBytes <= limits.lingerBytes else {
                    drop(connection)
                    return false
                }
            } else {
                connection.parser.feed(input.span.extracting(0..<count))
            }
            return true
        }
        if count < 0 {
            let failure = Errno.current
            if failure == .wouldBlock || failure == .interrupted { return true }
            drop(connection)
            return false
        }
        return ended(connection)
    }

    /// Notes that the client has sent its last byte.
    ///
    /// A pending answer is still sent, but its task is cancelled, as the client is probably gone.
    private func ended(_ connection: Connection) -> Bool {
        connection.isHalfClosed = true
        switch connection.state {
        case .answering, .streaming:
            breakOff(Server.gone, on: connection)
            connection.task?.cancel()
            return true
        case .reading where connection.parser.bufferedBytes > 0: return true
        default:
            drop(connection)
            return false
        }
    }

    /// Takes requests and writes answers until either has to wait.
    func advance(_ connection: Connection) {
        while true {
            takeContent(connection)
            let wantsMore = takeRequests(connection)
            let progress = connection.output.write(to: connection.descriptor)
            makeRoom(connection)
            switch progress {
            case .done: break
            case .blocked(let moved):
                if moved || connection.watched & EpollSet.writable == 0 { connection.since = now }
                settle(connection)
                return
            case .failed:
                drop(connection)
                return
            }
            if wantsMore { continue }
            if connection.state == .closing, !halfClose(connection) { return }
            let isOver =
                connection.isHalfClosed || isDraining && connection.parser.stage == .idle
            if connection.state == .reading, isOver {
                drop(connection)
                return
            }
            settle(connection)
            return
        }
    }

    /// Answers buffered requests in order.
    ///
    /// - Returns: true if more may follow once the output is written.
    private func takeRequests(_ connection: Connection) -> Bool {
        while connection.state == .reading {
            if connection.output.hasContent || connection.output.bytes.count > 1 << 16 {
                return true
            }
            switch connection.parser.next() {
            case .needMore: return false
            case .expectContinue(let request): admit(request, on: connection)
            case .request(let request): answer(request, on: connection)
            case .streamed(let request, let length, let waits):
                answerWhileReceiving(request, length: length, waits: waits, on: connection)
            case .piece, .end: preconditionFailure("content is taken before its answer is made")
            case .reject(let rejection): reject(rejection, on: connection)
            }
        }
        return false
    }

    private func admit(_ request: Request, on connection: Connection) {
        guard let refusal = admission?(request) else {
            connection.output.bytes.append(contentsOf: ResponseSerializer.continueBytes)
            return
        }
        connection.exchange = Connection.Exchange(request: request, began: now)
        var response = refusal
        response.closesConnection = true
        append(response, to: connection)
    }

    func answer(_ request: Request, on connection: Connection) {
        connection.served += 1
        connection.stage = nil
        connection.exchange = Connection.Exchange(request: request, began: now)
        switch handler(request) {
        case .now(let response): append(response, to: connection)
        case .later(let work):
            connection.state = .answering
            runningTasks += 1
            connection.task = perform(work, for: connection.token)
            if connection.isHalfClosed { connection.task?.cancel() }
        }
    }

    /// Takes the result of a handler's work, back on the loop.
    func finish(_ response: Response, for token: ConnectionToken) {
        runningTasks -= 1
        now = SystemClock.bootNanoseconds()
        if let connection = connection(token) {
            connection.task = nil
            connection.state = .reading
            append(response, to: connection)
            if unsent.isEmpty { unsentSince = now }
            unsent.append(token)
            if now - unsentSince >= Server.unsentAtMost { sendAnswers() }
        }
        finishDrainIfDone()
    }

    /// The longest time in nanoseconds for which an answer waits for others.
    private static let unsentAtMost: Int64 = 500_000

    /// Sends the answers that were made in the same turn of the loop.
    ///
    /// A client that reads many connections is woken less often than if each answer was sent as
    /// soon as it was made.
    func sendAnswers() {
        guard !unsent.isEmpty else { return }
        var tokens: [ConnectionToken] = []
        swap(&tokens, &unsent)
        for token in tokens {
            if let connection = connection(token) { advance(connection) }
        }
        // The array's memory is used again, unless another list was begun meanwhile.
        guard unsent.isEmpty else { return }
        tokens.removeAll(keepingCapacity: true)
        swap(&tokens, &unsent)
    }

    func reject(_ rejection: Rejection, on connection: Connection) {
        let outline = connection.parser.outline
        connection.exchange = Connection.Exchange(fragment: outline, began: now)
        var response = refusal?(rejection, outline) ?? rejection.response
        response.closesConnection = true
        append(response, to: connection)
    }

    /// The answer to a request whose content was read by its handler: it ends the connection unless
    /// all of the content has come.
    private func judged(
        _ given: Response, _ exchange: Connection.Exchange?, _ connection: Connection
    ) -> Response {
        guard let intake = connection.intake else { return given }
        defer { endIntake(connection) }
        guard intake.end != .end else { return given }
        var response = given
        if let rejection = intake.rejection, let outline = exchange?.outline {
            response = refusal?(rejection, outline) ?? rejection.response
        }
        response.closesConnection = true
        return response
    }

    /// Adds an answer to the output and decides whether the connection stays open.
    private func append(_ given: Response, to connection: Connection) {
        let exchange = connection.exchange.take()
        let response = judged(given, exchange, connection)
        let isSpent =
            limits.requestsPerConnection.map { connection.served >= $0 } ?? false
            || now - timeouts.age >= connection.began
        let version = exchange?.version ?? .http11
        let isBounded = response.body.length != nil || version == .http11
        let keeps =
            !response.closesConnection && !isDraining && !isSpent && isBounded
            && exchange?.keepsAlive ?? false
        let persistence: ResponseSerializer.Persistence =
            !keeps ? .close : version == .http10 ? .openDeclared : .open
        ResponseSerializer.appendHead(
            of: response, date: date, persistence: persistence, version: version,
            to: &connection.output.bytes)
        if !keeps { connection.state = .closing }
        let isHead = exchange?.isHead ?? false
        if ResponseSerializer.sendsContent(status: response.status, isHead: isHead) {
            if case .stream(let body) = response.body {
                let isChunked = version == .http11 && body.length == nil
                begin(body, on: connection, isChunked: isChunked, closes: !keeps)
            } else {
                connection.output.append(response.body)
            }
        }
        if let onRequest, response.status >= observedFrom, let outline = exchange?.outline {
            let took = (SystemClock.bootNanoseconds() - (exchange?.began ?? now)) / 1000
            onRequest(
                AnsweredRequest(request: outline, response: response, microseconds: max(0, took)))
        }
    }

    /// Shuts down the sending side, then waits a little for the client's end: closing with unread
    /// bytes would reset the connection and could destroy the answer on its way (RFC 9112 section
    /// 9.6).
    private func halfClose(_ connection: Connection) -> Bool {
        if connection.isHalfClosed || shutdown(connection.descriptor, Int32(SHUT_WR)) != 0 {
            drop(connection)
            return false
        }
        connection.state = .lingering
        connection.since = now
        return true
    }
}
