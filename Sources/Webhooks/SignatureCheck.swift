// Checks whether a saved webhook was signed with a secret and, if not, finds the probable reason.
internal import Base
internal import Crypto
internal import Downloads

/// The result of a check by Standard Webhooks 1.0.
package enum SignatureCheck: Equatable, Sendable {
    /// The age from which receivers refuse a webhook, as replayed: five minutes.
    package static let ageAtMost: Int64 = 300

    /// It was signed with one of the secrets; `age` is in seconds.
    case genuine(age: Int64)
    /// No secret made this signature; the probable reason in one sentence.
    case refused(String)

    /// Checks a delivery.
    ///
    /// - Parameters:
    ///   - delivery: as it was saved.
    ///   - secrets: in their text form; while a secret is replaced there are two.
    ///   - now: Unix seconds.
    package init(_ delivery: SavedDelivery, secrets: [String], now: Int64) {
        let keys = secrets.compactMap(SignatureCheck.key)
        guard !secrets.isEmpty, keys.count == secrets.count else {
            self = .refused(
                "a secret is whsec_ and the base64 text of 24 to 64 bytes; write one on a line")
            return
        }
        guard let seconds = Int64(delivery.timestamp), seconds > 0 else {
            self = .refused("webhook-timestamp is \"\(delivery.timestamp)\", not Unix seconds")
            return
        }
        let given = delivery.signature.split(separator: " ").compactMap { word -> [UInt8]? in
            word.hasPrefix("v1,") ? Base64.decode(String(word.dropFirst(3))) : nil
        }.filter { $0.count == SHA256.byteCount }
        guard !given.isEmpty else {
            self = .refused(
                "webhook-signature has no v1 signature, which is \"v1,\" and the base64 text of 32 "
                    + "bytes")
            return
        }
        func isSigned(_ body: [UInt8]) -> Bool {
            let content = Array("\(delivery.id).\(delivery.timestamp).".utf8) + body
            return keys.contains { key in
                let expected = HMAC.sha256(key: key, message: content)
                return given.contains { ConstantTime.areEqual($0, expected) }
            }
        }
        self =
            isSigned(delivery.body)
            ? .genuine(age: now - seconds)
            : .refused(SignatureCheck.reason(delivery, isSigned))
    }

    private static func key(_ secret: String) -> [UInt8]? { EndpointSecret(secret)?.key }

    /// The change that was made to the body, if one of the usual changes explains the signature.
    private static func reason(_ delivery: SavedDelivery, _ isSigned: ([UInt8]) -> Bool) -> String {
        let newline = UInt8(ascii: "\n")
        let body = delivery.body
        if body.isEmpty { return "the body is empty: it was read before it was saved" }
        let ended = Array(body.reversed().drop { $0 == newline || $0 == 13 }.reversed())
        if ended != body, isSigned(ended) {
            return "the body has a line end that was not sent: save its bytes as they were received"
        }
        if body.starts(with: [0xef, 0xbb, 0xbf]), isSigned(Array(body.dropFirst(3))) {
            return "the body begins with a byte order mark that was not sent"
        }
        if isSigned(withoutSpaces(body)) {
            return "the body was parsed and written again, with other spaces: save its bytes "
                + "before they are parsed"
        }
        return "the body, webhook-id or webhook-timestamp differs from the signed one, or the "
            + "secret is another one"
    }

    /// The JSON without white space between its parts, as it is sent.
    private static func withoutSpaces(_ body: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var isText = false
        var isEscaped = false
        for byte in body {
            if isText {
                isText = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "\"") {
                isText = true
            } else if [0x20, 0x09, 0x0a, 0x0d].contains(byte) {
                continue
            }
            result.append(byte)
        }
        return result
    }
}
