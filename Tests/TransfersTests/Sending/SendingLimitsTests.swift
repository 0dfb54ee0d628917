// Rates, silence, least speed, and the end of a transfer by this side, while a body is sent.
import Base
import Downloads
import Platform
import Scheduling
import Support
import Synchronization
import Testing

@testable import Transfers

@Suite struct SendingLimitsTests {
    private static let length = 4 << 20
    private static let consent = "HTTP/1.1 100 Continue\r\n\r\n"

    /// Reads a body slowly, and answers.
    private static func readSlowly(
        _ peer: OriginPeer, _ receipts: Receipts, piece: Int, everyMilliseconds: Int
    ) {
        guard var receipt = receipts.head(peer) else { return }
        if receipt.asksForConsent { peer.send(consent) }
        while receipt.body.count < receipt.length {
            peer.rest(milliseconds: everyMilliseconds)
            let read = peer.body(min(piece, receipt.length - receipt.body.count))
            guard !read.isEmpty else { return }
            receipt.body += read
        }
        receipts.note(receipt)
        peer.send(Receipts.created)
    }

    // MARK: - Rates

    @Test(arguments: [1, 1000, 131_072])
    func limitIsNeverExceeded(piece: Int) async throws {
        let size = piece == 1 ? 40_000 : 600_000
        let limit = piece == 1 ? 30_000 : 400_000
        let receipts = Receipts()
        try await withReceiver(receipts.serve) { engine, origin in
            let began = SystemClock.bootNanoseconds()
            let result = try await engine.send(PatternSource(size, piece: piece), to: origin.url())
            {
                $0.maximumBytesPerSecond = Int64(limit)
                // The pauses are this side's.
                $0.idleTimeout = .seconds(1)
                guard piece > 1 else { return }
                $0.lowSpeed = LowSpeed(bytesPerSecond: 10_000_000, window: .milliseconds(50))
            }
            let seconds = Double(SystemClock.bootNanoseconds() - began) / 1_000_000_000
            #expect(result.outcome == .completed(lengthVerified: true) && result.isBodySent)
            // A slow machine takes longer; no machine may take less time.
            #expect(Double(size) <= seconds * Double(limit) + Double(limit) / 10 + 16_384)
            #expect(receipts.all.first?.body == Pattern.bytes(0..<size))
            #expect(await engine.rateFigures == RateFigures(limited: 0, waiting: 0))
            #expect(engine.gauges.sentBytes == Int64(size))
        }
    }

    @Test(arguments: 0..<10)
    func rateZeroHoldsTheBodyAndAnotherRateLetsItGo(tenth: Int) async throws {
        let receipts = Receipts()
        try await withReceiver(receipts.serve) { engine, origin in
            let source = PatternSource(Self.length, piece: 50_000) { position, _ in
                if position >= Self.length / 10 * tenth,
                    position < Self.length / 10 * tenth + 50_000
                {
                    engine.replaceLimits([.deployment: 0])
                }
                return nil
            }
            async let running = engine.send(source, to: origin.url()) {
                $0.rateScopes = [.deployment]
                $0.idleTimeout = .milliseconds(500)
            }
            #expect(await eventually { await engine.rateFigures.waiting == 1 })
            #expect(engine.gauges.waitingForBandwidth == 1)
            let held = source.state.position
            #expect(held < Self.length)
            try await Task.sleep(for: .milliseconds(700))
            #expect(source.state.position == held)
            engine.replaceLimits([:])
            let result = try await running
            #expect(result.outcome == .completed(lengthVerified: true) && result.isBodySent)
            #expect(receipts.all.first?.body == Pattern.bytes(0..<Self.length))
        }
    }

    @Test func rateOfAReceiverIsMeasured() async throws {
        let receipts = Receipts()
        try await withReceiver { peer in
            Self.readSlowly(peer, receipts, piece: 65_536, everyMilliseconds: 10)
        } _: { engine, origin in
            let result = try await engine.send(PatternSource(Self.length), to: origin.url())
            #expect(result.isBodySent)
            // The answer alone is too short for a measurement.
            #expect(try #require(result.unthrottledRate) > 0)
        }
    }

    // MARK: - Silence

    @Test func slowReaderDoesNotTimeOut() async throws {
        let receipts = Receipts()
        try await withReceiver { peer in
            Self.readSlowly(peer, receipts, piece: 65_536, everyMilliseconds: 300)
        } _: { engine, origin in
            // All of it leaves libcurl at once; what waits in the kernel takes longer than the
            // idle timeout, and no single read does on a live machine.
            let result = try await engine.send(PatternSource(600_000), to: origin.url()) {
                $0.idleTimeout = .seconds(1)
            }
            #expect(result.outcome == .completed(lengthVerified: true), "\(result)")
            #expect(receipts.all.first?.body == Pattern.bytes(0..<600_000))
        }
    }

    @Test func receiverThatReadsNothingTimesOut() async throws {
        for before in [0, 1, 500_000] {
            let gate = OriginGate()
            defer { gate.open() }
            try await withReceiver { peer in
                guard peer.head() != nil else { return }
                peer.send(Self.consent)
                _ = peer.body(before)
                peer.wait(gate)
            } _: { engine, origin in
                let result = try await engine.send(PatternSource(Self.length), to: origin.url()) {
                    $0.idleTimeout = .milliseconds(500)
                }
                #expect(result.failure?.code == .timedOut)
                #expect(result.failure?.description.contains("stopped reading") == true)
                #expect(result.wasSent && !result.isBodySent && result.head == nil)
            }
        }
    }

    @Test func receiverThatDoesNotAnswerTimesOut() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        let receipts = Receipts()
        try await withReceiver { peer in
            _ = receipts.take(peer)
            peer.wait(gate)
        } _: { engine, origin in
            for length in [0, 1, Self.length] {
                let result = try await engine.send(PatternSource(length), to: origin.url()) {
                    $0.idleTimeout = .milliseconds(500)
                }
                #expect(result.failure?.code == .timedOut)
                #expect(result.failure?.description.contains("did not answer") == true)
                #expect(result.sentBytes == Int64(length) && !result.isBodySent)
            }
        }
    }

    @Test func pausedSourceIsNotIdleAndNotSlow() async throws {
        let receipts = Receipts()
        try await withReceiver(receipts.serve) { engine, origin in
            let isPatient = Mutex(true)
            let source = PatternSource(500_000, piece: 100_000) { position, _ in
                position == 300_000 && isPatient.withLock { $0 } ? .pause : nil
            }
            let id = TransferID()
            let asked = try request(origin.url()) {
                $0.method = .put
                $0.source = source.source(nil)
                $0.idleTimeout = .milliseconds(300)
                $0.lowSpeed = LowSpeed(bytesPerSecond: 1000, window: .milliseconds(50))
            }
            async let running = engine.run(asked, id: id, into: .discard)
            #expect(await eventually { source.state.pauses == 1 })
            try await Task.sleep(for: .milliseconds(700))
            isPatient.withLock { $0 = false }
            engine.resume(id)
            let result = await running
            #expect(result.outcome == .completed(lengthVerified: true) && result.isBodySent)
            #expect(source.state.pauses == 1)
        }
    }

    // MARK: - Least speed

    private static func floor(_ request: inout TransferRequest) {
        request.lowSpeed = LowSpeed(bytesPerSecond: 1_000_000, window: .milliseconds(300))
    }

    @Test func receiverThatReadsTooSlowlyStalls() async throws {
        let receipts = Receipts()
        try await withReceiver { peer in
            Self.readSlowly(peer, receipts, piece: 1000, everyMilliseconds: 10)
        } _: { engine, origin in
            let result = try await engine.send(
                PatternSource(Self.length), to: origin.url(), Self.floor)
            #expect(result.failure?.code == .stalled, "\(result)")
            #expect(result.failure?.description.contains("receiver took less") == true)
        }
    }

    @Test func receiverThatIsFastEnoughDoesNotStall() async throws {
        let receipts = Receipts()
        try await withReceiver { peer in
            Self.readSlowly(peer, receipts, piece: 65_536, everyMilliseconds: 20)
        } _: { engine, origin in
            let result = try await engine.send(PatternSource(Self.length), to: origin.url()) {
                $0.lowSpeed = LowSpeed(bytesPerSecond: 10_000, window: .milliseconds(300))
            }
            #expect(result.outcome == .completed(lengthVerified: true), "\(result)")
        }
    }

    /// The least speed is one of bytes, and an answer takes its time.
    @Test func waitForTheAnswerIsNotSlow() async throws {
        let receipts = Receipts()
        try await withReceiver { peer in
            while receipts.take(peer) != nil {
                peer.rest(milliseconds: 700)
                peer.send("HTTP/1.1 102 Processing\r\n\r\n")
                peer.rest(milliseconds: 1000)
                peer.send(Receipts.created)
            }
        } _: { engine, origin in
            for length in [1000, Self.length] {
                let result = try await engine.send(
                    PatternSource(length), to: origin.url(), Self.floor)
                #expect(result.outcome == .completed(lengthVerified: true), "\(result)")
            }
        }
    }

    @Test func answerWhoseHeadDripsStalls() async throws {
        let receipts = Receipts()
        try await withReceiver { peer in
            guard receipts.take(peer) != nil else { return }
            peer.send("HTTP/1.1 200 OK\r\n")
            while peer.send("x: y\r\n") { peer.rest(milliseconds: 5) }
        } _: { engine, origin in
            let result = try await engine.send(PatternSource(1000), to: origin.url(), Self.floor)
            #expect(result.failure?.code == .stalled, "\(result)")
            #expect(result.phase == .firstByte)
        }
    }

    /// The consent is waited for as long as the answer.
    @Test func waitForTheConsentIsNotSlow() async throws {
        let receipts = Receipts()
        try await withReceiver { peer in
            peer.rest(milliseconds: 700)
            _ = receipts.take(peer)
            peer.send(Receipts.created)
        } _: { engine, origin in
            let result = try await engine.send(
                PatternSource(Self.length), to: origin.url(), Self.floor)
            #expect(result.outcome == .completed(lengthVerified: true), "\(result)")
        }
    }

    // MARK: - Ends

    @Test(arguments: 0..<10)
    func cancelEndsTheSending(tenth: Int) async throws {
        let receipts = Receipts()
        try await withReceiver(receipts.serve) { engine, origin in
            let id = TransferID()
            let source = PatternSource(Self.length, piece: 50_000) { position, _ in
                if position >= Self.length / 10 * tenth { engine.cancel(id) }
                return nil
            }
            let result = try await engine.send(source, to: origin.url(), id: id)
            #expect(result.outcome == .cancelled && !result.isBodySent)
            #expect(result.wasSent && result.sentBytes < Int64(Self.length))
            // The receiver is free again.
            #expect(try await engine.send(PatternSource(10), to: origin.url()).isBodySent)
        }
    }

    /// A moment of a request.
    enum Moment: CaseIterable, Sendable { case consent, body, answer }

    /// Cancelled, out of time, or with the engine.
    @Test(arguments: Moment.allCases, 0..<3)
    func endIsPossibleAtAnyMoment(_ moment: Moment, end: Int) async throws {
        let gate = OriginGate()
        defer { gate.open() }
        let isThere = Flag()
        let origin = try OriginServer(peer: { peer in
            guard let head = Receipts().head(peer) else { return }
            if moment != .consent {
                peer.send(Self.consent)
                _ = peer.body(moment == .body ? 100_000 : head.length)
            }
            isThere.set()
            peer.wait(gate)
        })
        defer { origin.close() }
        var configuration = TransferEngine.Configuration(
            destinations: try .parse("loopback"), userAgent: "t")
        configuration.consentMilliseconds = 60_000
        let engine = try TransferEngine.open(configuration)
        let id = TransferID()
        async let running = engine.send(PatternSource(Self.length), to: origin.url(), id: id) {
            if end == 1 { $0.totalTimeout = .milliseconds(300) }
        }
        #expect(await eventually { isThere.isSet })
        if end == 0 { engine.cancel(id) }
        if end == 2 { await engine.close() }
        let result = try await running
        if end == 1 {
            #expect(result.failure?.code == .timedOut)
        } else {
            #expect(result.outcome == .cancelled)
        }
        #expect(!result.isBodySent && result.wasSent)
        if end != 2 { await engine.close() }
        #expect(engine.gauges.running == 0)
    }

    /// What the source keeps is free with the end of its transfer.
    @Test func sourceIsReleased() async throws {
        let receipts = Receipts()
        weak var kept: PatternSource?
        try await withReceiver(receipts.serve) { engine, origin in
            let source = PatternSource(1000)
            kept = source
            _ = try await engine.send(source, to: origin.url())
        }
        #expect(kept == nil)
    }
}
