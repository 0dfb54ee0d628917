// The end of TLS: only close_notify tells the end of a body from a cut (RFC 9112 section 9.8).
import Downloads
import Support
import Testing

@testable import Transfers

@Suite struct TLSEndTests {
    /// A reply, and whether the reply itself says where its body ends.
    private static let replies: [String: (text: String, isDelimited: Bool)] = [
        "length": (head + "Content-Length: 5\r\n\r\nhello", true),
        "chunks": (head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", true),
        "none": ("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", true),
        "open": (head + "\r\nhello", false),
        "old": ("HTTP/1.0 200 OK\r\n\r\nhello", false),
    ]
    /// The server of openssl serves one connection at a time.
    private static let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n"

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func unframedBodyOverTLSNeedsCloseNotify(_ version: String) async throws {
        let answers = Self.replies.mapValues(\.text)
        try await TLSOrigin.with(["-HTTP", version], answers: answers) { origin in
            let relay = try OriginServer(
                relay: OriginTunnel(to: origin.port, endsBeforeAlerts: true))
            defer { relay.close() }
            try await withLab({ _ in [] }) { engine, _ in
                for (name, reply) in Self.replies {
                    let clean = try await fetch(name, at: origin.port, of: origin, engine)
                    #expect(clean.outcome == .completed(lengthVerified: reply.isDelimited))
                    let cut = try await fetch(name, at: relay.port, of: origin, engine)
                    #expect(cut.text == clean.text)
                    guard !reply.isDelimited else {
                        #expect(cut.outcome == .completed(lengthVerified: true), "\(name)")
                        continue
                    }
                    #expect(cut.failure?.code == .networkConnectionLost)
                    #expect(cut.failure?.isRetryable == true)
                    #expect(cut.failure?.description.contains("close_notify") == true)
                    #expect(cut.failure?.words?.hasPrefix("curl: (56) ") == true)
                }
            }
        }
    }

    /// A webhook's status is its receiver's answer, even if the body after it is cut.
    @Test func webhookStatusHoldsDespiteATruncatedBody() async throws {
        let answers = Self.replies.mapValues(\.text)
        try await TLSOrigin.with(["-HTTP"], answers: answers) { origin in
            let relay = try OriginServer(
                relay: OriginTunnel(to: origin.port, endsBeforeAlerts: true))
            defer { relay.close() }
            try await withLab({ _ in [] }) { engine, _ in
                for name in ["open", "length"] {
                    let result = try await fetch(
                        name, at: relay.port, of: origin, engine, asWebhook: true)
                    #expect(result.head?.status == 200)
                    #expect((result.failure == nil) == (name == "length"))
                }
            }
        }
    }

    private func fetch(
        _ name: String, at port: Int, of origin: TLSOrigin, _ engine: TransferEngine,
        asWebhook: Bool = false
    ) async throws -> TransferResult {
        try await engine.fetch("https://127.0.0.1:\(port)/\(name)") {
            $0.tls = TransferTLS(caPEM: origin.authority, certificatePEM: nil, keyPEM: nil)
            guard asWebhook else { return }
            $0.maximumBodyBytes = 65_536
            $0.followsRedirects = 0
        }
    }
}
