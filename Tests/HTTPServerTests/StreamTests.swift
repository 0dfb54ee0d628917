// Bodies that are made while they are sent.
import HTTPServer
import HTTPWire
import Testing

@Suite struct StreamTests {
    @Test func countsOpenStreams() async throws {
        let gauges = ServerGauges()
        let served = try await Served(gauges: gauges)
        let idle = try await served.client()
        #expect(try await idle.ask(request("/a")).status == 200)
        #expect(gauges.connections == 1 && gauges.streams == 0 && gauges.requests == 0)
        let live = try await served.client()
        try await live.send(request("/live"))
        #expect(await served.notes.contains("said hello"))
        #expect(gauges.connections == 2 && gauges.streams == 1 && gauges.requests == 1)
        await served.server.drain(grace: .seconds(20))
        #expect(gauges.connections == 0 && gauges.streams == 0 && gauges.requests == 0)
    }

    @Test func chunkedStreamsKeepTheConnection() async throws {
        let served = try await Served()
        let client = try await served.client()
        for _ in 0..<2 {
            let reply = try await client.ask(request("/stream"))
            #expect(reply.text == "one two three")
            #expect(reply.fields["transfer-encoding"] == "chunked")
            #expect(reply.fields["content-length"] == nil)
            #expect(reply.fields["connection"] == nil)
        }
        try await client.send(request("/stream") + request("/next"))
        #expect(try await client.reply().text == "one two three")
        #expect(try await client.reply().text.hasPrefix("GET /next "))
        await served.server.drain(grace: .seconds(20))
    }

    @Test func streamsOfKnownLengthAreNotChunked() async throws {
        let served = try await Served()
        let client = try await served.client()
        for _ in 0..<2 {
            let reply = try await client.ask(request("/sized"))
            #expect(reply.text == "one two three")
            #expect(reply.fields["content-length"] == "13")
            #expect(reply.fields["transfer-encoding"] == nil)
        }
        try await client.send(request("/sized", method: "HEAD"))
        #expect(try await client.reply(toHead: true).fields["content-length"] == "13")
        try await client.send("GET /sized HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(try await client.reply().fields["connection"] == "keep-alive")
        await served.server.drain(grace: .seconds(20))
    }

    /// A part must not look like the whole body.
    @Test func streamThatEndsEarlyEndsTheConnection() async throws {
        let served = try await Served()
        let client = try await served.client()
        try await client.send(request("/short") + request("/next"))
        let text = String(decoding: try await client.rest(), as: UTF8.self)
        #expect(text.contains("\r\nContent-Length: 100\r\n"))
        #expect(text.hasSuffix("one two three"))
        await served.server.drain(grace: .seconds(20))
    }

    @Test func http10StreamsEndWithTheConnection() async throws {
        let served = try await Served()
        let client = try await served.client()
        try await client.send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let text = String(decoding: try await client.rest(), as: UTF8.self)
        #expect(text.hasSuffix("\r\n\r\none two three"))
        #expect(text.contains("\r\nConnection: close\r\n"))
        #expect(!text.contains("Transfer-Encoding"))
        await served.server.drain(grace: .seconds(20))
    }

    @Test func headDoesNotStartTheStream() async throws {
        let served = try await Served()
        let client = try await served.client()
        try await client.send(request("/live", method: "HEAD") + request("/next"))
        let head = try await client.reply(toHead: true)
        #expect(head.fields["transfer-encoding"] == "chunked")
        #expect(try await client.reply().text.hasPrefix("GET /next "))
        #expect(!served.notes.all.contains("said hello"))
        await served.server.drain(grace: .seconds(20))
    }

    @Test func backpressureSuspendsTheProducer() async throws {
        let served = try await Served(
            ServerLimits(writeStall: .seconds(600), linger: .seconds(600)))
        let client = try await served.client(receiveBuffer: 4096)
        try await client.send(request("/flood", "Connection: close\r\n"))
        #expect(await served.notes.contains("piece"))
        let written = await served.notes.steadyCount(of: "piece")
        #expect(written < Served.flood.pieces)
        let all = try await client.rest()
        let head = try #require(all.firstRange(of: Array("\r\n\r\n".utf8)))
        let body = try #require(try Client.unchunk(all[head.upperBound...])).body
        let pieces = (0..<Served.flood.pieces).map { UInt8(truncatingIfNeeded: $0) }
        #expect(body == pieces.flatMap { [UInt8](repeating: $0, count: Served.flood.bytes) })
        try await client.finish()
        await served.server.drain(grace: .seconds(20))
    }

    /// A client may empty the buffer before the producer waits for room in it.
    @Test(.timeLimit(.minutes(10)))
    func aProducerGoesOnWhenItsPartsWereReadBeforeItWaits() async throws {
        let served = try await Served(ServerLimits(streamBytes: 1 << 14))
        let client = try await served.client()
        let whole = Served.flood.pieces * Served.flood.bytes
        for _ in 0..<8 {
            #expect(try await client.ask(request("/flood")).body.count == whole)
        }
        await served.server.drain(grace: .seconds(20))
    }

    @Test func aLostClientEndsTheProducer() async throws {
        let served = try await Served()
        let gone = try await served.client()
        try await gone.send(request("/live"))
        #expect(await served.notes.contains("said hello"))
        try await gone.reset()
        #expect(await served.notes.contains("nobody is there"))
        let slow = try await served.client(receiveBuffer: 4096)
        try await slow.send(request("/flood"))
        #expect(await served.notes.contains("piece"))
        _ = await served.notes.steadyCount(of: "piece")
        try await slow.reset()
        #expect(await served.notes.contains("nobody takes the flood"))
        await served.server.drain(grace: .seconds(20))
    }

    @Test func closesStreamsThatAreNotRead() async throws {
        let served = try await Served(ServerLimits(writeStall: .milliseconds(200)))
        let client = try await served.client(receiveBuffer: 4096)
        try await client.send(request("/flood"))
        #expect(await served.notes.contains("nobody takes the flood"))
        await served.server.drain(grace: .seconds(20))
    }

    @Test func aHalfClosedClientGetsTheEndOfTheStream() async throws {
        let served = try await Served()
        let client = try await served.client()
        try await client.send(request("/live"))
        #expect(await served.notes.contains("said hello"))
        try await client.finish()
        #expect(try await client.reply().text == "hello bye")
        #expect(try await client.rest().isEmpty)
        await served.server.drain(grace: .seconds(20))
    }

    @Test func drainLetsStreamsWriteTheirEnd() async throws {
        let served = try await Served()
        let client = try await served.client()
        try await client.send(request("/live"))
        #expect(await served.notes.contains("said hello"))
        #expect(await served.server.drain(grace: .seconds(60)))
        #expect(try await client.reply().text == "hello bye")
        #expect(try await client.rest().isEmpty)
        #expect(served.notes.all.contains("said bye"))
    }
}
