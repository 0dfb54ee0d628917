// Lull follows redirects itself: each is judged, counted, and loses its secrets.
import Base
import Downloads
import Support
import Synchronization
import Testing

@testable import Transfers

@Suite struct RedirectTests {
    @Test func redirectChainIsFollowedAndReported() async throws {
        try await withLab { request in
            switch request.target {
            case "/1": OriginStep.answer("301 Moved", headers: ["Location: /2"], body: "moved")
            case "/2": OriginStep.answer("302 Found", headers: ["Location: 3?q=1"])
            case "/3?q=1": OriginStep.answer("307 Temporary", headers: ["Location: ?q=a b"])
            case "/3?q=a%20b": OriginStep.answer("308 Permanent", headers: ["Location: /end#f"])
            default: OriginStep.answer(body: request.target)
            }
        } _: { engine, origin in
            let recorder = RecordingSink()
            let result = await engine.run(
                try request(origin.url("/1")) { $0.rangeStart = 0 }, id: TransferID(),
                into: .sink(recorder.sink))
            #expect(result.outcome == .completed(lengthVerified: true))
            #expect(recorder.state.heads.count == 1)
            #expect(String(decoding: recorder.state.bytes, as: UTF8.self) == "/end")
            #expect(result.bodyBytes == 4)
            #expect(result.head?.url.target == "/end")
            #expect(
                result.head?.chain.map(\.target) == ["/1", "/2", "/3?q=1", "/3?q=a%20b", "/end"])
            #expect(result.lastURL == origin.url("/end"))
            #expect(origin.connectionCount == 1)
            #expect(result.newConnections == 1)
            #expect(origin.requests.allSatisfy { $0["range"] == "bytes=0-" })
        }
    }

    /// Each told wait is longer than the allowed silence, and there are more of them than allowed
    /// redirects.
    @Test func aToldWaitIsNoSilenceAndNoRedirectThatCounts() async throws {
        let count = Mutex(0)
        try await withLab { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number <= 4
                ? OriginStep.answer("302 Found", headers: ["Location: /"])
                : OriginStep.answer(body: "end")
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url()) {
                $0.followsRedirects = 2
                $0.idleTimeout = .milliseconds(200)
                $0.lowSpeed = LowSpeed(bytesPerSecond: 1000, window: .milliseconds(100))
                $0.redirectWait = { _ in .milliseconds(400) }
            }
            #expect(result.outcome == .completed(lengthVerified: true))
            #expect(origin.requests.count == 5)
            #expect(result.head?.chain.count == 1, "it is one address")
        }
    }

    @Test func aLongerToldWaitIsTheCallersMatter() async throws {
        try await withLab { _ in
            OriginStep.answer("302 Found", headers: ["Location: /b"])
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url()) {
                $0.redirectWait = { _ in .seconds(61) }
            }
            #expect(result.head?.status == 302 && origin.requests.count == 1)
        }
    }

    @Test func a421IsAskedAgainOnANewConnection() async throws {
        try await withLab { request in
            request.connection == 1
                ? OriginStep.answer("421 M") : OriginStep.answer(body: "end")
        } _: { engine, origin in
            let first = try await engine.fetch(origin.url())
            #expect(first.head?.status == 421)
            let second = try await engine.fetch(origin.url())
            #expect(second.head?.status == 200)
            #expect(origin.connectionCount == 2)
            // The second connection is kept.
            _ = try await engine.fetch(origin.url())
            #expect(origin.connectionCount == 2)
        }
    }

    @Test func loopEndsAtTheLimit() async throws {
        try await withLab { _ in
            OriginStep.answer("302 Found", headers: ["Location: /"])
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url()) { $0.followsRedirects = 3 }
            #expect(result.failure?.code == .tooManyRedirects)
            #expect(result.failure?.isRetryable == false)
            #expect(origin.requests.count == 4)
            let unfollowed = try await engine.fetch(origin.url()) { $0.followsRedirects = 0 }
            #expect(unfollowed.outcome == .completed(lengthVerified: true))
            #expect(unfollowed.head?.status == 302)
        }
    }

    @Test(arguments: [
        ("http://127.0.0.2:PORT/", FailureCode.destinationNotAllowed),
        ("http://169.254.169.254/latest/meta-data/", .destinationNotAllowed),
        ("http://[::1]:PORT/", .destinationNotAllowed),
        ("http://2130706434:PORT/", .destinationNotAllowed),
        ("http://127.0.0.1:25/", .destinationNotAllowed),
        ("file:///etc/passwd", .unsupportedURL),
        ("gopher://127.0.0.1/", .unsupportedURL),
        ("data:,x", .unsupportedURL),
        ("http://user@127.0.0.1:PORT/", .redirectToNonExistentLocation),
        ("http://127.0.0.1\\@x/", .redirectToNonExistentLocation),
        ("http:///127.0.0.1/", .redirectToNonExistentLocation),
    ]) func deniedTargetIsNeverAsked(location: String, code: FailureCode) async throws {
        try await withLab(destinations: "127.0.0.1/32") { request in
            guard request.target == "/" else { return OriginStep.answer(body: "reached") }
            let port = request["host"]?.split(separator: ":").last.map(String.init) ?? ""
            let target = location.split(separator: "PORT", omittingEmptySubsequences: false)
                .joined(separator: port)
            return OriginStep.answer("302 Found", headers: ["Location: \(target)"])
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url())
            #expect(result.failure?.code == code)
            #expect(origin.requests.count == 1)
            #expect(!(result.failure?.description.contains("127.") ?? true))
        }
    }

    @Test func callerHeadersStayWithTheirOrigin() async throws {
        let names = ["authorization", "cookie", "x-api-key"]
        try await withLab { _ in
            OriginStep.answer(body: "there")
        } _: { _, second in
            let target = second.url("/there")
            try await withLab { request in
                request.target == "/same"
                    ? OriginStep.answer("302 Found", headers: ["Location: \(target)"])
                    : OriginStep.answer("302 Found", headers: ["Location: /same"])
            } _: { engine, first in
                let result = try await engine.fetch(first.url("/start")) {
                    $0.headers = names.map { ($0, "secret") }
                }
                #expect(result.text == "there")
                #expect(first.requests.count == 2)
                #expect(first.requests.allSatisfy { seen in names.allSatisfy { seen[$0] != nil } })
                let foreign = try #require(second.requests.first)
                #expect(names.allSatisfy { foreign[$0] == nil })
                #expect(foreign["host"] == "127.0.0.1:\(second.port)")
            }
        }
    }

    @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func postBecomesGetUnlessTheStatusKeepsIt(status: Int, method: String) async throws {
        try await withLab { request in
            request.target == "/"
                ? OriginStep.answer("\(status) R", headers: ["Location: /next"])
                : OriginStep.answer()
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url()) {
                $0.method = .post
                $0.body = [1, 2, 3]
            }
            #expect(result.failure == nil)
            #expect(origin.requests.last?.method == method)
            #expect(origin.requests.last?.body == (method == "POST" ? [1, 2, 3] : []))
        }
    }

    private func head(_ status: Int, to location: String) throws -> ResponseHead {
        let url = try SourceURL(parsing: "https://a.example/")
        return ResponseHead(
            status: status, fields: [.init(name: "location", value: location)],
            framing: ResponseFraming(), url: url, chain: [url])
    }

    @Test func bodyIsNeverSentToAnotherOrigin() throws {
        var posting = TransferRequest(url: try SourceURL(parsing: "https://a.example/"))
        posting.method = .post
        let redirect = try Hop(posting).redirect(
            head(307, to: "https://b.example/"), allowsDowngrade: false)
        guard case .none = redirect else {
            Issue.record("a 307 to another origin must be final, not \(redirect)")
            return
        }
    }

    @Test func downgradeIsRefusedUnlessAllowed() throws {
        let hop = Hop(TransferRequest(url: try SourceURL(parsing: "https://a.example/x")))
        let refused = try hop.redirect(
            head(302, to: "http://a.example/x"), allowsDowngrade: false)
        guard case .refuse(let failure) = refused else {
            Issue.record("https to http must be refused")
            return
        }
        #expect(failure.code == .requiresSecureConnection)
        let allowed = try hop.redirect(
            head(302, to: "http://a.example/x"), allowsDowngrade: true)
        guard case .follow(let next) = allowed else {
            Issue.record("https to http must be followed when allowed")
            return
        }
        #expect(!next.keepsHeaders)
    }

    @Test func longRedirectBodyIsNotRead() async throws {
        try await withLab { request in
            request.target == "/"
                ? [
                    .send(
                        "HTTP/1.1 302 Found\r\nLocation: /end\r\nContent-Length: 90000000\r\n\r\n"),
                    .fill(0, count: 90_000_000),
                ] : OriginStep.answer(body: "end")
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url())
            #expect(result.text == "end")
            #expect(result.newConnections == 2)
        }
    }
}
