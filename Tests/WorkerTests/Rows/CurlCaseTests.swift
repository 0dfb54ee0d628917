// The cases that curl's own suite names for resume, truncation, Retry-After, redirects and
// Content-Disposition, each as a scripted reply; the verdicts are Lull's, and the case's name says
// where they differ from curl's.
import Base
import Content
import Downloads
import Store
import Support
import Testing
import Trees

@testable import Worker

/// A reply, and the verdict of a first attempt on it.
private struct Case: Sendable {
    enum Verdict: Sendable {
        case bytes(String)
        case code(String)
    }

    let name: String
    let reply: @Sendable (OriginRequest) -> [OriginStep]
    let verdict: Verdict
    var filename: String?
    var wait: Duration?
    var isDated = false

    /// A case in which every request gets these bytes.
    init(_ name: String, _ reply: String, _ verdict: Verdict) {
        self.name = name
        self.reply = { _ in [.send(reply), .close] }
        self.verdict = verdict
    }

    /// A redirect from the first page; every other page answers with its own target.
    init(_ name: String, location: String, to target: String) {
        self.init(name, locations: ["Location: " + location], .bytes(target))
    }

    init(_ name: String, locations: [String], status: Int = 302, _ verdict: Verdict) {
        self.name = name
        reply = { request in
            guard request.target == "/a/b/start" else {
                return OriginStep.answer(body: request.target)
            }
            let port = request["host"]?.split(separator: ":").last.map(String.init) ?? ""
            let headers = locations.map { line in
                line.split(separator: "PORT", omittingEmptySubsequences: false)
                    .joined(separator: port)
            }
            return OriginStep.answer("\(status) Found", headers: headers, body: "here")
        }
        self.verdict = verdict
    }

    /// A file with this Content-Disposition.
    init(_ name: String, disposition: String, filename: String) {
        self.init(
            name,
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Disposition: \(disposition)\r\n\r\nok",
            .bytes("ok"))
        self.filename = filename
    }

    /// An error with this Retry-After; the time is 2026-09-21T14:13:20Z, and passes meanwhile.
    init(_ name: String, status: Int = 503, retryAfter: String, wait: Duration?) {
        self.init(
            name,
            "HTTP/1.1 \(status) X\r\nRetry-After: \(retryAfter)\r\nContent-Length: 2\r\n\r\nno",
            .code("http_status"))
        self.wait = wait
        isDated = retryAfter.hasSuffix("GMT") && wait != .zero
    }
}

@Suite struct CurlCaseTests {
    private func check(_ cases: [Case]) async throws {
        try await WorkerLab.with { lab in
            for item in cases {
                let name = Comment(rawValue: item.name)
                let origin = try OriginServer(item.reply)
                defer { origin.close() }
                let id = WorkerLab.identifier()
                let attempt = lab.attempt(try lab.claim(origin.url("/a/b/start"), id: id))
                let report = await attempt.run()
                switch item.verdict {
                case .bytes(let text):
                    #expect(report.failure == nil, name)
                    let body = try #require(report.body, name)
                    #expect(
                        try lab.bytes(of: body) == Array(text.utf8), name)
                    if let filename = item.filename {
                        #expect(
                            body.response?["suggested_filename"] == .string(filename), name)
                    }
                case .code(let code):
                    #expect(report.body == nil, name)
                    #expect(report.failure?.code.rawValue == code, name)
                    guard item.isDated else {
                        #expect(report.retryAfter == item.wait, name)
                        continue
                    }
                    // A date comes nearer while the test runs.
                    let wait = try #require(report.retryAfter, name)
                    #expect(wait > .zero && wait <= item.wait ?? .zero, name)
                }
            }
        }
    }

    @Test func truncation() async throws {
        let ok = "HTTP/1.1 200 OK\r\n"
        let chunked = ok + "Transfer-Encoding: chunked\r\n"
        try await check([
            Case(
                "chunked, cut in the first chunk", chunked + "\r\n30\r\naaaa",
                .code("network_connection_lost")),
            Case(
                "a length and half of it", ok + "Content-Length: 8\r\n\r\naaaa",
                .code("network_connection_lost")),
            Case(
                "a head and no body", ok + "Content-Length: 8\r\n\r\n",
                .code("network_connection_lost")),
            Case(
                "a chunk that is longer than it says", chunked + "\r\n2\r\naaaa\r\n0\r\n\r\n",
                .code("bad_server_response")),
            Case(
                "a chunk size that overflows", chunked + "\r\nffffffffffffffffff\r\na\r\n",
                .code("bad_server_response")),
            Case(
                "junk instead of a chunk", chunked + "\r\nno chunk\r\n",
                .code("bad_server_response")),
            Case(
                "negative length", ok + "Content-Length: -6\r\n\r\nabc",
                .code("bad_server_response")),
            Case(
                "length beyond 63 bits; curl reads to the end",
                ok + "Content-Length: 9223372036854775808\r\n\r\nabc",
                .code("data_length_exceeds_maximum")),
            Case(
                "gzip that nobody asked for, in chunks",
                chunked + "Content-Encoding: gzip\r\n\r\n3\r\nabc\r\n0\r\n\r\n", .bytes("abc")),
            Case(
                "a trailer behind the chunks", chunked + "\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n",
                .bytes("abc")),
            Case(
                "extensions of a chunk", chunked + "\r\n3;a=b;c=\"d\"\r\nabc\r\n0;x\r\n\r\n",
                .bytes("abc")),
            Case("no status line", "hello\r\n\r\n", .code("bad_server_response")),
            Case("an answer of HTTP/0.9", "<html>hello</html>", .code("bad_server_response")),
            Case("nothing", "", .code("network_connection_lost")),
            Case(
                "206 that nobody asked for",
                "HTTP/1.1 206 P\r\nContent-Length: 2\r\n"
                    + "Content-Range: bytes 0-1/2\r\n\r\nok", .code("bad_server_response")),
            Case("204", "HTTP/1.1 204 N\r\n\r\n", .code("http_status")),
            Case(
                "416 without a range asked", "HTTP/1.1 416 R\r\nContent-Length: 0\r\n\r\n",
                .code("http_status")),
            Case(
                "HTTP/1.0 with keep-alive",
                "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n"
                    + "Connection: keep-alive\r\n\r\nok", .bytes("ok")),
            Case("bare line feeds", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", .bytes("ok")),
        ])
    }

    @Test func retryAfter() async throws {
        try await check([
            Case("seconds", retryAfter: "21", wait: .seconds(21)),
            Case("seconds and space", retryAfter: " 7 ", wait: .seconds(7)),
            Case("seconds on 429", status: 429, retryAfter: "120", wait: .seconds(120)),
            Case("on 500", status: 500, retryAfter: "3", wait: .seconds(3)),
            Case(
                "a date in the future", retryAfter: "Mon, 21 Sep 2026 15:13:20 GMT",
                wait: .seconds(3600)),
            Case(
                "a date of RFC 850", retryAfter: "Monday, 21-Sep-26 15:13:20 GMT",
                wait: .seconds(3600)),
            Case("a date in the past", retryAfter: "Thu, 11 Jul 2019 02:26:59 GMT", wait: .zero),
            Case("negative", retryAfter: "-1", wait: nil),
            Case("no number", retryAfter: "soon", wait: nil),
            Case("a fraction", retryAfter: "1.5", wait: .milliseconds(1500)),
            Case("longer than a life", retryAfter: "99999999999999999999", wait: .seconds(1 << 40)),
        ])
    }

    @Test func redirects() async throws {
        try await check([
            Case("absolute", location: "http://127.0.0.1:PORT/x", to: "/x"),
            Case("path", location: "/x", to: "/x"), Case("relative", location: "x", to: "/a/b/x"),
            Case("dot segments up", location: "../../../x", to: "/x"),
            Case("dot segment here", location: "./x", to: "/a/b/x"),
            Case("dot segments inside", location: "/c/./d/../x", to: "/c/x"),
            Case("query alone", location: "?q=1", to: "/a/b/start?q=1"),
            Case("query with dots", location: "x?../y", to: "/a/b/x?../y"),
            Case("slashes in the query", location: "/x?u=http://h/", to: "/x?u=http://h/"),
            Case("spaces", location: "/x y z", to: "/x%20y%20z"),
            Case("// and a host", location: "//127.0.0.1:PORT/x", to: "/x"),
            Case("bytes that are not ASCII", location: "/\u{e5}", to: "/%C3%A5"),
            Case("a fragment", location: "/x#y", to: "/x"),
            Case("upper-case scheme", location: "HTTP://127.0.0.1:PORT/x", to: "/x"),
            Case("host without a path", location: "http://127.0.0.1:PORT", to: "/"),
            Case("host and query", location: "http://127.0.0.1:PORT?x", to: "/?x"),
            Case(
                "twice the same Location", locations: ["Location: /x", "Location: /x"],
                .bytes("/x")),
            Case(
                "two Locations", locations: ["Location: /x", "Location: /y"],
                .code("redirect_to_non_existent_location")),
            Case(
                "two Locations on 200", locations: ["Location: /x", "Location: /y"], status: 200,
                .bytes("here")),
            Case(
                "an empty Location; curl takes the answer", locations: ["Location:"],
                .code("redirect_to_non_existent_location")),
            Case(
                "a Location of blanks", locations: ["Location: \t "], status: 307,
                .code("redirect_to_non_existent_location")),
            Case(
                "an empty Location and another", locations: ["Location:", "Location: /x"],
                .code("redirect_to_non_existent_location")),
            Case(
                "one slash; curl mends it", locations: ["Location: http:/127.0.0.1:PORT/x"],
                .code("redirect_to_non_existent_location")),
            Case(
                "four slashes", locations: ["Location: http:////127.0.0.1:PORT/x"],
                .code("redirect_to_non_existent_location")),
            Case(
                "a name with letters beyond ASCII", locations: ["Location: http://\u{e5}.se/"],
                .code("redirect_to_non_existent_location")),
            Case(
                "user name; curl takes it", locations: ["Location: http://u@127.0.0.1:PORT/x"],
                .code("redirect_to_non_existent_location")),
            Case(
                "another scheme", locations: ["Location: ftp://127.0.0.1/x"],
                .code("unsupported_url")),
            Case("no Location", locations: ["X: y"], .code("http_status")),
            Case("Location on 200", locations: ["Location: /x"], status: 200, .bytes("here")),
            Case(
                "Location on 300", locations: ["Location: /x"], status: 300,
                .code("http_status")),
            Case(
                "Location on 304", locations: ["Location: /x"], status: 304,
                .code("http_status")),
            Case("301", locations: ["Location: /x"], status: 301, .bytes("/x")),
            Case("303", locations: ["Location: /x"], status: 303, .bytes("/x")),
            Case("307", locations: ["Location: /x"], status: 307, .bytes("/x")),
            Case("308", locations: ["Location: /x"], status: 308, .bytes("/x")),
        ])
    }

    @Test func dispositions() async throws {
        try await check([
            Case(
                "quoted", disposition: "attachment; filename=\"name1310; charset=funny\"",
                filename: "name1310; charset=funny"),
            Case(
                "bare", disposition: "filename=name1311; charset=funny; option=strange",
                filename: "name1311"),
            Case(
                "a path in quotes", disposition: "inline; filename=\"/etc/passwd\"",
                filename: "passwd"),
            Case(
                "a path of another system", disposition: "inline; filename=\"C:\\\\a\\\\b.txt\"",
                filename: "b.txt"),
            Case(
                "uneven quotes", disposition: "attachment; filename=\"name1313",
                filename: "name1313"),
            Case(
                "quotes of one sort inside the other", disposition: "inline; filename='a;b.txt'",
                filename: "'a"),
            Case("an empty name", disposition: "inline; filename=\"\"", filename: "start"),
            Case("dots alone", disposition: "inline; filename=\"..\"", filename: "start"),
            Case(
                "space before the sign", disposition: "inline; filename = \"a.txt\"",
                filename: "a.txt"),
            Case("no type", disposition: "filename=a.txt", filename: "a.txt"),
            Case(
                "another parameter first", disposition: "attachment; size=2; filename=a.txt",
                filename: "a.txt"),
            Case(
                "a parameter that ends alike", disposition: "attachment; xfilename=a.txt",
                filename: "start"),
            Case(
                "the extended form", disposition: "attachment; filename*=UTF-8''a%20b.txt",
                filename: "a b.txt"),
        ])
    }
}
