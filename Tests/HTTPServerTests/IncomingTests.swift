// Content of requests that its handler reads while it arrives.
import Glibc
import HTTPServer
import HTTPWire
import Testing

@Suite struct IncomingTests {
    private static func put(_ path: String, _ length: Int, _ fields: String = "") -> String {
        request(path, "Content-Length: \(length)\r\n" + fields, method: "PUT")
    }

    @Test func contentBeyondTheBoundOfCollectedContentIsStreamed() async throws {
        let gauges = ServerGauges()
        let served = try await Served(
            ServerLimits(wire: WireLimits(bodyBytes: 10)), gauges: gauges)
        let client = try await served.client()
        let bytes = [UInt8](repeating: 2, count: 3 << 20)
        try await client.send(Self.put("/take", bytes.count))
        try await client.send(bytes)
        #expect(try await client.reply().text == "3145728 of 3145728, sum 6291456")
        try await client.send(request("/take", "Transfer-Encoding: chunked\r\n", method: "PUT"))
        try await client.send("5\r\nabcde\r\n1;x=y\r\nf\r\n0\r\nT: t\r\n\r\n")
        #expect(try await client.reply().text == "6 of unknown, sum 597")
        let pipelined = Self.put("/take", 1) + "a" + Self.put("/take", 2) + "bb"
        try await client.send(pipelined + request("/take", method: "PUT") + request("/next"))
        #expect(try await client.reply().text == "1 of 1, sum 97")
        #expect(try await client.reply().text == "2 of 2, sum 196")
        #expect(try await client.reply().text == "no content")
        #expect(try await client.reply().status == 200)
        #expect(gauges.bodies == 0)
        await served.server.drain(grace: .seconds(20))
    }

    @Test func theEndOfContentThatWasReadDoesNotReachTheNextRequest() async throws {
        let served = try await Served()
        let client = try await served.client()
        try await client.send(Self.put("/take/kept", 2) + "ab")
        #expect(try await client.reply().text == "2 of 2, sum 195")
        try await client.send(Self.put("/take/late", 2) + "a")
        #expect(await served.notes.contains("abandoned"))
        try await client.send("b")
        #expect(try await client.reply().text == "2 of 2, sum 195")
        await served.server.drain(grace: .seconds(20))
    }

    @Test func everySplitOfTheBytesGivesTheSameAnswer() async throws {
        let served = try await Served(
            ServerLimits(header: .seconds(60), keepAlive: .seconds(60)))
        let all = Array((Self.put("/take", 5) + "hello" + request("/next")).utf8)
        for cut in all.indices {
            let client = try await served.client()
            try await client.send(Array(all[..<cut]))
            if cut % 3 == 0 { await Task.yield() }
            try await client.send(Array(all[cut...]))
            #expect(try await client.reply().text == "5 of 5, sum 532")
            #expect(try await client.reply().status == 200)
            await client.close()
        }
        await served.server.drain(grace: .seconds(20))
    }

    @Test func contentWaitsInTheSocketUntilItIsTaken() async throws {
        let served = try await Served(ServerLimits(intakeBytes: 1 << 16))
        let client = try await served.client()
        let bytes = [UInt8](repeating: 1, count: 64 << 20)
        try await client.send(Self.put("/take/held", bytes.count))
        let sending = Task { try await client.send(bytes) }
        #expect(await served.notes.contains("held"))
        // A bounded amount is in the server and in both sockets; the rest was not sent.
        let other = try await served.client()
        #expect(try await other.ask(request("/a")).status == 200)
        served.notes.add("go on")
        try await sending.value
        #expect(try await client.reply().text == "67108864 of 67108864, sum 67108864")
        await served.server.drain(grace: .seconds(20))
    }

    @Test func consentIsGivenWithTheFirstRead() async throws {
        let served = try await Served()
        let client = try await served.client()
        try await client.send(Self.put("/take", 2, "Expect: 100-continue\r\n"))
        #expect(try await client.reply().status == 100)
        try await client.send("ab")
        #expect(try await client.reply().text == "2 of 2, sum 195")
        for (path, status) in [("/take/refused", 403), ("/take/unread", 409)] {
            let refused = try await served.client()
            try await refused.send(Self.put(path, 2, "Expect: 100-continue\r\n"))
            #expect(try await refused.reply().status == status, "no 100 comes before it")
            #expect(try await refused.rest().isEmpty)
        }
        let eager = try await served.client()
        try await eager.send(Self.put("/take", 2, "Expect: 100-continue\r\n") + "ab")
        #expect(try await eager.reply().text == "2 of 2, sum 195")
        await served.server.drain(grace: .seconds(20))
    }

    /// A reader of another executor leaves the loop before it waits, and content may come then.
    @Test(.timeLimit(.minutes(10)))
    func contentThatFollowsTheConsentAtOnceIsNotMissed() async throws {
        let served = try await Served()
        let client = try await served.client()
        let fields = "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n"
        for _ in 0..<300 {
            try await client.send(request("/take/apart", fields, method: "PUT"))
            #expect(try await client.reply().status == 100)
            try await client.send("1\r\na\r\n0\r\n\r\n")
            #expect(try await client.reply().text == "1 of unknown, sum 97")
        }
        await served.server.drain(grace: .seconds(20))
    }

    @Test(arguments: [("/take/unread", 409), ("/take/first", 409), ("/take/refused", 403)])
    func anAnswerBeforeTheEndClosesTheConnection(_ path: String, _ status: Int) async throws {
        let served = try await Served(ServerLimits(linger: .seconds(20)))
        let client = try await served.client()
        try await client.send(Self.put(path, 1000) + "some")
        let reply = try await client.reply()
        #expect(reply.status == status)
        #expect(reply.fields["connection"] == "close")
        // Whatever still comes is dropped, so that the answer is not lost.
        try await client.send([UInt8](repeating: 0, count: 996))
        try await client.finish()
        #expect(try await client.rest().isEmpty)
        await served.server.drain(grace: .seconds(20))
    }

    /// Many clients send all content before they read the answer.
    @Test func aClientThatSendsAllFirstGetsTheAnswerThatCameBefore() async throws {
        let served = try await Served(ServerLimits(linger: .seconds(20)))
        let client = try await served.client()
        try await client.send(Self.put("/take/unread", 20_000_000))
        for _ in 0..<20 { try await client.send([UInt8](repeating: 0, count: 1_000_000)) }
        #expect(try await client.reply().status == 409)
        await served.server.drain(grace: .seconds(20))
    }

    @Test func malformedContentIsRefusedInPlaceOfTheAnswer() async throws {
        let served = try await Served()
        for chunk in ["x\r\n", "2\r\nabc\r\n", "1;=\r\n", "1\r\na\r\n0\r\n : b\r\n\r\n"] {
            let client = try await served.client()
            try await client.send(
                request("/take", "Transfer-Encoding: chunked\r\n", method: "PUT") + chunk)
            #expect(try await client.reply().status == 400)
            #expect(try await client.rest().isEmpty)
        }
        await served.server.drain(grace: .seconds(20))
    }

    @Test func aLostClientBreaksTheContent() async throws {
        let gauges = ServerGauges()
        let served = try await Served(gauges: gauges)
        let gone = "The connection ended before the content did."
        for (number, ends) in ["finish", "reset"].enumerated() {
            let client = try await served.client()
            let count = 3 + number
            try await client.send(Self.put("/take", 100) + String(repeating: "a", count: count))
            #expect(await served.notes.contains("piece"))
            if ends == "finish" { try await client.finish() } else { try await client.reset() }
            #expect(await served.notes.contains("broken at \(count): \(gone)"))
        }
        await served.server.drain(grace: .seconds(20))
        #expect(gauges.bodies == 0)
    }

    @Test func contentThatStopsIsRefusedAfterItsTime() async throws {
        let served = try await Served(ServerLimits(body: .milliseconds(200)))
        let client = try await served.client()
        try await client.send(Self.put("/take", 100) + "a")
        #expect(try await client.reply().status == 408)
        #expect(try await client.rest().isEmpty)
        #expect(await served.notes.contains("broken at 1: The request did not arrive in time."))
        await served.server.drain(grace: .seconds(20))
    }

    @Test func theTimeOfTheHandlerDoesNotCount() async throws {
        let served = try await Served(ServerLimits(body: .milliseconds(50)))
        let client = try await served.client()
        try await client.send(Self.put("/take/held", 2) + "a")
        #expect(await served.notes.contains("held"))
        do { try await Task.sleep(for: .milliseconds(400)) } catch {}
        try await client.send("b")
        served.notes.add("go on")
        #expect(try await client.reply().text == "2 of 2, sum 195")
        await served.server.drain(grace: .seconds(20))
    }

    @Test func drainLetsContentArriveUntilItsGraceIsOver() async throws {
        let served = try await Served()
        let (quick, slow) = (try await served.client(), try await served.client())
        try await quick.send(Self.put("/take", 2) + "a")
        try await slow.send(Self.put("/take", 9) + "abc")
        #expect(await served.notes.contains("piece", times: 2))
        async let isComplete = served.server.drain(grace: .seconds(6))
        try await quick.send("b")
        #expect(try await quick.reply().text == "2 of 2, sum 195")
        #expect(await isComplete == false)
        let gone = "broken at 3: The connection ended before the content did."
        #expect(await served.notes.contains(gone))
    }

    @Test func slowBodiesDoNotDelayOthers() async throws {
        let served = try await Served()
        var slow: [Client] = []
        for _ in 0..<200 {
            let client = try await served.client()
            try await client.send(Self.put("/take", 1 << 30) + "a")
            slow.append(client)
        }
        let healthy = try await served.client()
        for number in 0..<50 {
            #expect(try await healthy.ask(request("/b\(number)")).status == 200)
            try await slow[number].send("b")
        }
        for client in slow { await client.close() }
        await served.server.drain(grace: .seconds(20))
    }
}
