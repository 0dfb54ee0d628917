public import Foundation

/// A webhook of Lull, verified: Standard Webhooks 1.0, signed with HMAC-SHA-256.
///
/// The HMAC is that of `SHA256` in this package, which has no dependency besides Foundation.
public struct Webhook: Hashable, Sendable {
    /// Why a request is not a webhook of the secret's owner.
    public enum Refusal: Error, Hashable, Sendable {
        /// The secret is not `whsec_` and base64.
        case malformedSecret
        /// `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing.
        case missingField(String)
        /// It was signed too long ago, or in the future.
        case stale
        /// No signature is that of the secret.
        case wrongSignature
        /// It is genuine, and its body is not an event.
        case unreadable(String)
    }

    /// Its `webhook-id`: ignore one that you have seen.
    public let id: String
    /// When it was signed, in full seconds.
    public let timestamp: Date
    /// What it reports; `id` is that of the webhook.
    public let event: JournalEvent

    /// Verifies a request and reads its event.
    ///
    /// - Parameters:
    ///   - body: the bytes as they came, before anything parses them.
    ///   - headers: the header fields; the case of their names does not count.
    ///   - secret: `whsec_` and base64, as `getWebhookSecret` gives it. While a secret is replaced
    ///     webhooks have a signature of each.
    ///   - tolerance: how far its instant may be from `now`.
    ///   - now: the present instant.
    /// - Returns: the webhook with its event.
    /// - Throws: why the request does not count; answer it with 401.
    public static func verify(
        body: Data, headers: [String: String], secret: String,
        tolerance: Duration = .seconds(300), now: Date = Date()
    ) throws(Refusal) -> Webhook {
        let (id, timestamp) = try check(
            body: body, headers: headers, secret: secret, tolerance: tolerance, now: now)
        do {
            var event = try JSONForm.read(JournalEvent.self, from: body)
            event.id = id
            return Webhook(id: id, timestamp: timestamp, event: event)
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// Verifies a request without reading its body; see `verify`.
    ///
    /// - Returns: its `webhook-id`, and when it was signed.
    public static func check(
        body: Data, headers: [String: String], secret: String,
        tolerance: Duration = .seconds(300), now: Date = Date()
    ) throws(Refusal) -> (id: String, timestamp: Date) {
        guard secret.hasPrefix("whsec_"),
            let key = Data(base64Encoded: String(secret.dropFirst(6))),
            !key.isEmpty
        else { throw .malformedSecret }
        let fields = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first }
        )
        func field(_ name: String) throws(Refusal) -> String {
            guard let value = fields[name] else { throw .missingField(name) }
            return value
        }
        let id = try field("webhook-id")
        let time = try field("webhook-timestamp")
        let signatures = try field("webhook-signature")
        guard let seconds = Int(time), seconds >= 0,
            abs(now.timeIntervalSince1970 - Double(seconds)) <= tolerance.seconds
        else { throw .stale }
        let expected = SHA256.authenticationCode(
            Array("\(id).\(time).".utf8) + Array(body), key: Array(key))
        let isGenuine = signatures.split(separator: " ").contains { word in
            guard word.hasPrefix("v1,"), let given = Data(base64Encoded: String(word.dropFirst(3)))
            else { return false }
            return areEqual(Array(given), expected)
        }
        guard isGenuine else { throw .wrongSignature }
        return (id, Date(timeIntervalSince1970: Double(seconds)))
    }

    /// Compares in a time that does not depend on where they differ.
    private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
