// Clients that break the rules or take too long.
import HTTPServer
import HTTPWire
import Testing

@Suite struct RefusalTests {
    enum Offence: Int, CaseIterable {
        case malformed = 400
        case tooMuchContent = 413
        case tooLongTarget = 414
        case tooLongField = 431
        case unknownMethod = 501
        case unknownVersion = 505

        var text: String {
            let long = String(repeating: "y", count: 9000)
            return switch self {
            case .malformed: request("/#fragment")
            case .tooMuchContent:
                request("/", "Content-Length: 99999999\r\n", method: "POST")
            case .tooLongTarget: request("/" + long)
            case .tooLongField: request("/", "X: \(long)\r\n")
            case .unknownMethod: request("/", method: "BREW")
            case .unknownVersion: "GET / HTTP/2.0\r\n\r\n"
            }
        }
    }

    @Test(arguments: Offence.allCases)
    func noRequestAfterARejectionIsServed(_ offence: Offence) async throws {
        let served = try await Served()
        let client = try await served.client()
        try await client.send(request("/first") + offence.text + request("/canary"))
        #expect(try await client.reply().status == 200)
        let reply = try await client.reply()
        #expect(reply.status == offence.rawValue)
        #expect(reply.fields["content-type"] == "application/problem+json")
        #expect(reply.fields["connection"] == "close")
        #expect(reply.text.contains("\"status\":\(offence.rawValue),"))
        #expect(try await client.rest().isEmpty)
        #expect(served.notes.all.filter { $0.hasPrefix("/") } == ["/first"])
        await served.server.drain(grace: .seconds(20))
    }

    @Test func theHandlerFormatsRejections() async throws {
        let served = try await Served(
            ServerLimits(header: .seconds(6)),
            refusal: { rejection, request in
                Response(
                    status: rejection.status,
                    body: .bytes(Array("\(rejection.code) \(request.path ?? "-")".utf8)))
            })
        for (bytes, words) in [
            (request("/first", method: "BREW"), "not-implemented -"),
            (request("/a?b", "Content-Length: 99999999\r\n"), "content-too-large /a"),
            ("GET /b HTTP/1.1\r\nHo", "request-timeout /b"),
        ] {
            let client = try await served.client()
            try await client.send(bytes)
            let reply = try await client.reply()
            #expect(reply.text == words)
            #expect(reply.fields["connection"] == "close")
            #expect(try await client.rest().isEmpty)
        }
        await served.server.drain(grace: .seconds(20))
    }

    @Test(arguments: Offence.allCases)
    func aRejectedHEADHasNoContent(_ offence: Offence) async throws {
        let served = try await Served()
        let text = offence.text.split(separator: " ", maxSplits: 1)
        // An unknown method has an answer with content, even one whose name resembles a known one.
        guard offence != .unknownMethod else { return }
        let client = try await served.client()
        try await client.send(request("/first") + "HEAD " + text[1] + request("/canary"))
        #expect(try await client.reply().status == 200)
        let reply = try await client.reply(toHead: true)
        #expect(reply.status == offence.rawValue)
        #expect(Int(reply.fields["content-length"] ?? "") ?? 0 > 0)
        #expect(try await client.rest().isEmpty)
        #expect(served.notes.all.contains { $0.hasSuffix(" \(offence.rawValue)") })
        await served.server.drain(grace: .seconds(20))
    }

    @Test func aTimedOutHEADHasNoContent() async throws {
        let served = try await Served(ServerLimits(header: .seconds(6)))
        let client = try await served.client()
        try await client.send("HEAD /late HTTP/1.1\r\nHo")
        #expect(try await client.reply(toHead: true).status == 408)
        #expect(try await client.rest().isEmpty)
        #expect(served.notes.all.contains("HEAD /late 408"))
        await served.server.drain(grace: .seconds(20))
    }

    @Test func timesOutASlowHeader() async throws {
        // The time is long enough for the first bytes to arrive, even on a busy machine.
        let served = try await Served(ServerLimits(header: .seconds(6)))
        let client = try await served.client()
        try await client.send("GET / HTTP/1.1\r\nHo")
        let reply = try await client.reply()
        #expect(reply.status == 408)
        #expect(reply.text.contains("/problems/request-timeout"))
        #expect(try await client.rest().isEmpty)
        await served.server.drain(grace: .seconds(20))
    }

    @Test func timesOutADribblingHeader() async throws {
        let served = try await Served(ServerLimits(header: .milliseconds(200)))
        let client = try await served.client()
        var sent = 0
        // The loop is bounded: 20 seconds of one byte every 10 ms, unless the server ends it.
        for byte in ("GET / HTTP/1.1\r\nX: " + String(repeating: "y", count: 2000)).utf8 {
            do { try await client.send([byte]) } catch { break }
            sent += 1
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(sent < 2000)
        await served.server.drain(grace: .seconds(20))
    }

    @Test func timesOutASlowBody() async throws {
        let served = try await Served(
            ServerLimits(body: .seconds(1), bodyBytesPerSecond: 1 << 20))
        let client = try await served.client()
        try await client.send(request("/echo", "Content-Length: 5\r\n", method: "POST") + "hell")
        #expect(try await client.reply().status == 408)
        #expect(try await client.rest().isEmpty)
        #expect(!served.notes.all.contains("/echo"))
        await served.server.drain(grace: .seconds(20))
    }

    @Test func closesIdleConnectionsWithoutAnAnswer() async throws {
        let hasty = try await Served(ServerLimits(header: .milliseconds(50)))
        let silent = try await hasty.client()
        #expect(try await silent.rest().isEmpty)
        await hasty.server.drain(grace: .seconds(20))
        // The head of a request may take long on a busy machine: this test measures only the pause.
        let served = try await Served(ServerLimits(keepAlive: .milliseconds(50)))
        let idle = try await served.client()
        #expect(try await idle.ask(request("/a")).status == 200)
        #expect(try await idle.rest().isEmpty)
        await served.server.drain(grace: .seconds(20))
    }

    @Test func closesClientsThatDoNotRead() async throws {
        let served = try await Served(ServerLimits(writeStall: .milliseconds(100)))
        let client = try await served.client(receiveBuffer: 4096)
        try await client.send(String(repeating: request("/big"), count: 20))
        // The server closes the connection: no bytes are left to drain, though no byte was read.
        #expect(await served.notes.contains("GET /big 200"))
        #expect(await served.server.drain(grace: .seconds(20)))
    }

    @Test func aLostClientCancelsItsTask() async throws {
        let served = try await Served()
        let closing = try await served.client()
        try await closing.send(request("/hang"))
        #expect(await served.notes.contains("/hang"))
        await closing.close()
        #expect(await served.notes.contains("cancelled"))
        await served.server.drain(grace: .seconds(20))
    }

    @Test func aResetDoesNotAffectOthers() async throws {
        let served = try await Served()
        for text in [
            "GET /a", request("/hang"), request("/big"), request("/echo", "Content-Length: 9\r\n"),
        ] {
            let client = try await served.client(receiveBuffer: 4096)
            try await client.send(text)
            try await client.reset()
        }
        let client = try await served.client()
        #expect(try await client.ask(request("/a")).status == 200)
        #expect(await served.server.drain(grace: .seconds(20)))
    }

    @Test func clientsAboveTheLimitWait() async throws {
        let served = try await Served(ServerLimits(connections: 2))
        let first = try await served.client()
        let second = try await served.client()
        #expect(try await first.ask(request("/1")).status == 200)
        #expect(try await second.ask(request("/2")).status == 200)
        let third = try await served.client()
        try await third.send(request("/3"))
        #expect(try await second.ask(request("/4")).status == 200)
        #expect(!served.notes.all.contains("/3"))
        await first.close()
        #expect(try await third.reply().status == 200)
        await served.server.drain(grace: .seconds(20))
    }
}
