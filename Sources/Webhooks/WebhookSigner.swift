// The signature of Standard Webhooks 1.0.
internal import Base
internal import Crypto
package import Downloads

/// Signs with the current secret, and with those that were replaced a short time ago.
package struct WebhookSigner: Sendable {
    private let secrets: [EndpointSecret]

    /// Creates a signer with secrets, the newest first.
    package init(_ secrets: [EndpointSecret]) { self.secrets = secrets }

    /// Reads a secret in its text form, `whsec_` and base64 of 24 to 64 bytes.
    ///
    /// - Returns: nil for any other text.
    package init?(secret: String) {
        guard let secret = EndpointSecret(secret) else { return nil }
        self.init([secret])
    }

    /// The headers and the body of one attempt.
    func content(
        of message: WebhookMessage, attemptedAt seconds: Int64
    ) -> (headers: [(name: String, value: String)], body: [UInt8]) {
        let signature = signature(of: message, attemptedAt: seconds)
        return (message.headers(attemptedAt: seconds, signature: signature), message.body)
    }

    /// The value of `webhook-signature` for one attempt: for each secret `v1,` and base64 of the
    /// HMAC-SHA256, separated by spaces.
    package func signature(of message: WebhookMessage, attemptedAt seconds: Int64) -> String {
        let content = message.signedContent(attemptedAt: seconds)
        return secrets.map {
            "v1," + Base64.encode(HMAC.sha256(key: $0.key, message: content))
        }.joined(separator: " ")
    }
}
