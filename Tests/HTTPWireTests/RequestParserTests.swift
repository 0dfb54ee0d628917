// Rows beside the vector table: expectations, stages, other limits.
import HTTPWire
import Synchronization
import Testing

@Suite struct RequestParserTests {
    @Test func asksFor100ContinueOnceBeforeTheContent() {
        let head = Vector.wire(
            Vector.postHost + "Expect: 100-continue¶Content-Length: 5¶¶")
        let body = Vector.wire("hello")
        #expect(Observed([head[...], body[...]]).continues == 1)
        #expect(Observed([(head + body)[...]]).continues == 0)
        #expect(Observed([(head + body.prefix(1))[...], body[1...]]).continues == 0)
        let old = Vector.wire(
            "POST /echo HTTP/1.0¶Expect: 100-continue¶Content-Length: 5¶¶")
        #expect(Observed([old[...], body[...]]).continues == 0)
    }

    @Test func expectContinueReportsTheHeader() {
        var parser = RequestParser(peer: "somebody")
        parser.feed(
            Vector.wire(Vector.postHost + "Expect: 100-continue¶Content-Length: 5¶¶").span)
        guard case .expectContinue(let request) = parser.next() else {
            Issue.record("the parser must stop for a decision")
            return
        }
        #expect(request.path == "/echo")
        #expect(request.peer == "somebody")
        #expect(request.headers["content-length"] == "5")
        #expect(parser.stage == .content)
        #expect(parser.contentBytes == 5)
        guard case .needMore = parser.next() else {
            Issue.record("then it waits for the content")
            return
        }
    }

    @Test func streamedContentHasNoBoundAndIsAskedForOnce() {
        let paths = Mutex<[String]>([])
        var parser = RequestParser(limits: WireLimits(bodyBytes: 3)) { head in
            paths.withLock { $0.append(head.path) }
            return head.method == "PUT"
        }
        let put = "PUT /a HTTP/1.1¶Host: a¶Content-Length: 9¶¶123456789"
        parser.feed(Vector.wire(put + Vector.whole + put.replacing("PUT", with: "POST")).span)
        guard case .streamed(let head, length: 9, waits: false) = parser.next() else {
            Issue.record("the head comes before the content")
            return
        }
        #expect(head.path == "/a" && head.body.isEmpty)
        guard case .piece(let bytes) = parser.next(), case .end = parser.next() else {
            Issue.record("the content follows")
            return
        }
        #expect(bytes == Array("123456789".utf8))
        guard case .request = parser.next(), case .reject(let rejection) = parser.next() else {
            Issue.record("the next requests are read as ever")
            return
        }
        #expect(rejection.status == 413)
        #expect(
            paths.withLock { $0 } == ["/a", "/a"], "a request without content is not asked about")
    }

    @Test func stagesFollowTheBytes() {
        var parser = RequestParser()
        #expect(parser.stage == .idle)
        parser.feed(Array("GET / HT".utf8).span)
        #expect(parser.stage == .head)
        _ = parser.next()
        #expect(parser.stage == .head)
        parser.feed(Vector.wire("TP/1.1¶Host: a¶¶").span)
        guard case .request = parser.next() else {
            Issue.record("the request is whole")
            return
        }
        #expect(parser.stage == .idle)
        #expect(parser.bufferedBytes == 0)
    }

    @Test(arguments: [(9, 413), (10, nil), (11, nil)])
    func bodyLimitIsExact(_ limit: Int, _ status: Int?) {
        let limits = WireLimits(bodyBytes: limit)
        let fixed = Vector.wire(Vector.postHost + "Content-Length: 10¶¶0123456789")
        #expect(Observed([fixed[...]], limits: limits).rejection?.status == status)
        let chunks = Vector.wire(
            Vector.postHost + Vector.chunked + "¶5¶01234¶5¶56789¶0¶¶")
        #expect(Observed([chunks[...]], limits: limits).rejection?.status == status)
    }

    @Test func rejectionsAreProblemsThatClose() {
        let response = Observed([Vector.wire("GET /#f HTTP/1.1¶¶")[...]]).rejection?.response
        #expect(response?.status == 400)
        #expect(response?.closesConnection == true)
        guard case .bytes(let bytes) = response?.body else {
            Issue.record("a problem has a body")
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix(#"{"type":"/problems/malformed-request","title":"Bad Request","#))
        #expect(text.contains(#""status":400,"code":"malformed-request","detail":""#))
    }

    @Test(arguments: [
        ("BREW / HTTP/1.1¶", nil, "IANA"),
        ("GET /\(String(repeating: "a", count: 9000)) HTTP/1.1¶", nil, " 8192 bytes"),
        (
            "GET /a/b?c HTTP/1.1¶Host: a¶X: \(String(repeating: "a", count: 9000))¶", "/a/b",
            " 8192 "
        ),
        ("GET /a HTTP/1.1¶Host: a¶\(String(repeating: "X: y¶", count: 100))", "/a", " 100 fields"),
        ("POST /a HTTP/1.1¶Host: a¶Content-Length: 99999999¶¶", "/a", " 4194304 bytes"),
        (
            "POST /a HTTP/1.1¶Host: a¶Transfer-Encoding: chunked¶¶0¶"
                + "X: \(String(repeating: "a", count: 5000))¶", "/a", " 4096 bytes"
        ),
    ])
    func aRejectionNamesTheLimitAndWhatWasAsked(_ text: String, _ path: String?, _ words: String) {
        var parser = RequestParser()
        parser.feed(Vector.wire(text).span)
        guard case .reject(let rejection) = parser.next() else {
            Issue.record("something is too large")
            return
        }
        #expect(rejection.detail.contains(words), "\(rejection.detail)")
        #expect(parser.outline.path == path)
    }

    @Test(arguments: ["QUERY", "PROPFIND", "VERSION-CONTROL", "MKCOL", "ACL", "TRACE", "UPDATE"])
    func registeredMethodsAreAccepted(_ method: String) {
        let observed = Observed([Vector.wire("\(method) /a HTTP/1.1¶Host: a¶¶")[...]])
        #expect(observed.requests == ["\(method) /a - a http11 keeps Host=a "])
    }

    @Test(arguments: ["query", "PRI", "BREW", "GETS", "PROPFINDS", "M-SEARCH", "CONNECT"])
    func otherMethodsAreRejected(_ method: String) {
        let observed = Observed([Vector.wire("\(method) /a HTTP/1.1¶Host: a¶¶")[...]])
        #expect(observed.rejection?.status == 501)
    }

    @Test func aRejectedParserStaysRejected() {
        var parser = RequestParser()
        parser.feed(Vector.wire("!\"¶").span)
        for _ in 0..<3 {
            guard case .reject = parser.next() else {
                Issue.record("once rejected, for ever rejected")
                return
            }
            parser.feed(Vector.wire(Vector.whole).span)
        }
        #expect(parser.bufferedBytes == 0)
    }
}
