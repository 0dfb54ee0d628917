// The signature of Standard Webhooks 1.0.
import CLibcrypto
import Foundation

/// Whether a webhook was signed with a secret within the last five minutes.
///
/// - Parameters:
///   - secret: `whsec_` and base64, as `GET /v1/webhook_endpoints/default/secret` gives it.
///   - fields: header fields by their names in lower case.
///   - body: the bytes as they came, before anything parses them.
///   - now: Unix seconds.
func isGenuine(secret: String, fields: [String: String], body: Data, now: Int) -> Bool {
    guard secret.hasPrefix("whsec_"), let key = Data(base64Encoded: String(secret.dropFirst(6))),
        let id = fields["webhook-id"], let time = fields["webhook-timestamp"],
        let seconds = Int(time), abs(now - seconds) <= 300, let given = fields["webhook-signature"]
    else { return false }
    let expected = hmac(key: Array(key), Array("\(id).\(time).".utf8) + body)
    // Several while the secret is replaced; each `v1,` and base64.
    return given.split(separator: " ").contains { word in
        guard word.hasPrefix("v1,"), let bytes = Data(base64Encoded: String(word.dropFirst(3)))
        else { return false }
        return bytes.count == 32 && CRYPTO_memcmp(Array(bytes), expected, 32) == 0
    }
}

/// HMAC-SHA256; see EVP_Q_mac(3).
private func hmac(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { room, count in
        let made = EVP_Q_mac(
            nil, "HMAC", nil, "SHA256", nil, key, key.count, message, message.count,
            room.baseAddress, 32, &count)
        precondition(made != nil, "libcrypto knows HMAC-SHA256")
    }
}
