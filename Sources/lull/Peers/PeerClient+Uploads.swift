// Requests about the bytes of uploads, passed on to the replica that has the file.
internal import API
internal import Base
internal import HTTPWire
internal import Platform
internal import Transfers

extension PeerClient {
    /// The most bytes of an answer's body.
    private static let answerBytesAtMost = 65_536

    /// Passes a request on, and checks the answer.
    func pass(_ passing: UploadPassing) async -> UploadPassed {
        guard let place = gauge.enter(atMost: PeerClient.bodiesAtMost) else {
            return .unavailable("\(PeerClient.bodiesAtMost) bodies are passed on already")
        }
        defer { withExtendedLifetime(place) {} }
        let question = PeerKeys.question(passing.path)
        let content = passing.body.map {
            SealedContent(
                $0, keys.contentProof(of: question, length: passing.length),
                length: passing.length)
        }
        let (stream, engine): (TransferStream, TransferEngine)
        do {
            engine = try self.engine()
            stream = TransferStream(try request(passing, question, content), over: engine)
        } catch {
            return .unavailable("\(error)")
        }
        // No child of this task, because the client's next bytes may never come.
        let id = stream.id
        if let content { filling.start { await content.fill { engine.resume(id) } } }
        let answer = await self.answer(stream, question)
        content?.end()
        if let fault = content?.fault { return .broken(fault) }
        return answer
    }

    private func request(
        _ passing: UploadPassing, _ question: PeerQuestion, _ content: SealedContent?
    ) throws -> TransferRequest {
        let url = try SourceURL(parsing: "http://\(passing.address)\(question.path)")
        var request = TransferRequest(url: url)
        request.method = .put
        request.headers =
            [
                ("Authorization", keys.authorization("PUT", question, at: now())),
                (UploadProof.lengthField, "\(passing.length)"),
            ] + passing.headers
        if let content { request.source = content.source } else { request.body = [] }
        request.isRepeatable = false
        request.lookupTimeout = .seconds(5)
        request.connectTimeout = .seconds(5)
        // The other replica syncs the file and may read it again before it answers.
        request.idleTimeout = .seconds(300)
        request.followsRedirects = 0
        return request
    }

    /// Reads the answer as a whole.
    private func answer(
        _ stream: TransferStream, _ question: PeerQuestion
    ) async -> UploadPassed {
        guard let head = await stream.head() else {
            return .unavailable(PeerClient.reason(stream))
        }
        var body: [UInt8] = []
        while let bytes = await stream.next() {
            body += bytes
            guard body.count <= PeerClient.answerBytesAtMost else {
                return .unavailable("an answer of more than \(PeerClient.answerBytesAtMost) bytes")
            }
        }
        var response = Response(status: head.status)
        for name in UploadProof.answerFields {
            if let value = head[name.lowercased()] { response.headers.append((name, value)) }
        }
        if !body.isEmpty { response.body = .bytes(body) }
        guard keys.proves(head[UploadProof.field.lowercased()], of: question, response) else {
            return .unavailable("status \(head.status) without a proof")
        }
        return .answer(response)
    }
}
