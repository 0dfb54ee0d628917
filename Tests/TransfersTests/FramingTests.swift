// Answers that lie about their length.
import Downloads
import Support
import Testing
import Transfers

@Suite struct FramingTests {
    private func outcome(of answer: String, end: OriginStep = .close) async throws -> TransferResult
    {
        var result: TransferResult?
        try await withLab { _ in
            [.send(answer), end]
        } _: { engine, origin in
            result = try await engine.fetch(origin.url())
        }
        return try #require(result)
    }

    @Test(arguments: [
        "Content-Length: 5\r\n\r\nabc",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nabc",
        "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        "Content-Length: 5\r\n\r\n",
    ]) func cutBodyIsALostConnection(rest: String) async throws {
        let result = try await outcome(of: "HTTP/1.1 200 OK\r\n" + rest)
        #expect(result.failure?.code == .networkConnectionLost)
        #expect(result.failure?.isRetryable == true)
        #expect(result.failure?.class == .network)
        #expect(result.head?.status == 200)
    }

    @Test func resetIsALostConnection() async throws {
        let gate = OriginGate()
        try await withLab { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .wait(gate), .reset]
        } _: { engine, origin in
            let recorder = RecordingSink()
            async let running = engine.run(
                try request(origin.url()), id: TransferID(), into: .sink(recorder.sink))
            #expect(await eventually { recorder.state.bytes.count == 3 })
            gate.open()
            let result = try await running
            #expect(result.failure?.code == .networkConnectionLost)
            #expect(result.bodyBytes == 3)
        }
    }

    @Test func bodyWithoutLengthIsCompleteButUnverified() async throws {
        let result = try await outcome(of: "HTTP/1.1 200 OK\r\n\r\nabc")
        #expect(result.outcome == .completed(lengthVerified: false))
        #expect(result.text == "abc")
    }

    @Test func chunkedBodyIsVerified() async throws {
        let result = try await outcome(
            of:
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n"
        )
        #expect(result.outcome == .completed(lengthVerified: true))
        #expect(result.text == "abc")
        #expect(result.head?["x-t"] == nil)
    }

    @Test func bytesAfterTheLengthAreNotTaken() async throws {
        let result = try await outcome(of: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef")
        #expect(result.outcome == .completed(lengthVerified: true))
        #expect(result.text == "abc")
    }

    @Test(arguments: [
        (
            "Content-Length: 3\r\nContent-Length: 5\r\n",
            ResponseFraming.Ambiguity.repeatedContentLength
        ),
        ("Content-Length: 5\r\nContent-Length: 3\r\n", .repeatedContentLength),
        ("Content-Length: 5\r\nContent-Length: 5\r\n", .repeatedContentLength),
        ("Content-Length: 5, 3\r\n", .repeatedContentLength),
        ("Content-Length: +5\r\n", .oddContentLength),
        ("Content-Length: 5x\r\n", .oddContentLength),
        ("Content-Length: 00000000000000000000005\r\n", .oddContentLength),
        ("Content-Length : 5\r\n", .malformedHeader),
        ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", .lengthAndEncoding),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", .oddTransferEncoding),
        ("Transfer-Encoding: gzip, chunked\r\n", .oddTransferEncoding),
        ("Transfer-Encoding: identity\r\n", .oddTransferEncoding),
    ]) func contradictionIsRefused(headers: String, reason: ResponseFraming.Ambiguity) async throws
    {
        let result = try await outcome(of: "HTTP/1.1 200 OK\r\n\(headers)\r\nabcde")
        #expect(result.failure?.code == .badServerResponse)
        #expect(result.failure?.detail == reason.rawValue)
        #expect(result.bodyBytes == 0)
    }

    @Test(arguments: [
        (
            "bytes 0-4/10\r\nContent-Range: bytes 0-4/10",
            ResponseFraming.Ambiguity.repeatedContentRange
        ),
        ("bytes 0-5/10", .oddContentRange), ("bytes 4-0/10", .oddContentRange),
        ("bytes 6-10/10", .oddContentRange), ("bytes 0-4", .oddContentRange),
        ("bytes */*", .oddContentRange), ("items 0-4/10", .oddContentRange),
    ]) func partialAnswerMustAgreeWithItself(
        range: String, reason: ResponseFraming.Ambiguity
    ) async throws {
        let result = try await outcome(
            of: "HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n"
                + "Content-Range: \(range)\r\n\r\nabcde")
        #expect(result.failure?.detail == reason.rawValue)
    }

    @Test(arguments: ["Content-Length: -5", "Content-Length:", "Content-Length:\r\n 5"])
    func oddLengthIsRefused(header: String) async throws {
        let result = try await outcome(of: "HTTP/1.1 200 OK\r\n\(header)\r\n\r\nabcde")
        #expect(result.failure?.code == .badServerResponse)
    }

    @Test(arguments: ["", "not http at all\r\n\r\n", "HTTP/1.1 200 OK\r\n"])
    func nonHTTPReplyFails(bytes: String) async throws {
        let result = try await outcome(of: bytes)
        let code = try #require(result.failure?.code)
        #expect([.badServerResponse, .networkConnectionLost].contains(code))
    }

    @Test func headIsBounded() async throws {
        let line = "X-Long: " + String(repeating: "a", count: 9000) + "\r\n"
        let head = String(repeating: line, count: 8)
        let result = try await outcome(of: "HTTP/1.1 200 OK\r\n\(head)\r\n")
        #expect(result.failure?.code == .badServerResponse)
        #expect(result.failure?.detail == ResponseFraming.Ambiguity.tooManyHeaderBytes.rawValue)
    }

    @Test func interimAnswersAreIgnored() async throws {
        let result = try await outcome(
            of: "HTTP/1.1 103 Early Hints\r\nContent-Length: 77\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        #expect(result.outcome == .completed(lengthVerified: true))
        #expect(result.head?.framing.contentLength == 2)
    }

    @Test func unsolicitedContentCodingIsStoredAndReported() async throws {
        let result = try await outcome(
            of: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Encoding: gzip\r\n\r\nxyz")
        #expect(result.text == "xyz")
        #expect(result.head?.framing.contentEncoding == "gzip")
    }

    @Test func valuesOutsideUTF8AreLatin1() async throws {
        let origin: [UInt8] =
            Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-A: caf".utf8) + [0xe9, 13, 10]
            + Array("X-B: caf\u{e9}\r\n\r\n".utf8)
        try await withLab { _ in
            [.sendBytes(origin)]
        } _: { engine, server in
            let result = try await engine.fetch(server.url())
            #expect(result.head?["x-a"] == "caf\u{e9}")
            #expect(result.head?["x-b"] == "caf\u{e9}")
        }
    }
}
