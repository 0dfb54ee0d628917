// Receivers that answer before they have the whole body: their answer counts, and nothing follows
// on the connection.
import Downloads
import Glibc
import Platform
import Scheduling
import Support
import Testing

@testable import Transfers

@Suite struct EarlyAnswerTests {
    /// The end of an early answer's connection.
    enum Ending: CaseIterable, Sendable {
        /// It stays open, and the rest of the body is not read.
        case open
        /// It is read to its end.
        case drained
        /// It is closed at once; unread bytes make that a reset.
        case closed
        /// It is reset at once.
        case reset
    }

    /// The framing of an early answer's body.
    enum Framing: CaseIterable, Sendable {
        case length, lengthAndClose, chunks, end, empty

        func answer(_ status: Int) -> String {
            let line = "HTTP/1.1 \(status) X\r\n"
            return switch self {
            case .length: line + "Content-Length: 5\r\n\r\nwords"
            case .lengthAndClose: line + "Content-Length: 5\r\nConnection: close\r\n\r\nwords"
            case .chunks: line + "Transfer-Encoding: chunked\r\n\r\n5\r\nwords\r\n0\r\n\r\n"
            case .end: line + "\r\nwords"
            case .empty: line + "Content-Length: 0\r\n\r\n"
            }
        }
    }

    private static let length = 9 << 19
    /// After the last tenth of these there are more bytes than any buffer on the way has room for.
    private static let read = 3 << 20
    private static let statuses = [200, 413, 302, 201, 401, 503]

    /// The answer comes after each tenth of the body.
    @Test(arguments: Ending.allCases, Framing.allCases)
    func earlyAnswerCounts(_ ending: Ending, _ framing: Framing) async throws {
        // Without a length the end of the connection is the end of the answer.
        if framing == .end, ending == .open { return }
        for tenth in 0..<10 {
            let status = Self.statuses[tenth % Self.statuses.count]
            try await Self.send(ending, framing, status: status, after: tenth)
        }
    }

    private static func send(
        _ ending: Ending, _ framing: Framing, status: Int, after tenth: Int
    ) async throws {
        let receipts = Receipts()
        let gate = OriginGate()
        try await withReceiver { peer in
            guard var receipt = receipts.head(peer) else { return }
            if peer.number > 1 {
                _ = peer.body(receipt.length)
                peer.send(Receipts.created)
                return
            }
            peer.send("HTTP/1.1 100 Continue\r\n\r\n")
            receipt.body = peer.body(read / 10 * tenth)
            receipts.note(receipt)
            peer.send(framing.answer(status))
            switch ending {
            case .open: peer.wait(gate)
            case .drained: if framing == .end { peer.end() } else { _ = peer.untilEnd() }
            case .closed: break
            case .reset: peer.reset()
            }
        } _: { engine, origin in
            let source = PatternSource(length)
            let result = try await engine.send(source, to: origin.url())
            gate.open()
            let place: Comment = "\(ending) \(framing) \(status) after \(tenth): \(result)"
            #expect(result.head?.status == status, place)
            guard case .completed = result.outcome else {
                Issue.record(place)
                return
            }
            #expect(framing == .empty ? result.text.isEmpty : result.text == "words", place)
            #expect(!result.isBodySent && result.wasSent, place)
            #expect(result.sentBytes < Int64(length), place)
            let body = try #require(receipts.all.first?.body)
            #expect(body == Pattern.bytes(0..<body.count))
            // What is left of the body must not become the next request.
            let next = try await engine.send(PatternSource(1000), to: origin.url())
            #expect(next.isBodySent && next.newConnections == 1, place)
        }
    }

    /// libcurl finds out by writing: it looked for an answer before it came.
    @Test(arguments: Framing.allCases, [true, false])
    func answerBehindAFailedWriteCounts(_ framing: Framing, isReset: Bool) async throws {
        for status in [200, 413] {
            let isWriting = OriginGate()
            try await withReceiver { peer in
                guard peer.head() != nil else { return }
                peer.send("HTTP/1.1 100 Continue\r\n\r\n")
                _ = peer.body(50_000)
                peer.wait(isWriting)
                peer.send("HTTP/1.1 102 Processing\r\n\r\n" + framing.answer(status))
                if isReset { peer.reset() }
            } _: { engine, origin in
                let source = PatternSource(Self.length, piece: 50_000) { position, _ in
                    guard position == 100_000 else { return nil }
                    // The engine's thread waits for the end of the connection.
                    isWriting.open()
                    while origin.openConnectionCount > 0 { usleep(1000) }
                    usleep(20_000)
                    return nil
                }
                let result = try await engine.send(source, to: origin.url())
                guard case .completed = result.outcome else {
                    Issue.record("\(status) \(result)")
                    return
                }
                #expect(result.head?.status == status)
                #expect(result.text == (framing == .empty ? "" : "words"))
                #expect(!result.isBodySent && result.sentBytes == 150_000)
            }
        }
    }

    /// A final status in place of the consent.
    @Test(arguments: Framing.allCases)
    func finalStatusInPlaceOfTheConsentIsTheAnswer(_ framing: Framing) async throws {
        for status in [200, 204, 302, 401, 403, 413, 429, 500, 503] {
            let after = Flag()
            let receipts = Receipts()
            try await withReceiver { peer in
                guard let receipt = receipts.head(peer) else { return }
                guard peer.number == 1 else {
                    _ = peer.body(receipt.length)
                    peer.send(Receipts.created)
                    return
                }
                let framing = status == 204 ? Framing.empty : framing
                peer.send(framing.answer(status))
                if framing == .end { return peer.end() }
                if peer.untilEnd() > 0 { after.set() }
            } _: { engine, origin in
                let source = PatternSource(Self.length)
                let result = try await engine.send(source, to: origin.url())
                guard case .completed = result.outcome else {
                    Issue.record("\(status) \(result)")
                    return
                }
                #expect(result.head?.status == status)
                #expect(result.text == (framing == .empty || status == 204 ? "" : "words"))
                #expect(!result.isBodySent && result.sentBytes == 0)
                #expect(source.state.reads == 0)
                let next = try await engine.send(PatternSource(1000), to: origin.url())
                #expect(next.isBodySent && next.newConnections == 1)
            }
            #expect(!after.isSet, "no byte of the body was sent")
        }
    }

    /// The time for the consent passes in the middle of the answer.
    @Test(arguments: [200, 413]) func longAnswerInPlaceOfTheConsentIsNoConsent(
        _ status: Int
    ) async throws {
        let wasQuiet = Flag()
        try await withReceiver(consent: 50) { peer in
            guard peer.head() != nil else { return }
            peer.send("HTTP/1.1 \(status) X\r\nContent-Length: 5\r\n\r\nwo")
            if peer.isQuiet(milliseconds: 300) { wasQuiet.set() }
            peer.send("rds")
            _ = peer.untilEnd()
        } _: { engine, origin in
            let result = try await engine.send(PatternSource(Self.length), to: origin.url())
            #expect(result.outcome == .completed(lengthVerified: true), "\(result)")
            #expect(result.text == "words" && result.sentBytes == 0 && !result.isBodySent)
        }
        #expect(wasQuiet.isSet)
    }

    /// The answer's head comes first, and its end behind the last byte of the body.
    @Test func successThatBeginsEarlyMayEndAfterTheBody() async throws {
        try await withReceiver { peer in
            guard let head = Receipts().head(peer) else { return }
            peer.send("HTTP/1.1 100 Continue\r\n\r\n")
            var body = peer.body(1)
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwo")
            body += peer.body(head.length - 1)
            peer.send(body == Pattern.bytes(0..<body.count) ? "rds" : "bad")
        } _: { engine, origin in
            let result = try await engine.send(PatternSource(3_000_000), to: origin.url())
            #expect(result.outcome == .completed(lengthVerified: true))
            #expect(result.text == "words" && result.isBodySent)
        }
    }

    /// While the source has no bytes, or the rate allows none.
    @Test(arguments: [true, false], Framing.allCases)
    func earlyAnswerEndsAPausedBody(byRate: Bool, _ framing: Framing) async throws {
        for status in [200, 413] {
            try await withReceiver { peer in
                guard peer.head() != nil else { return }
                _ = peer.body(100_000)
                peer.send(framing.answer(status))
                if framing == .end { peer.end() } else { _ = peer.untilEnd() }
            } _: { engine, origin in
                let source = PatternSource(500_000, piece: 100_000) { position, _ in
                    position == 100_000 ? .pause : nil
                }
                let id = TransferID()
                let asked = try request(origin.url()) {
                    $0.method = .put
                    // Nobody ends the pause.
                    $0.source = source.source(nil)
                    if byRate {
                        $0.source = PatternSource(500_000, piece: 100_000).source(nil)
                        $0.rateScopes = [.deployment]
                    }
                }
                if byRate { engine.replaceLimits([.deployment: 300_000]) }
                let result = await engine.run(asked, id: id, into: .buffer(limit: 100))
                #expect(result.head?.status == status)
                guard case .completed = result.outcome else {
                    Issue.record("\(framing) \(status) \(result)")
                    return
                }
                #expect(result.text == (framing == .empty ? "" : "words"))
                #expect(!result.isBodySent)
            }
        }
    }

    /// libcurl has written everything, and the rest of it waits in this machine.
    @Test(arguments: [200, 413], [true, false])
    func answerToBytesThatAreStillHereIsEarly(_ status: Int, closes: Bool) async throws {
        let length = 250_000
        let (isTaken, gate) = (OriginGate(), OriginGate())
        try await withReceiver { peer in
            guard let head = Receipts().head(peer) else { return }
            guard peer.number == 1 else {
                _ = peer.body(head.length)
                peer.send(Receipts.created)
                return
            }
            peer.wait(isTaken)
            peer.send(Framing.length.answer(status))
            if !closes { peer.wait(gate) }
        } _: { engine, origin in
            let source = PatternSource(length)
            async let running = engine.send(source, to: origin.url())
            #expect(await eventually { engine.gauges.sentBytes == length })
            isTaken.open()
            let result = try await running
            gate.open()
            #expect(result.outcome == .completed(lengthVerified: true))
            #expect(result.head?.status == status && result.sentBytes == Int64(length))
            #expect(!result.isBodySent)
            let next = try await engine.send(PatternSource(1000), to: origin.url())
            #expect(next.isBodySent && next.newConnections == 1)
        }
    }

    @Test(arguments: Framing.allCases)
    func answerOfAnyFramingFollowsTheBody(_ framing: Framing) async throws {
        let receipts = Receipts()
        try await withReceiver { peer in
            while let receipt = receipts.take(peer) {
                peer.send(framing.answer(receipt.body == Pattern.bytes(0..<700_000) ? 201 : 500))
                if framing == .end || framing == .lengthAndClose { return }
            }
        } _: { engine, origin in
            for _ in 0..<2 {
                let result = try await engine.send(PatternSource(700_000), to: origin.url())
                #expect(result.outcome == .completed(lengthVerified: framing != .end))
                #expect(result.head?.status == 201 && result.isBodySent)
                #expect(result.text == (framing == .empty ? "" : "words"))
            }
            let closes = framing == .end || framing == .lengthAndClose
            #expect(origin.connectionCount == (closes ? 2 : 1))
        }
    }

    // MARK: - No answer

    /// A connection that ends without an answer after each tenth of the body.
    @Test(arguments: [true, false], [1 << 20, 8 << 20])
    func lostConnectionIsAFailure(isReset: Bool, length: Int) async throws {
        for tenth in 0..<10 {
            try await withReceiver { peer in
                guard peer.head() != nil else { return }
                if length > 1 << 20 { peer.send("HTTP/1.1 100 Continue\r\n\r\n") }
                _ = peer.body(length / 10 * tenth)
                if isReset { peer.reset() }
            } _: { engine, origin in
                let result = try await engine.send(PatternSource(length), to: origin.url())
                #expect(result.failure?.code == .networkConnectionLost, "\(tenth) \(result)")
                #expect(result.failure?.isRetryable == true)
                #expect(result.wasSent && !result.isBodySent && result.head == nil)
                #expect(origin.connectionCount == 1)
            }
        }
    }

    @Test func lostAnswerIsAFailureAfterTheWholeBody() async throws {
        try await withReceiver { peer in
            guard let head = Receipts().head(peer) else { return }
            _ = peer.body(head.length)
        } _: { engine, origin in
            let result = try await engine.send(PatternSource(500_000), to: origin.url())
            #expect(result.failure?.code == .networkConnectionLost)
            #expect(result.wasSent && !result.isBodySent && result.sentBytes == 500_000)
        }
    }

    /// The status was read, so the receiver has decided.
    @Test func headCountsAlthoughItsBodyIsCut() async throws {
        try await withReceiver { peer in
            guard let head = Receipts().head(peer) else { return }
            _ = peer.body(head.length)
            peer.send("HTTP/1.1 201 Created\r\nContent-Length: 50\r\n\r\nhalf")
        } _: { engine, origin in
            let result = try await engine.send(PatternSource(500_000), to: origin.url())
            #expect(result.outcome == .completed(lengthVerified: false))
            #expect(result.head?.status == 201 && result.text == "half" && result.isBodySent)
        }
    }
}
