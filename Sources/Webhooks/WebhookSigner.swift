// The signature of Standard Webhooks 1.0.
package import Core
internal import Crypto

/// Signs with one secret.
package struct WebhookSigner: Sendable {
    private let key: [UInt8]

    /// Reads a secret in its text form, `whsec_` and base64 of 24 to 64 bytes.
    ///
    /// - Returns: nil for any other text.
    package init?(secret: String) {
        guard secret.hasPrefix("whsec_"), let key = Base64.decode(String(secret.dropFirst(6))),
            (24...64).contains(key.count)
        else { return nil }
        self.key = key
    }

    /// A new secret of 32 random bytes in its text form.
    package static func makeSecret() -> String {
        "whsec_" + Base64.encode(SecureRandom.bytes(32))
    }

    /// The value of `webhook-signature` for one attempt: `v1,` and base64 of the HMAC-SHA256.
    package func signature(of message: WebhookMessage, attemptedAt seconds: Int64) -> String {
        let content = message.signedContent(attemptedAt: seconds)
        return "v1," + Base64.encode(HMAC.sha256(key: key, message: content))
    }
}
