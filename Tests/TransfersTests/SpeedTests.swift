// Origins that drip are found in the head, in the body and in a redirect; Lull's own limits do not
// count against them.
import Downloads
import Support
import Testing
import Transfers

@Suite struct SpeedTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
    private static let drops = String(repeating: "a", count: 3000)

    private static func floor(_ request: inout TransferRequest) {
        request.lowSpeed = LowSpeed(bytesPerSecond: 10_000, window: .milliseconds(300))
    }

    @Test func drippingBodyStalls() async throws {
        try await withLab { _ in
            [.send(Self.head), .drip(Self.drops, everyMilliseconds: 10)]
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url(), Self.floor)
            #expect(result.failure?.code == .stalled)
            #expect(result.failure?.isRetryable == true)
            #expect(result.phase == .body)
            #expect(result.bodyBytes > 0, "what came is the caller's")
            #expect(result.failure?.description.contains("10000 bytes a second") == true)
        }
    }

    /// Lines that come one by one would never reach a limit of silence.
    @Test func endlessHeadTimesOut() async throws {
        let line = "x: y\r\n"
        let steps = (0..<1000).map { _ in OriginStep.drip(line, everyMilliseconds: 5) }
        try await withLab { _ in
            [.send("HTTP/1.1 200 OK\r\n")] + steps
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url(), Self.floor)
            #expect(result.failure?.code == .stalled)
            #expect(result.phase == .firstByte)
        }
    }

    /// Chunks of one byte; only their extensions would be fast enough.
    @Test func framingIsNoSpeed() async throws {
        let chunk = "1;" + String(repeating: "a", count: 1000) + "\r\nx\r\n"
        let steps = (0..<400).flatMap { _ in
            [OriginStep.send(chunk), .rest(milliseconds: 10)]
        }
        try await withLab { _ in
            [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")] + steps
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url(), Self.floor)
            #expect(result.failure?.code == .stalled)
        }
    }

    @Test func drippingRedirectStalls() async throws {
        try await withLab { _ in
            [
                .send("HTTP/1.1 302 F\r\nLocation: /b\r\nContent-Length: 3000\r\n\r\n"),
                .drip(Self.drops, everyMilliseconds: 10),
            ]
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url(), Self.floor)
            #expect(result.failure?.code == .stalled)
            #expect(origin.requests.count == 1)
        }
    }

    @Test func ownRateLimitDoesNotStall() async throws {
        let size = 60_000
        try await withLab { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"), .fill(7, count: size)]
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url(), limit: 0) {
                Self.floor(&$0)
                $0.lowSpeed = LowSpeed(bytesPerSecond: 1_000_000, window: .milliseconds(100))
                $0.maximumBytesPerSecond = 30_000
            }
            #expect(result.outcome == .completed(lengthVerified: true))
            #expect(result.bodyBytes == Int64(size))
        }
    }

    /// There is a limit, but the origin is slower than the limit and the minimum.
    @Test func originSlowerThanLimitAndMinimumStalls() async throws {
        try await withLab { _ in
            [.send(Self.head), .drip(Self.drops, everyMilliseconds: 10)]
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url()) {
                Self.floor(&$0)
                $0.maximumBytesPerSecond = 1_000_000
            }
            #expect(result.failure?.code == .stalled)
        }
    }

    @Test func pausedSinkDoesNotStall() async throws {
        let size = 40_000
        try await withLab { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"), .fill(7, count: size)]
        } _: { engine, origin in
            let sink = RecordingSink(onBytes: { _, offer in offer == 1 ? .pause : .taken })
            let id = TransferID()
            let asked = try request(origin.url()) {
                $0.lowSpeed = LowSpeed(bytesPerSecond: 1000, window: .milliseconds(50))
            }
            let task = Task { await engine.run(asked, id: id, into: .sink(sink.sink)) }
            #expect(await eventually { sink.state.offers == 1 })
            // The pause is several windows long.
            try await Task.sleep(for: .milliseconds(500))
            engine.resume(id)
            #expect(await task.value.outcome == .completed(lengthVerified: true))
        }
    }

    @Test func slowFirstByteDoesNotStall() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        try await withLab { _ in
            [.wait(gate)] + OriginStep.answer(body: "x")
        } _: { engine, origin in
            let asked = try request(origin.url()) {
                $0.lowSpeed = LowSpeed(bytesPerSecond: 1000, window: .milliseconds(50))
            }
            let task = Task { await engine.run(asked, id: TransferID(), into: .discard) }
            #expect(await eventually { origin.requests.count == 1 })
            try await Task.sleep(for: .milliseconds(500))
            gate.open()
            #expect(await task.value.outcome == .completed(lengthVerified: true))
        }
    }
}
