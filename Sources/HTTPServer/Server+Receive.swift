// Content of requests that is read by its handler while it arrives.
internal import HTTPWire

extension Connection {
    /// Content that is streamed to a handler, until its answer is made.
    struct Intake {
        /// The number of its request on the connection.
        let number: Int
        /// The bytes that the handler has not taken.
        var ready: [UInt8] = []
        /// The end of the content: complete, or broken; nil before it.
        var end: IncomingBody.Piece?
        /// The refusal that takes the place of the handler's answer; nil for none.
        var rejection: Rejection?
        /// Whether the client waits for 100 before it sends the content.
        var owesContinue: Bool
        /// The handler, while it waits for bytes.
        var reader: CheckedContinuation<IncomingBody.Piece, Never>?
        /// The time at which it began to wait, in nanoseconds on the boot clock.
        var waitsSince: Int64 = 0
        /// The time for which it still waits, in nanoseconds; each byte adds to it.
        var patience: Int64
    }
}

extension Server {
    /// Passes a request on whose content follows.
    func answerWhileReceiving(
        _ request: Request, length: Int64?, waits: Bool, on connection: Connection
    ) {
        let token = connection.token
        let number = connection.served
        connection.intake = Connection.Intake(
            number: number, owesContinue: waits, patience: timeouts.body)
        openBodies += 1
        let body = IncomingBody(length: length) {
            await self.nextPiece(of: number, for: token)
        } stop: {
            await self.stop(number, $0, for: token)
        }
        takeContent(connection)
        answer(Request(request, incoming: body), on: connection)
    }

    /// Takes the content that has arrived out of the parser.
    func takeContent(_ connection: Connection) {
        guard connection.intake != nil else { return }
        while connection.intake?.end == nil {
            switch connection.parser.next() {
            case .piece(let bytes):
                if connection.intake?.ready.isEmpty ?? true {
                    connection.intake?.ready = bytes
                } else {
                    connection.intake?.ready.append(contentsOf: bytes)
                }
            case .end: connection.intake?.end = .end
            case .reject(let rejection): breakOff(rejection, on: connection)
            case .needMore: return wakeReader(connection)
            case .request, .streamed, .expectContinue:
                preconditionFailure("content ends before the next request")
            }
        }
        wakeReader(connection)
    }

    /// Ends content that is not valid, or did not come in time; the refusal becomes the answer.
    func breakOff(_ rejection: Rejection, on connection: Connection) {
        connection.intake?.rejection = rejection
        breakOff(rejection.detail, on: connection)
    }

    /// Ends content whose rest will not come.
    func breakOff(_ reason: String, on connection: Connection) {
        guard connection.intake?.end == nil else { return }
        connection.intake?.end = .broken(reason)
        wakeReader(connection)
    }

    /// The time at which a handler has waited too long for content; `.max` while it does not wait.
    func deadline(ofContent intake: Connection.Intake) -> Int64 {
        intake.reader == nil ? .max : intake.waitsSince + intake.patience
    }

    /// Whether more content fits into the memory of a connection.
    func hasRoom(_ intake: Connection.Intake) -> Bool {
        intake.end == nil && intake.ready.count <= limits.intakeBytes
    }

    /// Ends the streaming of content; whoever still reads learns that the client is gone.
    func endIntake(_ connection: Connection) {
        guard let intake = connection.intake.take() else { return }
        openBodies -= 1
        intake.reader?.resume(returning: intake.end ?? .broken(Server.gone))
    }

    static let gone = "The connection ended before the content did."

    private func nextPiece(
        of number: Int, for token: ConnectionToken
    ) async -> IncomingBody.Piece {
        guard let connection = connection(token), let intake = connection.intake,
            intake.number == number
        else { return .broken(Server.gone) }
        if intake.owesContinue {
            connection.intake?.owesContinue = false
            // A client that has begun to send the content does not wait for 100.
            if intake.ready.isEmpty, intake.end == nil {
                connection.output.bytes.append(contentsOf: ResponseSerializer.continueBytes)
                readClocks()
                advance(connection)
            }
        }
        // Content that comes in a turn before the closure runs finds no reader, so only the closure
        // can tell whether there is any.
        return await withCheckedContinuation { read($0, content: number, of: connection) }
    }

    /// Gives a reader the content that is there, or lets it wait for some.
    private func read(
        _ reader: CheckedContinuation<IncomingBody.Piece, Never>, content number: Int,
        of connection: Connection
    ) {
        guard let intake = connection.intake, intake.number == number else {
            return reader.resume(returning: .broken(Server.gone))
        }
        precondition(intake.reader == nil, "content has one reader")
        readClocks()
        let piece = takePiece(connection)
        if piece == nil {
            connection.intake?.reader = reader
            connection.intake?.waitsSince = now
        }
        settle(connection)
        if let piece { reader.resume(returning: piece) }
    }

    /// Ends content that nobody wants any more, but not that of a later request.
    private func stop(_ number: Int, _ reason: String, for token: ConnectionToken) {
        guard let connection = connection(token), let intake = connection.intake,
            intake.number == number, intake.end == nil
        else { return }
        connection.intake?.ready = []
        readClocks()
        breakOff(reason, on: connection)
        settle(connection)
    }

    /// The content that waits; nil if there is none yet.
    private func takePiece(_ connection: Connection) -> IncomingBody.Piece? {
        guard let intake = connection.intake else { return .broken(Server.gone) }
        guard !intake.ready.isEmpty else { return intake.end }
        connection.intake?.ready = []
        return .bytes(intake.ready)
    }

    private func wakeReader(_ connection: Connection) {
        guard let intake = connection.intake, let reader = intake.reader,
            let piece = takePiece(connection)
        else { return }
        connection.intake?.reader = nil
        if case .bytes(let bytes) = piece {
            // A client that sends faster than the slowest rate keeps the whole patience.
            let earned = Int64(bytes.count) * 1_000_000_000 / Int64(limits.bodyBytesPerSecond)
            let left = intake.patience - (now - intake.waitsSince) + earned
            connection.intake?.patience = min(timeouts.body, max(0, left))
        }
        reader.resume(returning: piece)
    }
}
