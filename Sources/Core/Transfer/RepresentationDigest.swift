// What an origin says that the digest of its content is.

/// The digest fields of an answer: `Repr-Digest` (RFC 9530), `Digest` (RFC 3230), `Content-MD5`
/// (RFC 2616 section 14.15).
package enum RepresentationDigest {
    /// The digest of the whole representation that an answer names.
    ///
    /// - Parameter facts: the answer; its content must not be coded.
    /// - Returns: SHA-256 where it is there, because it is computed in any case; else SHA-512, else
    ///   MD5; nil where nothing readable is there. A part's `Content-MD5` is the part's, so it
    ///   counts only on a 200.
    package static func named(in facts: ResponseFacts) -> ExpectedDigest? {
        guard (facts.contentEncoding ?? "identity").lowercased() == "identity" else { return nil }
        var found: [ExpectedDigest] = []
        for field in [facts.reprDigest, facts.digest] { found += field.map(members) ?? [] }
        if facts.status == 200, let text = facts.contentMD5, let bytes = decode(text) {
            found += ExpectedDigest(.md5, bytes: bytes).map { [$0] } ?? []
        }
        for algorithm in DigestAlgorithm.allCases {
            if let digest = found.first(where: { $0.algorithm == algorithm }) { return digest }
        }
        return nil
    }

    /// `sha-256=:BASE64:, md5=…` as well as `SHA-256=BASE64,MD5=…`; the unreadable is left out.
    private static func members(_ field: String) -> [ExpectedDigest] {
        field.split(separator: ",").compactMap { member in
            let trimmed = member.drop { $0 == " " || $0 == "\t" }
            guard let sign = trimmed.firstIndex(of: "=") else { return nil }
            let name = trimmed[..<sign].lowercased()
            let names: [String: DigestAlgorithm] = [
                "sha-256": .sha256, "sha-512": .sha512, "md5": .md5,
            ]
            guard let algorithm = names[name] else { return nil }
            var value = trimmed[trimmed.index(after: sign)...].prefix { $0 != ";" }
            while value.last == " " || value.last == "\t" { value.removeLast() }
            if value.hasPrefix(":") {
                guard value.count >= 2, value.hasSuffix(":") else { return nil }
                value = value.dropFirst().dropLast()
            }
            return decode(String(value)).flatMap { ExpectedDigest(algorithm, bytes: $0) }
        }
    }

    /// Base 64 with padding (RFC 4648 section 4); nil for anything else.
    static func decode(_ text: String) -> [UInt8]? {
        var digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 4), digits.count <= 128 else { return nil }
        var padding = 0
        while padding < 2, digits.last == UInt8(ascii: "=") {
            digits.removeLast()
            padding += 1
        }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        for (place, digit) in digits.enumerated() {
            guard let value = value(of: digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            if place % 4 != 0 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(6 - 2 * (place % 4))))
            }
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
