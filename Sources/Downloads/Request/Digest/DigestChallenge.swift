// A challenge for digest credentials, and the answer to it.
package import Base

/// A challenge of the scheme Digest (RFC 7616 section 3.3; without `qop` RFC 2069).
package struct DigestChallenge: Equatable, Sendable {
    /// The values that go into the digests of one request.
    package struct Use: Sendable {
        /// The method.
        package let method: String
        /// Path and query, as sent.
        package let target: String
        /// The number of times that the challenge was answered, this answer included.
        package let count: UInt32
        /// The client's nonce, which protects against digests that were computed in advance; one
        /// for all answers to a challenge.
        package let clientNonce: String

        /// Creates a value with all its members.
        package init(method: String, target: String, count: UInt32, clientNonce: String) {
            (self.method, self.target) = (method, target)
            (self.count, self.clientNonce) = (count, clientNonce)
        }
    }

    /// A function that digests bytes: hexadecimal digits in lower case.
    package typealias Hash = @Sendable (DigestAlgorithm, [UInt8]) -> String

    /// The realm.
    let realm: [UInt8]
    /// The nonce of the origin.
    let nonce: [UInt8]
    /// The opaque value, which is returned unchanged.
    let opaque: [UInt8]?
    /// The name of the algorithm as the origin wrote it; nil if it named none, which means MD5.
    let algorithmName: [UInt8]?
    /// The algorithm of the digest.
    let algorithm: DigestAlgorithm
    /// Whether one digest of name and password serves all answers (`-sess`).
    let isOfSession: Bool
    /// Whether `qop` offers `auth`; if not, the parameter is left out.
    let hasProtection: Bool
    /// Whether the name is digested, too.
    let hidesName: Bool
    /// Whether the challenge only says that the nonce was too old.
    package let isStale: Bool

    /// The value of `Authorization` (RFC 7616 section 3.4).
    package func answer(
        _ credentials: DigestCredentials, _ use: Use, _ hash: Hash
    ) -> FieldValue {
        func digest(_ parts: [[UInt8]]) -> [UInt8] {
            Array(hash(algorithm, Array(parts.joined(separator: ":".utf8))).utf8)
        }
        let (name, clientNonce) = (Array(credentials.username.utf8), Array(use.clientNonce.utf8))
        var secret = digest([name, realm, Array(credentials.password.utf8)])
        if isOfSession { secret = digest([secret, nonce, clientNonce]) }
        let request = digest([Array(use.method.utf8), Array(use.target.utf8)])
        let count = Array(DigestChallenge.hexadecimal(use.count).utf8)
        let middle = hasProtection ? [count, clientNonce, Array("auth".utf8)] : []
        let response = digest([secret, nonce] + middle + [request])
        var text = Array("Digest ".utf8)
        func add(_ name: String, _ value: [UInt8], isQuoted: Bool = true) {
            if text.count > 7 { text += ", ".utf8 }
            text += "\(name)=".utf8
            text += isQuoted ? DigestChallenge.quoted(value) : value
        }
        add("username", hidesName ? digest([name, realm]) : name)
        add("realm", realm)
        add("nonce", nonce)
        add("uri", Array(use.target.utf8))
        add("response", response)
        if let algorithmName { add("algorithm", algorithmName, isQuoted: false) }
        if let opaque { add("opaque", opaque) }
        if hasProtection {
            add("qop", Array("auth".utf8), isQuoted: false)
            add("nc", count, isQuoted: false)
        }
        // With `-sess` the origin cannot verify the digest without it.
        if hasProtection || isOfSession { add("cnonce", clientNonce) }
        if hidesName { add("userhash", Array("true".utf8), isQuoted: false) }
        return FieldValue(bytes: text)
    }

    private static func hexadecimal(_ count: UInt32) -> String {
        let digits = String(count, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        let inside = bytes.flatMap { $0 == quote || $0 == backslash ? [backslash, $0] : [$0] }
        return [quote] + inside + [quote]
    }
}
