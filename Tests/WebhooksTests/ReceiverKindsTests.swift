// Receivers as people write them: each gets each webhook once.
import Support
import Testing
import Webhooks

/// A receiver, by its way to answer with success.
private struct ReceiverKind: CustomTestStringConvertible {
    var testDescription: String
    var answer: [OriginStep]

    init(_ name: String, _ answer: [OriginStep]) {
        (testDescription, self.answer) = (name, answer)
    }

    init(_ name: String, _ text: String, _ rest: [OriginStep] = []) {
        self.init(name, [.send(text.replacing("\n", with: "\r\n"))] + rest)
    }

    static let all = [
        ReceiverKind("Flask: 200 with a body", OriginStep.answer(body: "ok")),
        ReceiverKind("Express: 200 with an ETag", OriginStep.answer(headers: ["ETag: W/\"2-n\""])),
        ReceiverKind(
            "201 that names what was made",
            OriginStep.answer("201 Created", headers: ["Location: /1"])),
        ReceiverKind("202 for a queue behind it", OriginStep.answer("202 Accepted")),
        ReceiverKind("204 without a length", "HTTP/1.1 204 No Content\n\n"),
        ReceiverKind("205", "HTTP/1.1 205 Reset Content\nContent-Length: 0\n\n"),
        ReceiverKind("299", OriginStep.answer("299 Fine")),
        ReceiverKind(
            "http.server of Python: HTTP/1.0 until the end", "HTTP/1.0 200 OK\nServer: x\n\nok",
            [.close]),
        ReceiverKind(
            "HTTP/1.1 until the end", "HTTP/1.1 200 OK\nConnection: close\n\nok", [.close]),
        ReceiverKind(
            "chunked", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nok\n0\n\n"),
        ReceiverKind("no reason phrase", "HTTP/1.1 200\nContent-Length: 0\n\n"),
        ReceiverKind("a field in lower case", "HTTP/1.1 200 OK\ncontent-length: 0\n\n"),
        ReceiverKind(
            "one length twice", "HTTP/1.1 200 OK\nContent-Length: 2\nContent-Length: 2\n\nok"),
        ReceiverKind(
            "100 before the answer",
            "HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\nContent-Length: 0\n\n"),
        ReceiverKind(
            "early hints",
            "HTTP/1.1 103 Early Hints\nLink: </a>\n\nHTTP/1.1 200 OK\nContent-Length: 0\n\n"),
        ReceiverKind(
            "closes without a word about it", "HTTP/1.1 200 OK\nContent-Length: 0\n\n", [.close]),
        ReceiverKind(
            "closes a moment later", "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
            [.rest(milliseconds: 3), .close]),
        ReceiverKind(
            "resets behind its answer", "HTTP/1.1 200 OK\nContent-Length: 0\n\n", [.reset]),
        ReceiverKind("thinks for a while", [.rest(milliseconds: 300)] + OriginStep.answer()),
        ReceiverKind(
            "byte by byte",
            [.drip("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", everyMilliseconds: 1)]),
        ReceiverKind("an ended body", "HTTP/1.1 200 OK\nContent-Length: 100\n\nok", [.close]),
        ReceiverKind(
            "a page of 1 MiB",
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 1048576\r\n\r\n"),
                .fill(65, count: 1_048_576),
            ]),
        ReceiverKind(
            "gzip that is none",
            OriginStep.answer(headers: ["Content-Encoding: gzip"], body: "ok")),
        ReceiverKind(
            "more behind its answer", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok\n\n"),
    ]
}

@Suite struct ReceiverKindsTests {
    @Test(arguments: ReceiverKind.all)
    private func eachReceiverGetsEachWebhookOnce(_ kind: ReceiverKind) async throws {
        let count = 6
        try await OriginServer.with({ _ in kind.answer }) { receiver in
            // The deliveries come one after the other, so that a kept connection is used again.
            try await SenderLab.with(waits: [.zero, .zero], each: 1) { lab in
                for number in 0..<count {
                    try await lab.create(telling: receiver.url("/hook"))
                    let seen = try await lab.deliveries { list in
                        list.count == number + 1
                            && list.allSatisfy { $0.state != 0 && $0.state != 1 }
                    }
                    #expect(seen.allSatisfy { $0.state == 2 && $0.attempt == 1 }, "\(seen)")
                }
                let ids = receiver.requests.compactMap { $0["webhook-id"] }
                #expect(ids.count == count && Set(ids).count == count)
            }
        }
    }
}
