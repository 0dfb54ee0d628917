// Bodies from a source over TLS, and with the answer to a challenge.
import Base
import Downloads
import Support
import Testing

@testable import Transfers

@Suite struct SecureSendingTests {
    private static func trust(_ origin: TLSOrigin, _ request: inout TransferRequest) {
        request.tls = TransferTLS(caPEM: origin.authority, certificatePEM: nil, keyPEM: nil)
    }

    @Test(arguments: ["TLSv1_2", "TLSv1_3"])
    func bodyArrivesOverTLS(_ version: String) async throws {
        let receipts = Receipts()
        let lengths = [0, 1, 16_384, 131_073, (1 << 20) + 1]
        try await withReceiver(receipts.serve) { engine, plain in
            try await TLSOrigin.with(inFrontOf: plain, version) { origin in
                for length in lengths {
                    let source = PatternSource(length, piece: 70_000) { _, read in
                        read % 3 == 0 ? .pause : nil
                    }
                    let result = try await engine.send(source, to: origin.url) {
                        Self.trust(origin, &$0)
                    }
                    #expect(result.outcome == .completed(lengthVerified: true), "\(result)")
                    #expect(result.isBodySent && result.head?.status == 201)
                }
            }
        }
        #expect(receipts.all.map(\.body.count) == lengths)
        #expect(receipts.all.allSatisfy { $0.body == Pattern.bytes(0..<$0.body.count) })
    }

    /// The receiver answers, and resets the connection at once.
    @Test(arguments: ["TLSv1_2", "TLSv1_3"])
    func earlyAnswerCountsOverTLS(_ version: String) async throws {
        for count in [0, 1, 300_000, 1_000_000, 2_000_000] {
            try await TLSOrigin.with(answerAfter: count, version) { origin in
                let engine = try TransferEngine.open(
                    .init(destinations: try .parse("loopback"), userAgent: "t"))
                for _ in 0..<10 {
                    let result = try await engine.send(PatternSource(20 << 20), to: origin.url) {
                        Self.trust(origin, &$0)
                    }
                    guard case .completed = result.outcome else {
                        Issue.record("\(count) \(result) \(result.failure?.detail ?? "")")
                        continue
                    }
                    #expect(result.head?.status == 413 && result.text == "words")
                    #expect(!result.isBodySent)
                }
                await engine.close()
            }
        }
    }

    // MARK: - Digest

    /// A challenge comes before the body of a long request, and after that of a short one.
    @Test(arguments: [0, 1000, 1 << 20, (1 << 20) + 1], [true, false])
    func challengeIsAnsweredWithTheWholeBody(length: Int, isRepeatable: Bool) async throws {
        let receipts = Receipts()
        try await withReceiver { peer in
            while var receipt = receipts.head(peer) {
                let isProven = receipt["authorization"]?.hasPrefix("Digest ") == true
                // Whoever was asked for consent does not send a body behind a refusal.
                guard !receipt.asksForConsent || isProven else {
                    peer.send(Self.challenge)
                    return
                }
                if receipt.asksForConsent { peer.send("HTTP/1.1 100 Continue\r\n\r\n") }
                receipt.body = peer.body(receipt.length)
                receipts.note(receipt)
                peer.send(isProven ? Receipts.created : Self.challenge)
            }
        } _: { engine, origin in
            var secrets = RequestSecrets()
            secrets.authorization = .digest(DigestCredentials(username: "u", password: "p"))
            let outgoing = OutgoingSecrets(
                BoundSecrets(secrets, for: origin.url()),
                BoundSessionSecrets(SessionSecrets(), for: SecretReach(nil)))
            let source = PatternSource(length)
            let result = try await engine.send(source, to: origin.url()) {
                $0.secrets = outgoing
                $0.memory = AttemptMemory(hash: { _, _ in "0" }, signer: { _, _ in [] })
                $0.isRepeatable = isRepeatable
            }
            // A body that may not be repeated is sent once, and the refusal is the answer.
            let isFinal = !isRepeatable && (1...(1 << 20)).contains(length)
            #expect(result.head?.status == (isFinal ? 401 : 201), "\(result)")
            #expect(result.isBodySent && result.sentBytes == Int64(length))
            #expect(receipts.all.allSatisfy { $0.body == Pattern.bytes(0..<length) })
            #expect(source.state.rewinds <= (isRepeatable ? 1 : 0))
        }
    }

    private static let challenge =
        "HTTP/1.1 401 X\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"n\", qop=\"auth\"\r\n"
        + "Content-Length: 2\r\n\r\nno"
}
