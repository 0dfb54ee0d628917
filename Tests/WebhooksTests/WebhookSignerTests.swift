// Signatures against vectors that others made (Standard Webhooks 1.0).
import Base
import Crypto
import Downloads
import Testing
import Webhooks

@Suite struct WebhookSignerTests {
    /// Secret, id, seconds, body, signature; the official verifiers confirm each.
    private static let vectors = [
        (
            "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
            "evt_01JZ8Q2W3E4R5T6Y7U8I9O0P1A", 1_767_225_600 as Int64,
            #"{"type":"download.succeeded","timestamp":"2026-01-01T00:00:00.000Z","#
                + #""data":{"id":"dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C"}}"#,
            "v1,N0wgdNYn3UJt+OTP2/m43JXmeVbYcirULDYvY5qIIaQ="
        ),
        (
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330, #"{"test": 2432232314}"#,
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        ),
    ]

    @Test(arguments: vectors)
    func signatureMatchesReferenceVectors(
        _ secret: String, _ id: String, _ seconds: Int64, _ body: String, _ expected: String
    ) throws {
        let signer = try #require(WebhookSigner(secret: secret))
        let message = WebhookMessage(
            id: id, type: .succeeded, subject: "", at: .epoch, body: Array(body.utf8))
        #expect(signer.signature(of: message, attemptedAt: seconds) == expected)
        #expect(signer.signature(of: message, attemptedAt: seconds + 1) != expected)
    }

    @Test(arguments: [
        "", "whsec_", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        "WHSEC_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
        "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n",
        "whsec_ AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        "whsec_not base64 at all, but long enough to be one!", "whsec_AAECAwQFBgcICQoLDA0ODw==",
    ])
    func refusesOtherSecrets(_ secret: String) {
        #expect(WebhookSigner(secret: secret) == nil)
    }

    @Test(arguments: [(23, false), (24, true), (32, true), (64, true), (65, false)])
    func secretsHaveTwentyFourToSixtyFourBytes(_ count: Int, _ isGood: Bool) {
        let text = "whsec_" + Base64.encode([UInt8](repeating: 7, count: count))
        #expect((WebhookSigner(secret: text) != nil) == isGood)
    }

    /// While a secret is replaced, receivers that know either secret verify.
    @Test func twoSecretsGiveTwoSignaturesWithASpaceBetween() throws {
        let secrets = try Self.vectors.map { try #require(EndpointSecret($0.0)) }
        let message = WebhookMessage(
            id: "evt_1", type: .succeeded, subject: "", at: .epoch, body: Array("{}".utf8))
        let both = WebhookSigner(secrets).signature(of: message, attemptedAt: 7)
        let each = secrets.map { WebhookSigner([$0]).signature(of: message, attemptedAt: 7) }
        #expect(both == each.joined(separator: " "))
        #expect(each[0] != each[1])
    }

    @Test(arguments: [24, 32, 64])
    func secretsReadWhatTheyWrite(_ count: Int) throws {
        let secret = EndpointSecret(key: (0..<count).map { UInt8($0) })
        #expect(EndpointSecret(secret.text) == secret)
    }
}
