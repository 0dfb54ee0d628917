// Limits on real transfers: they hold, they are shared, they change while bytes flow.
import Platform
import Scheduling
import Support
import Testing
import Transfers

@Suite struct RatesTests {
    private static func script(_ size: Int) -> OriginServer.Script {
        { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"), .fill(7, count: size)]
        }
    }

    /// Runs a transfer whose bytes are only counted.
    private static func start(
        _ engine: TransferEngine, _ url: String, _ sink: RecordingSink, id: TransferID,
        _ change: (inout TransferRequest) -> Void
    ) throws -> Task<TransferResult, Never> {
        let request = try request(url, change)
        return Task { await engine.run(request, id: id, into: .sink(sink.sink)) }
    }

    private static func nanoseconds() -> Int64 { SystemClock.bootNanoseconds() }

    @Test func limitIsNeverExceeded() async throws {
        let size = 600_000
        try await withLab(Self.script(size)) { engine, origin in
            let began = Self.nanoseconds()
            let result = try await engine.fetch(origin.url(), limit: 0) {
                $0.maximumBytesPerSecond = 400_000
            }
            let seconds = Double(Self.nanoseconds() - began) / 1_000_000_000
            #expect(result.outcome == .completed(lengthVerified: true))
            #expect(result.bodyBytes == Int64(size))
            // A slow machine takes longer; no machine may take less time.
            #expect(Double(size) <= seconds * 400_000 + 40_000 + 4 * 16_384)
            #expect(await engine.rateFigures == RateFigures(limited: 0, waiting: 0))
            #expect(engine.gauges.receivedBytes == Int64(size))
            #expect(engine.gauges.running == 0 && engine.gauges.waitingForBandwidth == 0)
        }
    }

    @Test func rateZeroPausesAndAnotherRateContinues() async throws {
        let size = 2_000_000
        try await withLab(Self.script(size)) { engine, origin in
            engine.replaceLimits([.deployment: 0])
            let sink = RecordingSink()
            // The silence of a held transfer is caused by Lull, not by the origin.
            let task = try Self.start(engine, origin.url(), sink, id: TransferID()) {
                $0.rateScopes = [.session(1), .deployment]
                $0.idleTimeout = .milliseconds(1500)
            }
            let isHeld = await eventually {
                await engine.rateFigures == RateFigures(limited: 1, waiting: 1)
            }
            #expect(isHeld)
            #expect(engine.gauges.limitOfAll == 0)
            #expect(engine.gauges.running == 1 && engine.gauges.waitingForBandwidth == 1)
            let other = try await engine.fetch(origin.url(), limit: 0)
            #expect(other.bodyBytes == Int64(size), "who does not belong to it is not held")
            // The pause is longer than the allowed silence of an origin, which is also the limit
            // for connecting.
            try await Task.sleep(for: .milliseconds(1700))
            #expect(sink.state.bytes.isEmpty)
            engine.replaceLimits([.deployment: 50_000_000])
            let result = await task.value
            #expect(result.outcome == .completed(lengthVerified: true))
            #expect(sink.state.bytes.count == size)
            #expect(engine.gauges.waitingForBandwidth == 0)
            #expect(engine.gauges.receivedBytes == 2 * Int64(size))
        }
    }

    @Test func limitAppliesToARunningTransferAndIsRemoved() async throws {
        let size = 40_000_000
        try await withLab(Self.script(size)) { engine, origin in
            let sink = RecordingSink(onBytes: { _, _ in .taken })
            let id = TransferID()
            engine.limit(id, to: 1)
            let task = try Self.start(engine, origin.url(), sink, id: id) {
                $0.rateScopes = [.deployment]
                $0.maximumBytesPerSecond = 200_000
            }
            #expect(await eventually { sink.state.offers > 0 })
            engine.limit(id, to: 100_000)
            engine.replaceLimits([.deployment: 0])
            #expect(await eventually { await engine.rateFigures.waiting == 1 })
            let held = sink.state.bytes.count
            #expect(held < size)
            engine.limit(id, to: nil)
            engine.replaceLimits([:])
            let result = await task.value
            #expect(result.outcome == .completed(lengthVerified: true))
            #expect(sink.state.bytes.count == size)
            #expect(await engine.rateFigures.limited == 0)
        }
    }

    @Test func manyShareOneLimit() async throws {
        let size = 150_000
        try await withLab(Self.script(size)) { engine, origin in
            engine.replaceLimits([.origin(1): 3_000_000])
            let began = Self.nanoseconds()
            let results = await withTaskGroup(of: TransferResult?.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        do {
                            return try await engine.fetch(origin.url("/\(number)"), limit: 0) {
                                $0.rateScopes = [.origin(1), .deployment]
                                $0.rank = number % 3
                            }
                        } catch { return nil }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let seconds = Double(Self.nanoseconds() - began) / 1_000_000_000
            #expect(results.count == 20)
            #expect(results.allSatisfy { $0?.bodyBytes == Int64(size) })
            #expect(Double(20 * size) <= seconds * 3_000_000 + 300_000 + 2 * 16_384)
        }
    }

    @Test func pausedTransferCanBeCancelled() async throws {
        try await withLab(Self.script(1_000_000)) { engine, origin in
            engine.replaceLimits([.deployment: 0])
            let id = TransferID()
            let task = try Self.start(engine, origin.url(), RecordingSink(), id: id) {
                $0.rateScopes = [.deployment]
            }
            #expect(await eventually { await engine.rateFigures.waiting == 1 })
            engine.cancel(id)
            #expect(await task.value.outcome == .cancelled)
            #expect(engine.gauges.waitingForBandwidth == 0)
            #expect(await engine.rateFigures == RateFigures(limited: 0, waiting: 0))
        }
    }

    /// The sink pauses while the limit allows bytes, and the other way round.
    @Test func sinkAndLimitBothPauseIndependently() async throws {
        let size = 400_000
        try await withLab(Self.script(size)) { engine, origin in
            let sink = RecordingSink(onBytes: { _, offer in offer % 3 == 2 ? .pause : .taken })
            let id = TransferID()
            let task = try Self.start(engine, origin.url(), sink, id: id) {
                $0.maximumBytesPerSecond = 2_000_000
            }
            let ending = Task {
                let result = await task.value
                return result.outcome
            }
            let isDone = await eventually {
                engine.resume(id)
                return sink.state.bytes.count == size
            }
            #expect(isDone)
            #expect(await ending.value == .completed(lengthVerified: true))
        }
    }
}
