// Sending bodies that are produced while they are sent.
internal import HTTPWire

extension Server {
    /// Starts the producer of a body, whose head is in the output queue already.
    func begin(
        _ body: BodyStream, on connection: Connection, isChunked: Bool, closes: Bool
    ) {
        connection.state = .streaming
        connection.stream = Connection.Stream(
            isChunked: isChunked, left: body.length, closes: closes)
        runningTasks += 1
        openStreams += 1
        let token = connection.token
        let writer = BodyWriter { await self.take($0, for: token) }
        connection.task = Task { @concurrent in
            await body.produce(writer)
            await self.end(token)
        }
        if connection.isHalfClosed || isDraining { connection.task?.cancel() }
    }

    /// Sends a part; returns when there is room for another, false if the client is gone.
    private func take(_ part: [UInt8], for token: ConnectionToken) async -> Bool {
        guard let connection = connection(token), let stream = connection.stream else {
            return false
        }
        precondition(stream.producer == nil, "parts are written one after the other")
        guard !part.isEmpty else { return true }
        if let left = stream.left {
            precondition(part.count <= left, "a body has the length that was announced")
            connection.stream?.left = left - Int64(part.count)
        }
        readClocks()
        connection.output.append(part: part, isChunked: stream.isChunked, isLast: false)
        advance(connection)
        guard connection.stream != nil else { return false }
        guard connection.output.waitingBytes > limits.streamBytes else { return true }
        return await withCheckedContinuation { producer in
            // The client may have read the parts, or left, in a turn before this closure runs.
            guard connection.stream != nil else { return producer.resume(returning: false) }
            connection.stream?.producer = producer
            makeRoom(connection)
        }
    }

    /// Resumes a waiting producer once half of the buffer is sent.
    func makeRoom(_ connection: Connection) {
        guard let producer = connection.stream?.producer,
            connection.output.waitingBytes <= limits.streamBytes / 2
        else { return }
        connection.stream?.producer = nil
        producer.resume(returning: true)
    }

    /// Ends a body that is complete, or whose producer has given up.
    private func end(_ token: ConnectionToken) {
        runningTasks -= 1
        openStreams -= 1
        readClocks()
        if let connection = connection(token), let stream = connection.stream {
            connection.task = nil
            connection.stream = nil
            guard stream.left ?? 0 == 0 else {
                drop(connection)
                return finishDrainIfDone()
            }
            connection.output.append(part: [], isChunked: stream.isChunked, isLast: true)
            connection.state = stream.closes || isDraining ? .closing : .reading
            advance(connection)
        }
        finishDrainIfDone()
    }
}
