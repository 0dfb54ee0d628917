// Bodies from a source arrive as they are, and the receiver is asked first for long ones.
import Platform
import Support
import Testing

@testable import Transfers

@Suite struct SendingTests {
    private static let mebibyte = 1 << 20
    private static let lengths = [
        0, 1, 1000, 16_383, 16_384, 16_385, 65_536, 131_071, 131_072, 131_073, mebibyte - 1,
        mebibyte, mebibyte + 1, 3 * mebibyte + 7,
    ]

    @Test(arguments: [TransferRequest.Method.put, .post, .patch])
    func everyLengthArrivesAndTheConnectionIsKept(_ method: TransferRequest.Method) async throws {
        let receipts = Receipts()
        try await withReceiver(receipts.serve) { engine, origin in
            for length in Self.lengths {
                let source = PatternSource(length)
                let result = try await engine.send(source, to: origin.url("/a")) {
                    $0.method = method
                    $0.headers = [("X-A", "1")]
                }
                #expect(result.outcome == .completed(lengthVerified: true))
                #expect(result.head?.status == 201 && result.text == "done")
                #expect(result.isBodySent && result.wasSent)
                #expect(result.sentBytes == Int64(length))
                #expect(source.state.rewinds == 0)
            }
            let all = receipts.all
            #expect(all.map(\.body.count) == Self.lengths)
            for receipt in all {
                #expect(receipt.head.first == "\(method.rawValue) /a HTTP/1.1")
                #expect(receipt["content-length"] == "\(receipt.body.count)")
                #expect(receipt["transfer-encoding"] == nil && receipt["content-type"] == nil)
                #expect(receipt["x-a"] == "1")
                #expect(receipt.asksForConsent == (receipt.body.count > Self.mebibyte))
                #expect(receipt.body == Pattern.bytes(0..<receipt.body.count))
            }
            #expect(origin.connectionCount == 1)
            #expect(engine.gauges.sentBytes == Int64(Self.lengths.reduce(0, +)))
        }
    }

    /// Pieces of any size, and pauses at any read.
    @Test(arguments: [1, 999, 20_000, 131_072, 1 << 20], [1, 2, 3])
    func piecesAndPausesDoNotChangeTheBytes(piece: Int, every: Int) async throws {
        let length = piece == 1 ? 3000 : 1_500_000
        let receipts = Receipts()
        try await withReceiver(receipts.serve) { engine, origin in
            let source = PatternSource(length, piece: piece) { _, read in
                // With every read a pause, no byte would ever be read.
                read % (every + 1) == 1 ? .pause : nil
            }
            let result = try await engine.send(source, to: origin.url())
            #expect(result.outcome == .completed(lengthVerified: true))
            #expect(result.isBodySent)
            #expect(source.state.pauses > 0)
            #expect(receipts.all.first?.body == Pattern.bytes(0..<length))
        }
    }

    @Test func abortOfTheSourceEndsTheTransfer() async throws {
        for tenth in 0..<10 {
            let receipts = Receipts()
            try await withReceiver(receipts.serve) { engine, origin in
                let source = PatternSource(500_000, piece: 50_000) { position, _ in
                    position >= tenth * 50_000 ? .abort(reason: "disk") : nil
                }
                let result = try await engine.send(source, to: origin.url())
                #expect(result.outcome == .refused(reason: "disk"))
                #expect(!result.isBodySent && result.sentBytes == Int64(tenth * 50_000))
                #expect(await eventually { receipts.all.count == 1 })
            }
            let receipt = try #require(receipts.all.first)
            #expect(receipt.body == Pattern.bytes(0..<receipt.body.count))
            #expect(receipt.body.count <= tenth * 50_000)
        }
    }

    // MARK: - Consent

    /// Sends a body whose receiver deals with `Expect` in its own way, and returns the bytes of the
    /// body that it has read with that.
    private static func ask(
        wait: Int = 60_000, _ consent: @escaping @Sendable (OriginPeer) -> [UInt8]
    ) async throws {
        let length = mebibyte + 1
        let receipts = Receipts()
        try await withReceiver(consent: wait) { peer in
            guard var receipt = receipts.head(peer) else { return }
            receipt.body = consent(peer)
            receipt.body += peer.body(receipt.length - receipt.body.count)
            receipts.note(receipt)
            peer.send(Receipts.created)
        } _: { engine, origin in
            let result = try await engine.send(PatternSource(length), to: origin.url())
            #expect(result.outcome == .completed(lengthVerified: true))
            #expect(result.isBodySent && result.head?.status == 201)
            #expect(receipts.all.map(\.body) == [Pattern.bytes(0..<length)])
        }
    }

    private static let consent = "HTTP/1.1 100 Continue\r\n\r\n"

    @Test(arguments: [
        consent, consent + consent, "HTTP/1.1 102 Processing\r\nX-A: 1\r\n\r\n" + consent,
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + consent + consent,
    ]) func bodyFollowsTheConsent(_ interim: String) async throws {
        let wasQuiet = Flag()
        try await Self.ask { peer in
            if peer.isQuiet(milliseconds: 100) { wasQuiet.set() }
            peer.send(String(interim.prefix(7)))
            peer.rest(milliseconds: 20)
            peer.send(String(interim.dropFirst(7)))
            return []
        }
        #expect(wasQuiet.isSet, "nothing comes before the consent")
    }

    @Test func bodyFollowsWithoutConsentInTheEnd() async throws {
        try await Self.ask(wait: 50) { _ in [] }
        // The consent may come when nobody waits for it any more.
        try await Self.ask(wait: 50) { peer in
            let beginning = peer.body(10_000)
            peer.send(Self.consent)
            return beginning
        }
    }
}
