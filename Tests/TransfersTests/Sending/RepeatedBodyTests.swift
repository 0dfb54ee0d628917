// Bodies that are sent a second time: from their first byte, or not at all.
import Base
import Downloads
import Glibc
import Support
import Testing

@testable import Transfers

@Suite struct RepeatedBodyTests {
    private static let length = 700_000

    // MARK: - Kept connections

    /// A kept connection ends after some of the next body, without an answer.
    @Test(arguments: [0, 1, 100_000, 350_000, 699_999, 700_000], [true, false])
    func deadConnectionIsReplaced(after count: Int, isReset: Bool) async throws {
        let receipts = Receipts()
        try await withReceiver { peer in
            guard receipts.take(peer) != nil, peer.send(Receipts.created) else { return }
            if peer.number == 1 {
                guard peer.head() != nil else { return }
                _ = peer.body(count)
                if isReset { peer.reset() }
                return
            }
            receipts.serve(peer)
        } _: { engine, origin in
            let first = try await engine.send(PatternSource(10), to: origin.url())
            #expect(first.isBodySent)
            let source = PatternSource(Self.length)
            let second = try await engine.send(source, to: origin.url())
            #expect(second.outcome == .completed(lengthVerified: true), "\(second)")
            #expect(second.isBodySent && second.sentBytes == Int64(Self.length))
            #expect(second.newConnections == 1 && origin.connectionCount == 2)
            #expect(receipts.all.last?.body == Pattern.bytes(0..<Self.length))
        }
    }

    /// libcurl finds out by writing, after it has looked for an answer.
    @Test(arguments: [0, 131_072])
    func connectionThatDiesUnderAWriteIsReplaced(at place: Int) async throws {
        let receipts = Receipts()
        let isReading = OriginGate()
        try await withReceiver { peer in
            guard receipts.take(peer) != nil, peer.send(Receipts.created) else { return }
            guard peer.number == 1 else { return receipts.serve(peer) }
            _ = peer.head()
            _ = peer.body(place)
            peer.wait(isReading)
            peer.reset()
        } _: { engine, origin in
            _ = try await engine.send(PatternSource(10), to: origin.url())
            let source = PatternSource(Self.length) { position, _ in
                guard position == place, !isReading.wasOpened else { return nil }
                isReading.open()
                // The engine's thread waits for the end of the connection.
                while origin.openConnectionCount > 0 { usleep(1000) }
                usleep(20_000)
                return nil
            }
            let result = try await engine.send(source, to: origin.url())
            #expect(result.outcome == .completed(lengthVerified: true), "\(result)")
            #expect(result.isBodySent && result.sentBytes == Int64(Self.length))
            #expect(source.state.rewinds == 1 && origin.connectionCount == 2)
            #expect(receipts.all.last?.body == Pattern.bytes(0..<Self.length))
        }
    }

    @Test func sourceThatCannotBeReadAgainFails() async throws {
        let receipts = Receipts()
        try await withReceiver { peer in
            guard receipts.take(peer) != nil, peer.send(Receipts.created) else { return }
            _ = peer.head()
            _ = peer.body(100_000)
        } _: { engine, origin in
            _ = try await engine.send(PatternSource(10), to: origin.url())
            let source = PatternSource(Self.length, canRewind: false)
            let result = try await engine.send(source, to: origin.url())
            #expect(result.failure?.code == .resourceUnavailable, "\(result)")
            #expect(source.state.rewinds > 0 && receipts.all.count == 1)
        }
    }

    /// Such a request gets a connection of its own, so that no doubt is possible.
    @Test func bodyThatMayNotBeRepeatedUsesNoKeptConnection() async throws {
        let receipts = Receipts()
        try await withReceiver { peer in
            guard receipts.take(peer) != nil, peer.send(Receipts.created) else { return }
            _ = receipts.take(peer)
        } _: { engine, origin in
            for number in 1...3 {
                let source = PatternSource(Self.length)
                let result = try await engine.send(source, to: origin.url()) {
                    $0.method = .post
                    $0.isRepeatable = false
                }
                #expect(result.isBodySent && result.newConnections == 1)
                #expect(origin.connectionCount == number && source.state.rewinds == 0)
            }
        }
    }

    // MARK: - 417

    @Test(arguments: [true, false])
    func refusedExpectationIsLeftOut(isRepeatable: Bool) async throws {
        let length = 2 << 20
        let receipts = Receipts()
        try await withReceiver { peer in
            while let head = receipts.head(peer) {
                guard head.asksForConsent else {
                    var receipt = head
                    receipt.body = peer.body(receipt.length)
                    receipts.note(receipt)
                    peer.send(Receipts.created)
                    continue
                }
                peer.send("HTTP/1.1 417 No\r\nContent-Length: 4\r\n\r\nno!\n")
            }
        } _: { engine, origin in
            let source = PatternSource(length)
            let result = try await engine.send(source, to: origin.url()) {
                $0.method = .post
                $0.isRepeatable = isRepeatable
            }
            #expect(result.outcome == .completed(lengthVerified: true))
            #expect(result.head?.status == 201 && result.text == "done" && result.isBodySent)
            #expect(result.sentBytes == Int64(length))
            #expect(receipts.all.map(\.body) == [Pattern.bytes(0..<length)])
        }
    }

    @Test func secondRefusalOfTheExpectationIsFinal() async throws {
        try await withReceiver { peer in
            while peer.head() != nil {
                peer.send("HTTP/1.1 417 No\r\nContent-Length: 4\r\n\r\nno!\n")
            }
        } _: { engine, origin in
            let result = try await engine.send(PatternSource(2 << 20), to: origin.url())
            #expect(result.head?.status == 417)
            #expect(!result.isBodySent)
        }
    }

    /// The receiver says so when a part of the body was sent without its consent.
    @Test(arguments: [true, false])
    func lateRefusalOfTheExpectation(isRepeatable: Bool) async throws {
        let length = 8 << 20
        let receipts = Receipts()
        try await withReceiver(consent: 50) { peer in
            guard var receipt = receipts.head(peer) else { return }
            receipt.body = peer.body(receipt.asksForConsent ? 300_000 : receipt.length)
            receipts.note(receipt)
            let isWhole = receipt.body.count == receipt.length
            peer.send(isWhole ? Receipts.created : "HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n")
            _ = peer.untilEnd()
        } _: { engine, origin in
            let source = PatternSource(length)
            let result = try await engine.send(source, to: origin.url()) {
                $0.isRepeatable = isRepeatable
            }
            guard case .completed = result.outcome else {
                Issue.record("\(result)")
                return
            }
            #expect(result.head?.status == (isRepeatable ? 201 : 417))
            #expect(result.isBodySent == isRepeatable)
            #expect(source.state.rewinds == (isRepeatable ? 1 : 0))
            #expect(receipts.all.count == (isRepeatable ? 2 : 1))
            #expect(receipts.all.allSatisfy { $0.body == Pattern.bytes(0..<$0.body.count) })
        }
    }

    // MARK: - Redirects

    @Test(arguments: [true, false])
    func redirectSendsTheBodyAgainIfItMay(isRepeatable: Bool) async throws {
        let receipts = Receipts()
        try await withReceiver { peer in
            while let receipt = receipts.take(peer) {
                let isFirst = receipt.head.first?.contains("/a ") == true
                peer.send(
                    isFirst
                        ? "HTTP/1.1 307 X\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"
                        : Receipts.created)
            }
        } _: { engine, origin in
            let source = PatternSource(Self.length)
            let result = try await engine.send(source, to: origin.url("/a")) {
                $0.isRepeatable = isRepeatable
            }
            #expect(result.head?.status == (isRepeatable ? 201 : 307))
            #expect(result.isBodySent && result.sentBytes == Int64(Self.length))
            let bodies = receipts.all.map(\.body)
            #expect(bodies.count == (isRepeatable ? 2 : 1))
            #expect(bodies.allSatisfy { $0 == Pattern.bytes(0..<Self.length) })
        }
    }

    @Test func redirectIsTheAnswerWhereNoneIsFollowed() async throws {
        let receipts = Receipts()
        try await withReceiver { peer in
            while receipts.take(peer) != nil {
                peer.send("HTTP/1.1 308 X\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
            }
        } _: { engine, origin in
            let result = try await engine.send(PatternSource(Self.length), to: origin.url()) {
                $0.followsRedirects = 0
            }
            #expect(result.head?.status == 308 && result.isBodySent)
            #expect(receipts.all.count == 1)
        }
    }
}
