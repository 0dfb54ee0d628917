// Bodies of requests and of answers.
import Glibc
import HTTPServer
import HTTPWire
import Platform
import Synchronization
import Testing

@Suite struct ContentTests {
    @Test func echoesALargeBody() async throws {
        let served = try await Served()
        let client = try await served.client()
        let body = (0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try await client.send(
            request("/echo", "Content-Length: \(body.count)\r\n", method: "POST"))
        try await client.send(body)
        #expect(try await client.reply().body == body)
        #expect(try await client.ask(request("/next")).status == 200)
        await served.server.drain(grace: .seconds(20))
    }

    @Test func joinsChunksToOneBody() async throws {
        let served = try await Served()
        let client = try await served.client()
        try await client.send(request("/echo", "Transfer-Encoding: chunked\r\n", method: "POST"))
        for piece in ["5\r\nhel", "lo\r", "\n6;x=y\r\n world\r\n0\r\nTrailer: t", "\r\n\r\n"] {
            try await client.send(piece)
        }
        #expect(try await client.reply().text == "hello world")
        await served.server.drain(grace: .seconds(20))
    }

    @Test func aFileIsSentFromItsOffset() async throws {
        let file = try TemporaryFile(bytes: 300_000)
        let sent = Atomic(0)
        let region = try file.region(offset: 1000, length: 250_000) {
            sent.add(1, ordering: .relaxed)
        }
        let served = try await Served(file: region)
        let client = try await served.client()
        try await client.send(request("/file") + request("/file", method: "HEAD"))
        let reply = try await client.reply()
        #expect(reply.status == 206)
        #expect(reply.body == Array(file.bytes[1000..<251_000]))
        #expect(try await client.reply(toHead: true).fields["content-length"] == "250000")
        let count = sent.load(ordering: .relaxed)
        #expect(count == 1, "HEAD sends nothing of it")
        await served.server.drain(grace: .seconds(20))
    }

    @Test func aTruncatedFileEndsTheConnection() async throws {
        let file = try TemporaryFile(bytes: 1000)
        let sent = Atomic(false)
        let region = try file.region(offset: 0, length: 2000) {
            sent.store(true, ordering: .relaxed)
        }
        let served = try await Served(file: region)
        let client = try await served.client()
        try await client.send(request("/file"))
        let bytes = try await client.rest()
        #expect(bytes.suffix(1000) == file.bytes[...])
        let isSent = sent.load(ordering: .relaxed)
        #expect(!isSent)
        await served.server.drain(grace: .seconds(20))
    }

    @Test func aSlowReaderGetsEverything() async throws {
        let served = try await Served()
        let client = try await served.client(receiveBuffer: 4096)
        try await client.send(request("/big") + request("/big") + request("/next"))
        #expect(try await client.reply().body == Served.bigBody)
        #expect(try await client.reply().body == Served.bigBody)
        #expect(try await client.reply().text.hasPrefix("GET /next "))
        await served.server.drain(grace: .seconds(20))
    }

    @Test func sends100ContinueOnce() async throws {
        let served = try await Served()
        let client = try await served.client()
        let fields = "Expect: 100-continue\r\nContent-Length: 5\r\n"
        #expect(try await client.ask(request("/echo", fields, method: "POST")).status == 100)
        let reply = try await client.ask("hello")
        #expect(reply.status == 200)
        #expect(reply.text == "hello")
        // Content that follows the head at once needs no 100.
        let next = request("/echo", fields, method: "POST") + "world"
        #expect(try await client.ask(next).text == "world")
        await served.server.drain(grace: .seconds(20))
    }

    @Test func refusesExpectWithAFinalAnswer() async throws {
        let served = try await Served(admission: {
            $0.headers["authorization"] == nil ? Response(status: 401) : nil
        })
        let fields = "Expect: 100-continue\r\nContent-Length: 5\r\n"
        let refused = try await served.client()
        let reply = try await refused.ask(request("/echo", fields, method: "POST"))
        #expect(reply.status == 401)
        #expect(reply.fields["connection"] == "close")
        try await refused.send("hello" + request("/canary"))
        #expect(try await refused.rest().isEmpty)
        #expect(!served.notes.all.contains("/canary"))
        let admitted = try await served.client()
        let more = fields + "Authorization: s\r\n"
        #expect(try await admitted.ask(request("/echo", more, method: "POST")).status == 100)
        #expect(try await admitted.ask("hello").text == "hello")
        await served.server.drain(grace: .seconds(20))
    }
}
