// Raw replies of origins, proxies and receivers: none ends the process, none is mistaken.
import Downloads
import Replies
import Support
import Testing

@testable import Transfers

@Suite struct ReplyTests {
    /// The corpus unchanged, then mutations of it; `scripts/fuzz replies` makes more.
    @Test(arguments: ReplyRole.allCases)
    func noReplyCompletesWithoutSoundFraming(_ role: ReplyRole) async throws {
        let lab = try ReplyLab(seed: 9)
        let tally: ReplyTally
        do {
            tally = try await lab.play(0..<300, as: role)
        } catch {
            await lab.close()
            throw error
        }
        await lab.close()
        #expect(tally.cases == 300)
        for finding in tally.findings { Issue.record("\(finding)") }
        // Some replies must succeed, as a lab in which none does would prove nothing.
        #expect(role == .tunnel ? tally.complete == 0 : tally.complete > 30)
    }

    @Test func referenceReaderAgreesWithTheCorpus() {
        for reply in ReplyCorpus.sound {
            #expect(ReplyReading(reply.bytes).end == .whole, "\(reply)")
        }
        let whole = ["more than the length", "two answers", "two Locations", "an empty Location"]
        for reply in ReplyCorpus.misframed where !whole.contains(reply.name) {
            #expect(ReplyReading(reply.bytes).end != .whole, "\(reply)")
        }
    }

    /// A first line that begins with a blank continues the last header of the previous answer,
    /// which does not exist any more if a handle is used again.
    @Test(arguments: ReplyCorpus.folded, [1, 3])
    func foldedFirstLineAfterAnEarlierAnswerIsRejected(
        _ reply: RawReply, _ before: Int
    ) async throws {
        try await withLab { request in
            if request.target == "/folded" { return [.sendBytes(reply.bytes), .close] }
            return request.target == "/moved"
                ? OriginStep.answer("302 F", headers: ["Location: /folded"])
                : OriginStep.answer(headers: ["X-Last: \(request.target)"], body: "good")
        } _: { engine, origin in
            for number in 0..<before {
                #expect(try await engine.fetch(origin.url("/\(number)")).text == "good")
            }
            for target in ["/folded", "/moved", "/folded"] {
                let result = try await engine.fetch(origin.url(target)) { $0.followsRedirects = 1 }
                if case .completed = result.outcome {
                    let reading = ReplyReading(reply.bytes)
                    #expect(reading.end == .whole && result.buffer == reading.body)
                } else {
                    #expect(result.failure?.code == .badServerResponse)
                    #expect(result.failure?.words != nil)
                }
                #expect(try await engine.fetch(origin.url("/after")).text == "good")
            }
        }
    }

    /// A bar separates the messages of libcurl 7.88 and of later versions, if these refuse the
    /// reply before Lull does.
    private static let unbelievable: [(String, String)] = [
        (
            "HTTP/1.1 200 OK\r\n Content-Length: 5\r\n\r\nhello", "curl: (43) |malformed_header"
        ),
        ("HTTP/1.1 200 OK\r\nnothing\r\nContent-Length: 0\r\n\r\n", "curl: (8) "),
        ("HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n", "curl: (8) "),
        ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello", "curl: (8) "),
        ("hello\r\n\r\n", "curl: (1) "),
        (
            "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 110_000) + "\r\n\r\n",
            "curl: (27) "
        ),
        (
            "HTTP/1.1  200 OK\r\nContent-Length: 0\r\n\r\n",
            "malformed_status_line|curl: (1) "
        ),
        (
            "HTTP/1.1 200OK\r\nContent-Length: 0\r\n\r\n",
            "malformed_status_line|curl: (1) "
        ),
        ("HTTP/1.1 101 S\r\nUpgrade: h2c\r\n\r\n", "switched_protocols"),
        ("HTTP/1.1 200 OK\r\n\rX: y\r\nContent-Length: 0\r\n\r\n", "malformed_header"),
        (
            "HTTP/1.1 103 H\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n Content-Length: 5\r\n\r\nhello",
            "malformed_header"
        ),
        (chunked + "0x34\r\n\r\nhello\r\n0\r\n\r\n", "odd_chunk_size"),
        (chunked + "5 x\r\nhello\r\n0\r\n\r\n", "odd_chunk_size"),
        (chunked + "ffffffffffffffffff\r\nhello\r\n", "chunk_size_too_large"),
        (chunked + "2\r\nhello\r\n0\r\n\r\n", "chunk_longer_than_its_size"),
        (chunked + "1\r\na\r\n0\r\nX: a\0b\r\n\r\n", "malformed_trailer"),
        (chunked + "1\r\na\r\n0\r\nnothing\r\n\r\n", "malformed_trailer"),
        (chunked + "1\r\na\r\n0\r\n X: y\r\n\r\n", "malformed_trailer"),
    ]

    /// The message for a reply that cannot be believed, with the words of libcurl.
    @Test(arguments: unbelievable)
    func malformedRepliesHaveAMessage(_ reply: String, _ words: String) async throws {
        try await withLab { _ in
            [.send(reply), .close]
        } _: { engine, origin in
            let failure = try #require(try await engine.fetch(origin.url()).failure)
            #expect(failure.code == .badServerResponse)
            #expect(failure.isRetryable)
            let said = failure.words ?? "none"
            #expect(words.split(separator: "|").contains { said.hasPrefix($0) }, "\(said)")
        }
    }

    private static let lengths: [(Int, String, Bool)] = [
        (200, "1000000000000000000", true), (200, "9223372036854775807", true),
        (206, "9223372036854775808", true), (200, String(repeating: "9", count: 400), true),
        (404, "99999999999999999999", false), (503, "99999999999999999999", false),
        (200, "00000000000000000000000000005", false), (200, "9999999999999999999x", false),
    ]

    /// A 2xx with a length beyond any file is refused by its head, for good; with another status
    /// the head is malformed.
    @Test(arguments: lengths)
    func lengthsBeyondInt64ExceedTheLimit(
        _ status: Int, _ length: String, _ isOver: Bool
    ) async throws {
        try await withLab { _ in
            [.send("HTTP/1.1 \(status) X\r\nContent-Length: \(length)\r\n\r\nhello"), .close]
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url())
            let code = result.failure?.code
            #expect(code == (isOver ? .dataLengthExceedsMaximum : .badServerResponse))
            #expect(result.failure?.isRetryable == !isOver)
            #expect(result.bodyBytes == 0)
            #expect(result.head?.status == status)
        }
    }

    @Test func trailersAreInTheResult() async throws {
        try await withLab { request in
            request.target == "/moved"
                ? [
                    .send(
                        "HTTP/1.1 302 F\r\nLocation: /x\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "0\r\nX-Old: y\r\n\r\n")
                ] : [.send(chunked + "1\r\na\r\n0\r\nContent-MD5: abc\r\n\r\n")]
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url("/moved"))
            #expect(result.outcome == .completed(lengthVerified: true))
            #expect(result.trailers == [.init(name: "content-md5", value: "abc")])
        }
    }
}

private let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
