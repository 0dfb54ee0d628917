/// How the calls of a trigger are signed.
package enum TriggerSignature: String, Sendable, CaseIterable {
    /// Not at all: whoever has the token may call.
    case none
    /// As GitHub signs its webhooks: an HMAC-SHA256 of the body in `X-Hub-Signature-256`.
    case github
    /// Standard Webhooks 1.0: an HMAC-SHA256 of identifier, time and body.
    case standardWebhooks = "standard_webhooks"
}
