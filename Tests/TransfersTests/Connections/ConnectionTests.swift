// Names, connections, silence, and many transfers at once.
import Base
import Downloads
import Support
import Testing

@testable import Transfers

@Suite struct ConnectionTests {
    @Test func refusedConnectionAndUnknownHostHaveTheirCodes() async throws {
        try await withLab { _ in
            OriginStep.answer()
        } _: { engine, _ in
            let dead = try OriginServer { _ in [] }
            dead.close()
            let refused = try request(dead.url())
            #expect(
                await eventually {
                    let result = await engine.run(refused, id: TransferID(), into: .discard)
                    return result.failure?.code == .cannotConnectToHost
                })
            let unknown = try await engine.fetch("http://no-such-host.invalid/")
            let code = try #require(unknown.failure?.code)
            #expect([.cannotFindHost, .dnsLookupFailed].contains(code))
            #expect(unknown.failure?.isRetryable == true)
        }
    }

    @Test func silenceTimesOut() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        try await withLab { request in
            request.target == "/head"
                ? [.wait(gate)]
                : [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .wait(gate)]
        } _: { engine, origin in
            for target in ["/head", "/body"] {
                let result = try await engine.fetch(origin.url(target)) {
                    $0.idleTimeout = .seconds(1)
                }
                #expect(result.failure?.code == .timedOut)
                #expect(result.bodyBytes == (target == "/body" ? 3 : 0))
            }
            let total = try await engine.fetch(origin.url("/head")) {
                $0.totalTimeout = .milliseconds(100)
            }
            #expect(total.failure?.code == .timedOut)
        }
    }

    @Test func slowBytesDoNotTimeOut() async throws {
        try await withLab { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n"),
                .drip(String(repeating: "a", count: 40), everyMilliseconds: 30),
            ]
        } _: { engine, origin in
            // Forty pauses take longer than the idle timeout; no single one does on a live machine.
            let result = try await engine.fetch(origin.url()) {
                $0.idleTimeout = .seconds(1)
            }
            #expect(result.outcome == .completed(lengthVerified: true))
        }
    }

    @Test func connectionsAreReused() async throws {
        try await withLab { _ in
            OriginStep.answer(body: "x")
        } _: { engine, origin in
            for turn in 0..<5 {
                let result = try await engine.fetch(origin.url("/\(turn)"))
                #expect(result.newConnections == (turn == 0 ? 1 : 0))
            }
            #expect(origin.connectionCount == 1)
        }
    }

    @Test func namesArePinnedToCheckedAddresses() async throws {
        try await withLab { _ in
            OriginStep.answer(body: "x")
        } _: { engine, origin in
            let result = try await engine.fetch("http://localhost:\(origin.port)/")
            #expect(result.text == "x")
            #expect(origin.requests.first?["host"] == "localhost:\(origin.port)")
        }
        // This engine may not connect to ::1, nor by any name that leads to it.
        try await withLab(destinations: "127.0.0.1/32") { _ in
            OriginStep.answer(body: "x")
        } _: { engine, origin in
            let result = try await engine.fetch("http://x.localhost:\(origin.port)/")
            #expect(result.failure?.code == .destinationNotAllowed)
            #expect(result.failure?.detail == "mixed_answer")
            #expect(origin.connectionCount == 0)
            #expect(try await engine.fetch(origin.url()).text == "x")
        }
    }

    @Test func ownEndpointIsDenied() async throws {
        let origin = try OriginServer { _ in OriginStep.answer(body: "mine") }
        defer { origin.close() }
        let own = Destinations.Endpoint(address: IPAddress(v4: 0x7f00_0001), port: origin.port)
        let list = try Destinations.parse("public,loopback").refusing([own])
        let engine = try TransferEngine.open(.init(destinations: list, userAgent: "t"))
        let result = try await engine.fetch(origin.url())
        await engine.close()
        #expect(result.failure?.detail == "own_endpoint")
        #expect(origin.connectionCount == 0)
    }

    @Test(arguments: [
        ("Host", "internal"), ("Connection", "close"), ("TE", "trailers"), ("Range", "bytes=0-1"),
        ("content-length", "5"), ("Transfer-Encoding", "chunked"), ("Proxy-Authorization", "x"),
        ("X-A", "a\r\nX-B: b"), ("X A", "a"), ("", "a"), ("X-A", "a\u{0}"), ("X-A:", "a"),
    ]) func framingHeadersAreRefused(name: String, value: String) async throws {
        try await withLab { _ in
            OriginStep.answer()
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url()) { $0.headers = [(name, value)] }
            #expect(result.failure?.code == .badRequestHeader)
            #expect(origin.requests.isEmpty)
        }
    }

    @Test func manyTransfersAtOnce() async throws {
        try await withLab { request in
            OriginStep.answer(body: request.target)
        } _: { engine, origin in
            let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let result = try await engine.fetch(origin.url("/\(number)"))
                        return result.text != "/\(number)"
                            || result.outcome != .completed(lengthVerified: true)
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(wrong == 0)
            #expect(origin.requests.count == 200)
            #expect(Set(origin.requests.map(\.target)).count == 200)
        }
    }

    @Test func transfersBeyondTheLimitAreQueued() async throws {
        let gate = OriginGate()
        try await withLab { _ in
            [.wait(gate)] + OriginStep.answer(body: "ok")
        } _: { engine, origin in
            let extra = 40
            let count = TransferLimits.runningMax + extra
            try await withThrowingTaskGroup(of: TransferResult.self) { group in
                for number in 0..<count {
                    group.addTask { try await engine.fetch(origin.url("/\(number)")) }
                }
                #expect(
                    await eventually { origin.requests.count == TransferLimits.runningMax })
                gate.open()
                let good = try await group.reduce(0) { $0 + ($1.text == "ok" ? 1 : 0) }
                #expect(good == count)
            }
        }
    }

    @Test func closeEndsAllTransfers() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        let origin = try OriginServer { _ in [.wait(gate)] }
        defer { origin.close() }
        let engine = try TransferEngine.open(
            .init(destinations: try Destinations.parse("loopback"), userAgent: "t"))
        let url = origin.url()
        async let running = engine.fetch(url)
        #expect(await eventually { origin.requests.count == 1 })
        await engine.close()
        #expect(try await running.outcome == .cancelled)
        let late = try await engine.fetch(url)
        #expect(late.failure?.code == .resourceUnavailable)
        engine.cancel(TransferID())
        gate.open()
        #expect(await eventually { origin.openConnectionCount == 0 })
    }
}
