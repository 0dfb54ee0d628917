// Removes the secrets of a request from the answer of its origin.
internal import Base

/// Finds the secrets of a request in a text that the origin sent back, and replaces them.
///
/// An origin may repeat parts of a request: echo services do, and so do error pages with a dump of
/// the request. A secret is found as it was sent, and percent-encoded, escaped for JSON or HTML,
/// escaped twice, in hexadecimal digits or in base 64; the case of letters is ignored. Of a longer
/// secret each piece of ``piece`` bytes is found, so that a part of it is not shown either.
package struct SecretMask: Sendable {
    /// The length of the pieces of a secret that count as secrets, in bytes.
    package static let piece = 8
    /// The shortest secret that is searched, in bytes; a shorter one would be found in any text.
    package static let shortest = 4
    /// The most bytes of secrets that are searched.
    package static let bytesAtMost = 1 << 16
    /// The replacement for secrets.
    package static let blot = Array("[redacted]".utf8)

    private let secrets: [[UInt8]]

    /// Whether a text may be shown at all.
    private var canTell: Bool {
        secrets.allSatisfy { $0.isEmpty || $0.count >= SecretMask.shortest }
            && secrets.reduce(0) { $0 + $1.count } <= SecretMask.bytesAtMost
    }

    private init(_ secrets: [[UInt8]]) { self.secrets = secrets }

    /// Creates a mask for the secrets of one request.
    ///
    /// - Parameters:
    ///   - headers: its fields with their values; those of ``openFields`` are no secrets.
    ///   - body: its body.
    ///   - proxy: what the proxy wants to know.
    package init(headers: [HeaderField], body: [UInt8]? = nil, proxy: ProxyCredentials? = nil) {
        var secrets = headers.filter { !SecretMask.openFields.contains($0.name.lowercased()) }
            .flatMap { SecretMask.secrets(inValue: $0.value) }
        if let body, !body.isEmpty { secrets.append(body) }
        if let proxy {
            let pair = "\(proxy.username):\(proxy.password)"
            secrets += [proxy.username, proxy.password, pair].map { Array($0.utf8) }
        }
        self.secrets = secrets
    }

    /// A mask for the secrets of both.
    func joined(with other: SecretMask) -> SecretMask { SecretMask(secrets + other.secrets) }

    /// Fields whose values may be shown.
    package static let openFields = HeaderField.open.union(["content-type"])

    /// A text without the secrets.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - length: how much of it is wanted; what is behind helps to find a secret that is cut
    ///     there.
    /// - Returns: the beginning with ``blot`` in place of secrets; nil if that cannot be told,
    ///   because a secret is too short or there are too many bytes of them.
    package func masked(_ bytes: [UInt8], upTo length: Int) -> [UInt8]? {
        guard canTell else { return nil }
        guard !secrets.isEmpty else { return Array(bytes.prefix(length)) }
        var isSecret = [Bool](repeating: false, count: bytes.count)
        let readings = UnescapedText(bytes).readings.map { text in
            (text: text, folded: text.bytes.map(SecretMask.folded))
        }
        // The places of each run of a reading in the original text.
        var places: [UInt64: [Range<Int>]] = [:]
        for (text, folded) in readings {
            for (start, run) in SecretMask.runs(in: folded) {
                places[run, default: []].append(text.origin(of: start..<(start + Self.piece)))
            }
        }
        for form in Set(secrets.flatMap(SecretMask.forms)) {
            let form = form.map(SecretMask.folded)
            if form.count >= SecretMask.piece {
                for (_, run) in SecretMask.runs(in: form) {
                    for found in places[run] ?? [] { for place in found { isSecret[place] = true } }
                }
            } else {
                for (text, folded) in readings {
                    for found in SecretMask.ranges(of: form, in: folded) {
                        for place in text.origin(of: found) { isSecret[place] = true }
                    }
                }
            }
        }
        var shown: [UInt8] = []
        for place in 0..<min(length, bytes.count) {
            if !isSecret[place] {
                shown.append(bytes[place])
            } else if place == 0 || !isSecret[place - 1] {
                shown += SecretMask.blot
            }
        }
        return shown
    }

    /// Each run of ``piece`` bytes with its place.
    private static func runs(in text: [UInt8]) -> [(start: Int, run: UInt64)] {
        var run: UInt64 = 0
        var runs: [(start: Int, run: UInt64)] = []
        for (place, byte) in text.enumerated() {
            run = run << 8 | UInt64(byte)
            if place >= piece - 1 { runs.append((place - piece + 1, run)) }
        }
        return runs
    }

    /// The places of a short secret in a text.
    private static func ranges(of form: [UInt8], in text: [UInt8]) -> [Range<Int>] {
        guard form.count >= shortest, text.count >= form.count else { return [] }
        return (0...(text.count - form.count)).map { $0..<($0 + form.count) }
            .filter { text[$0].elementsEqual(form) }
    }

    /// A byte for comparison: an upper-case letter in lower case, and `+` as a space, as forms
    /// encode it.
    private static func folded(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x41...0x5a: byte + 0x20
        case UInt8(ascii: "+"): 0x20
        default: byte
        }
    }
}

extension SecretMask {
    private static let separators = Set(" \t;,=:\"".utf8)
    private static let schemes: Set<String> = ["basic", "bearer", "digest", "token"]

    /// A value, the words in it, and the decoded form of Basic credentials (RFC 7617).
    private static func secrets(inValue value: String) -> [[UInt8]] {
        let bytes = Array(value.utf8)
        var secrets = [bytes]
        for word in bytes.split(whereSeparator: { separators.contains($0) })
        where word.count >= shortest && word.count < bytes.count {
            let text = String(decoding: word, as: UTF8.self)
            if !schemes.contains(text.lowercased()) { secrets.append(Array(word)) }
        }
        guard value.lowercased().hasPrefix("basic "),
            let pair = Base64.decode(String(value.dropFirst(6)))
        else { return secrets }
        let colon = pair.firstIndex(of: UInt8(ascii: ":")) ?? pair.endIndex
        return secrets + [pair, Array(pair[..<colon]), Array(pair[colon...].dropFirst())]
    }

    private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// The encodings in which an origin may write a secret, without escapes.
    private static func forms(of secret: [UInt8]) -> Set<[UInt8]> {
        var forms: Set<[UInt8]> = [secret, secret.flatMap(hexadecimal)]
        // Base 64 depends on the offset in the encoded bytes: there are three forms, without the
        // digits that depend on neighbours.
        for shift in 0..<3 {
            let text = Array(Base64.encode([UInt8](repeating: 0, count: shift) + secret).utf8)
            let whole = (shift + secret.count) * 8 / 6
            let first = (shift * 8 + 5) / 6
            guard whole > first else { continue }
            let digits = Array(text[first..<whole])
            forms.insert(digits)
            forms.insert(digits.map { $0 == 0x2b ? 0x2d : $0 == 0x2f ? 0x5f : $0 })
        }
        return forms
    }
}
