// Answers that lie about their length or break off, through a whole worker: the rows measured on
// this libcurl, and Lull's own rule where libcurl's word is not enough.
import Base
import Downloads
import Store
import Support
import Testing

@testable import Worker

private let bytes = content(1000)

/// Sends one answer to every request, as it stands, then closes the connection.
private func always(
    _ name: String, _ head: String, _ body: [UInt8] = bytes, end: OriginStep = .close,
    _ change: (inout Row) -> Void
) -> Row {
    Row(name, ranges: [nil]) { _, _ in
        [.send("HTTP/1.1 200 OK\r\n" + head + "\r\n\r\n"), .sendBytes(body), end]
    }.with {
        $0.attempts = 1
        $0.bytes = body
        change(&$0)
    }
}

private func chunked(_ body: [UInt8], isWhole: Bool) -> [UInt8] {
    Array((String(body.count, radix: 16) + "\r\n").utf8) + body
        + Array((isWhole ? "\r\n0\r\n\r\n" : "").utf8)
}

private func digest(_ text: String) -> JSONObject { ["expected_digest": .string(text)] }

/// The answer breaks off once, and nothing proves the bytes: the next attempt begins from the first
/// byte.
private func cut(
    _ name: String, _ head: String, _ body: [UInt8], _ end: OriginStep
)
    -> Row
{
    Row(name, ranges: [nil, nil]) { _, number in
        number == 0
            ? [.send("HTTP/1.1 200 OK\r\n" + head + "\r\n\r\n"), .sendBytes(body), end]
            : Answer.whole(bytes, etag: nil)
    }.with { $0.bytes = bytes }
}

/// The answer is refused at each of three attempts; then the download fails.
private func refused(_ name: String, _ head: String) -> Row {
    always(name, head) {
        $0.ranges = [nil, nil, nil]
        $0.attempts = 3
        $0.state = .failed
        $0.code = "bad_server_response"
    }
}

@Suite struct FramingRowTests {
    @Test func soundFramingSucceeds() async throws {
        try await Row.run([
            always("no length, ended by the close", "X: y") { $0.isVerified = false },
            always("no length, the client's digest", "X: y") {
                $0.members = digest("sha256:" + sha256(bytes))
            },
            always("more bytes than the length", "Content-Length: 900\r\nConnection: close") {
                $0.bytes = Array(bytes[..<900])
            },
            always("gzip that nobody asked for", "Content-Length: 1000\r\nContent-Encoding: gzip") {
                _ in
            },
            always(
                "seven codings",
                "Content-Length: 1000\r\nContent-Encoding: gzip, br, gzip, br"
                    + ", gzip, br, deflate"
            ) { _ in },
            Row("chunked", ranges: [nil]) { _, _ in
                [
                    .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                    .sendBytes(chunked(bytes, isWhole: true)),
                ]
            }.with {
                $0.attempts = 1
                $0.bytes = bytes
            },
            Row("interim answers first", ranges: [nil]) { _, _ in
                [
                    .send(
                        "HTTP/1.1 103 Early Hints\r\nContent-Length: 7\r\n\r\nHTTP/1.1 200 OK\r\n"
                            + "Content-Length: 1000\r\n\r\n"), .sendBytes(bytes),
                ]
            }.with {
                $0.attempts = 1
                $0.bytes = bytes
            },
        ])
    }

    @Test func truncatedBodiesAreRetried() async throws {
        try await Row.run([
            cut("700 of 1000 bytes", "Content-Length: 1000", Array(bytes[..<700]), .close),
            cut("none of 1000 bytes", "Content-Length: 1000", [], .close),
            cut("a reset in the middle", "Content-Length: 1000", Array(bytes[..<700]), .reset),
            cut(
                "inside a chunk", "Transfer-Encoding: chunked",
                Array(chunked(bytes, isWhole: true)[..<500]), .close),
            cut(
                "before the last chunk", "Transfer-Encoding: chunked",
                chunked(bytes, isWhole: false),
                .close),
            cut(
                "before the last line end", "Transfer-Encoding: chunked",
                chunked(bytes, isWhole: true).dropLast(2), .close),
            cut(
                "a chunk whose size is no number", "Transfer-Encoding: chunked",
                Array("zz\r\nabc\r\n0\r\n\r\n".utf8), .close),
            cut(
                "a chunk size of 17 digits", "Transfer-Encoding: chunked",
                Array("fffffffffffffffff\r\nabc\r\n0\r\n\r\n".utf8), .close),
        ])
    }

    @Test func contradictoryFramingFails() async throws {
        try await Row.run([
            refused("two lengths, 3 then 5", "Content-Length: 3\r\nContent-Length: 5"),
            refused("two lengths, 5 then 3", "Content-Length: 5\r\nContent-Length: 3"),
            refused("the same length twice", "Content-Length: 1000\r\nContent-Length: 1000"),
            refused("a list of lengths", "Content-Length: 5, 3"),
            refused("a length with a sign", "Content-Length: +5"),
            refused("a negative length", "Content-Length: -5"),
            refused("a length with a letter", "Content-Length: 5x"),
            always("a length of 23 digits", "Content-Length: 99999999999999999999999") {
                $0.state = .failed
                $0.code = "data_length_exceeds_maximum"
            },
            refused("an empty length", "Content-Length:"),
            refused("a folded length", "Content-Length:\r\n 5"),
            refused("a space before the colon", "Content-Length : 5"),
            refused("length and chunked", "Content-Length: 4\r\nTransfer-Encoding: chunked"),
            refused("gzip as transfer coding", "Transfer-Encoding: gzip, chunked"),
            refused("a head of 72 KB", "X: " + String(repeating: "a", count: 72_000)),
        ])
    }

    @Test func redirectLoopsFail() async throws {
        try await Row("to itself for ever", ranges: Array(repeating: nil, count: 11)) { _, _ in
            [.send("HTTP/1.1 302 F\r\nLocation: file.bin\r\nContent-Length: 0\r\n\r\n")]
        }.with {
            $0.state = .failed
            $0.attempts = 1
            $0.code = "http_too_many_redirects"
        }.run()
    }
}
