// Many requests over one connection.
import HTTPServer
import HTTPWire
import Testing

@Suite struct KeepAliveTests {
    @Test func servesRequestsOnOneConnection() async throws {
        let served = try await Served()
        let client = try await served.client()
        for path in ["/a", "/later", "/b", "/later", "/nothing"] {
            let reply = try await client.ask(request(path))
            #expect(reply.status == (path == "/nothing" ? 204 : 200))
            if path != "/nothing" {
                #expect(reply.text.hasPrefix("GET \(path) 127.0.0.1:"))
                #expect(reply.fields["content-type"] == "text/plain")
            }
            #expect(reply.fields["connection"] == nil)
            #expect(reply.fields["date"]?.hasSuffix(" GMT") == true)
        }
        #expect(await served.server.drain(grace: .seconds(20)))
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let served = try await Served()
        let client = try await served.client()
        let paths = (0..<300).map { $0 % 7 == 0 ? "/later" : "/\($0)" }
        try await client.send(paths.map { request($0) }.joined())
        for path in paths {
            #expect(try await client.reply().text.hasPrefix("GET \(path) "))
        }
        await served.server.drain(grace: .seconds(20))
    }

    @Test func headHasTheHeaderOfGetAndNoContent() async throws {
        let served = try await Served()
        let client = try await served.client()
        let get = try await client.ask(request("/big"))
        try await client.send(request("/big", method: "HEAD") + request("/next"))
        let head = try await client.reply(toHead: true)
        #expect(head.status == 200)
        #expect(head.fields["content-length"] == "\(Served.bigBody.count)")
        #expect(get.fields["content-length"] == head.fields["content-length"])
        #expect(try await client.reply().text.hasPrefix("GET /next "))
        await served.server.drain(grace: .seconds(20))
    }

    @Test func connectionCloseEndsTheConnection() async throws {
        let served = try await Served()
        for text in [request("/a", "Connection: close\r\n"), request("/close")] {
            let client = try await served.client()
            let reply = try await client.ask(text + request("/after"))
            #expect(reply.fields["connection"] == "close")
            #expect(try await client.rest().isEmpty)
        }
        #expect(!served.notes.all.contains("/after"))
        await served.server.drain(grace: .seconds(20))
    }

    @Test func http10ClosesUnlessKeepAlive() async throws {
        let served = try await Served()
        let old = try await served.client()
        #expect(try await old.ask("GET /a HTTP/1.0\r\n\r\n").fields["connection"] == "close")
        #expect(try await old.rest().isEmpty)
        let keeping = try await served.client()
        for _ in 0..<2 {
            let reply = try await keeping.ask("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(reply.fields["connection"] == "keep-alive")
        }
        await served.server.drain(grace: .seconds(20))
    }

    @Test func theLastAnswerOfAConnectionHasClose() async throws {
        let served = try await Served(ServerLimits(requestsPerConnection: 3))
        let client = try await served.client()
        #expect(try await client.ask(request("/1")).fields["connection"] == nil)
        try await client.send(request("/2") + request("/3") + request("/4"))
        #expect(try await client.reply().fields["connection"] == nil)
        #expect(try await client.reply().fields["connection"] == "close")
        #expect(try await client.rest().isEmpty)
        #expect(!served.notes.all.contains("/4"))
        await served.server.drain(grace: .seconds(20))
    }

    @Test func connectionsEndAfterTheirMaximumAge() async throws {
        let served = try await Served(ServerLimits(age: .zero))
        let client = try await served.client()
        try await client.send(request("/1") + request("/2"))
        #expect(try await client.reply().fields["connection"] == "close")
        #expect(try await client.rest().isEmpty)
        #expect(!served.notes.all.contains("/2"))
        await served.server.drain(grace: .seconds(20))
    }

    @Test func aHalfClosedConnectionGetsItsAnswers() async throws {
        let served = try await Served()
        let client = try await served.client()
        try await client.send(request("/a") + request("/later") + request("/big"))
        try await client.finish()
        #expect(try await client.reply().text.hasPrefix("GET /a "))
        #expect(try await client.reply().text.hasPrefix("GET /later "))
        #expect(try await client.reply().body == Served.bigBody)
        #expect(try await client.rest().isEmpty)
        await served.server.drain(grace: .seconds(20))
    }
}
