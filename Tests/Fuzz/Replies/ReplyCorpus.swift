// Replies from which a mutator begins: every way to frame one, and the mistakes of servers.

/// A raw reply with its name.
package struct RawReply: Sendable, CustomStringConvertible {
    /// The special part of the reply.
    package let name: String
    /// The bytes on the wire.
    package let bytes: [UInt8]

    /// The name.
    package var description: String { name }

    /// Names a reply.
    package init(_ name: String, _ text: String) {
        self.name = name
        bytes = Array(text.utf8)
    }
}

/// The replies.
package enum ReplyCorpus {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n"

    /// All of them.
    package static let all = sound + misframed + folded + chunks

    /// Replies of a sound server.
    package static let sound = [
        RawReply("a length", ok + "Content-Length: 5\r\n\r\nhello"),
        RawReply("no length", ok + "\r\nhello"),
        RawReply("an empty body", ok + "Content-Length: 0\r\n\r\n"),
        RawReply("HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
        RawReply("HTTP/1.0 without a length", "HTTP/1.0 200 OK\r\n\r\nhello"),
        RawReply("a close", ok + "Connection: close\r\nContent-Length: 5\r\n\r\nhello"),
        RawReply("204", "HTTP/1.1 204 No Content\r\nX: y\r\n\r\n"),
        RawReply("304", "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n"),
        RawReply("404", "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone"),
        RawReply("401", "HTTP/1.1 401 U\r\nWWW-Authenticate: Basic\r\nContent-Length: 2\r\n\r\nno"),
        RawReply("407", "HTTP/1.1 407 P\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"),
        RawReply("417", "HTTP/1.1 417 E\r\nContent-Length: 0\r\n\r\n"),
        RawReply("503", "HTTP/1.1 503 B\r\nRetry-After: 3\r\nContent-Length: 2\r\n\r\nno"),
        RawReply("302", "HTTP/1.1 302 F\r\nLocation: /r/3\r\nContent-Length: 2\r\n\r\nno"),
        RawReply("307 without a length", "HTTP/1.1 307 T\r\nLocation: /r/5\r\n\r\nbody"),
        RawReply(
            "308 in chunks",
            "HTTP/1.1 308 P\r\nLocation: /r/9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        RawReply(
            "206",
            "HTTP/1.1 206 P\r\nContent-Range: bytes 0-4/9\r\nContent-Length: 5\r\n\r\nhello"),
        RawReply(
            "416", "HTTP/1.1 416 R\r\nContent-Range: bytes */9\r\nContent-Length: 0\r\n\r\n"),
        RawReply(
            "hints", "HTTP/1.1 103 H\r\nLink: <a>\r\n\r\n" + ok + "Content-Length: 1\r\n\r\na"),
        RawReply(
            "two interim answers",
            "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 102 P\r\n\r\n" + ok + "Content-Length: 1\r\n\r\na"),
        RawReply("a coding", ok + "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nxyz"),
        RawReply("cookies", ok + "Set-Cookie: a=b; Path=/\r\nContent-Length: 1\r\n\r\na"),
        RawReply("a long line", ok + "X: \(longText(9000))\r\nContent-Length: 1\r\n\r\na"),
        RawReply("a long body", ok + "Content-Length: 70000\r\n\r\n\(longText(70_000))"),
        RawReply("line feeds", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello"),
        RawReply("no reason", "HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello"),
        RawReply("odd fields", ok + "X:\r\nY:  z \t\r\ncontent-LENGTH:\t5\r\n\r\nhello"),
    ]

    /// Heads that cannot be believed, and bodies that are not complete.
    package static let misframed = [
        RawReply("nothing", ""),
        RawReply("no HTTP", "hello\r\n\r\n"),
        RawReply("a status line alone", ok),
        RawReply("half a body", ok + "Content-Length: 9\r\n\r\nhello"),
        RawReply("more than the length", ok + "Content-Length: 2\r\n\r\nhello"),
        RawReply(
            "two answers", ok + "Content-Length: 1\r\n\r\na" + ok + "Content-Length: 1\r\n\r\nb"),
        RawReply("two lengths", ok + "Content-Length: 5\r\nContent-Length: 4\r\n\r\nhello"),
        RawReply("a list of lengths", ok + "Content-Length: 5, 5\r\n\r\nhello"),
        RawReply("a negative length", ok + "Content-Length: -5\r\n\r\nhello"),
        RawReply("an absurd length", ok + "Content-Length: 99999999999999999999\r\n\r\nhello"),
        RawReply(
            "length and chunks",
            chunked + "Content-Length: 3\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
        RawReply("an unknown coding", ok + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        RawReply("two blanks before the status", "HTTP/1.1  200 OK\r\nContent-Length: 0\r\n\r\n"),
        RawReply("four digits", "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n"),
        RawReply("a low status", "HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n"),
        RawReply("HTTP/2 in words", "HTTP/2 200 OK\r\nContent-Length: 0\r\n\r\n"),
        RawReply("a line without a colon", ok + "nothing\r\nContent-Length: 0\r\n\r\n"),
        RawReply("a zero byte in a head", ok + "X: a\0b\r\nContent-Length: 0\r\n\r\n"),
        RawReply("a blank before a colon", ok + "Content-Length : 5\r\n\r\nhello"),
        RawReply("a return in front", ok + "\rX: y\r\nContent-Length: 5\r\n\r\nhello"),
        RawReply("an upgrade", "HTTP/1.1 101 S\r\nUpgrade: h2c\r\n\r\nhello"),
        RawReply("a head that never ends", ok + "X: \(longText(120_000))"),
        RawReply("two Locations", ok + "Location: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"),
        RawReply("an empty Location", "HTTP/1.1 302 F\r\nLocation:\r\nContent-Length: 0\r\n\r\n"),
    ]

    /// Lines that begin with a blank, where no line before them could be continued.
    package static let folded = [
        RawReply("folded first line", ok + " Content-Length: 5\r\n\r\nhello"),
        RawReply("folded by a tab", ok + "\tContent-Length: 5\r\n\r\nhello"),
        RawReply("folded after hints", "HTTP/1.1 103 H\r\nA: b\r\n\r\n" + ok + " c\r\n\r\nhello"),
        RawReply("folded hints", "HTTP/1.1 103 H\r\n a\r\n\r\n" + ok + "Content-Length: 0\r\n\r\n"),
        RawReply("folded 302", "HTTP/1.1 302 F\r\n x\r\nLocation: /r/1\r\n\r\n"),
        RawReply("folded trailer", chunked + "\r\n1\r\na\r\n0\r\n X: y\r\n\r\n"),
        RawReply("a fold inside", ok + "X: y\r\n z\r\n\tz\r\nContent-Length: 5\r\n\r\nhello"),
        RawReply("a blank line", ok + " \r\nContent-Length: 5\r\n\r\nhello"),
        RawReply("a blank before HTTP", " HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    ]

    /// Bodies in chunks.
    package static let chunks = [
        RawReply("chunks", chunked + "\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"),
        RawReply("no chunk", chunked + "\r\n0\r\n\r\n"),
        RawReply("extensions", chunked + "\r\n5;a=b;c=\"d\"\r\nhello\r\n0;x\r\n\r\n"),
        RawReply("a padded size", chunked + "\r\n5   \r\nhello\r\n0  \r\n\r\n"),
        RawReply("leading zeros", chunked + "\r\n00005\r\nhello\r\n000\r\n\r\n"),
        RawReply("trailers", chunked + "Trailer: X\r\n\r\n1\r\na\r\n0\r\nX: y\r\nZ: z\r\n\r\n"),
        RawReply("line feeds in chunks", chunked + "\r\n5\nhello\n0\n\n"),
        RawReply("a size in C", chunked + "\r\n0x5\r\nhello\r\n0\r\n\r\n"),
        RawReply("a size in C before nothing", chunked + "\r\n0x5\r\n\r\nhello\r\n0\r\n\r\n"),
        RawReply("a size and junk", chunked + "\r\n5 x\r\nhello\r\n0\r\n\r\n"),
        RawReply("a large size", chunked + "\r\nffffffffffffffffff\r\nhello\r\n0\r\n\r\n"),
        RawReply("a long chunk", chunked + "\r\n2\r\nhello\r\n0\r\n\r\n"),
        RawReply("a cut chunk", chunked + "\r\n9\r\nhello"),
        RawReply("no last chunk", chunked + "\r\n5\r\nhello\r\n"),
        RawReply("no end of the trailers", chunked + "\r\n5\r\nhello\r\n0\r\nX: y\r\n"),
        RawReply("a zero byte in a trailer", chunked + "\r\n1\r\na\r\n0\r\nX: a\0b\r\n\r\n"),
        RawReply("a trailer without a colon", chunked + "\r\n1\r\na\r\n0\r\nnothing\r\n\r\n"),
        RawReply("long trailers", chunked + "\r\n0\r\nX: \(longText(70_000))\r\n\r\n"),
        RawReply("a long chunk of many", chunked + "\r\n\(manyChunks)0\r\n\r\n"),
        RawReply("bytes behind the chunks", chunked + "\r\n1\r\na\r\n0\r\n\r\nmore"),
    ]

    private static func longText(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static let manyChunks = (1...400).map { size in
        String(size, radix: 16) + "\r\n" + longText(size) + "\r\n"
    }.joined()
}
