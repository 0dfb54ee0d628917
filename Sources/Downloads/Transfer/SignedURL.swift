// The expiry of a signed URL, so that a refusal can suggest a remedy.
package import Base

/// Reads the expiry of a signature from a URL's query.
package enum SignedURL {
    /// The instant at which the URL's signature expires.
    ///
    /// - Parameter url: with `X-Amz-Date` and `X-Amz-Expires` (or `X-Goog-`, `X-Oss-`), `Expires`
    ///   in Unix seconds (CloudFront, older S3 and Cloud Storage), `se` beside `sig` (Azure), `exp`
    ///   in a token (Akamai), or a `Policy` of CloudFront.
    /// - Returns: nil without such parameters.
    package static func expiry(of url: String) -> Timestamp? {
        let query = parameters(of: url)
        for vendor in ["amz", "goog", "oss"] {
            if let date = query["x-\(vendor)-date"].flatMap(compactDate),
                let seconds = query["x-\(vendor)-expires"].flatMap(number)
            {
                return date + .seconds(seconds)
            }
        }
        if query["sig"] != nil, let end = query["se"] {
            // Azure accepts a date, minutes and seconds.
            return Timestamp(rfc3339: end) ?? Timestamp(rfc3339: end + "T00:00:00Z")
                ?? (end.hasSuffix("Z") ? Timestamp(rfc3339: end.dropLast() + ":00Z") : nil)
        }
        for token in ["hdnts", "hdnea", "hdntl"] {
            let fields = query[token]?.split(separator: "~") ?? []
            if let field = fields.first(where: { $0.hasPrefix("exp=") }) {
                return number(String(field.dropFirst(4))).map { Timestamp(seconds: $0) }
            }
        }
        if let end = query["policy"].flatMap(lessThan) { return end }
        return query["expires"].flatMap(number).map { Timestamp(seconds: $0) }
    }

    /// Whether the text of an error says that a signature has expired; some clouds answer 400 then,
    /// and 403 also for other reasons.
    ///
    /// - Parameter body: its beginning.
    /// - Returns: true for the words of S3, Cloud Storage and Azure.
    package static func saysExpired(_ body: [UInt8]) -> Bool {
        func says(_ words: String) -> Bool { body.firstRange(of: Array(words.utf8)) != nil }
        return says("ExpiredToken") || says("Request has expired")
            || says("AuthenticationFailed")
                && says("Signature not valid in the specified time frame")
    }

    /// The expiry in a CloudFront policy: JSON in a variant of base 64 for URLs.
    private static func lessThan(_ policy: String) -> Timestamp? {
        let swapped = String(
            policy.map { character in
                switch character {
                case "-": "+"
                case "_": "="
                case "~": "/"
                default: character
                }
            })
        guard let bytes = Base64.decode(swapped) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.firstRange(of: "DateLessThan"),
            let time = text[end.upperBound...].firstRange(of: "EpochTime")
        else { return nil }
        let digits = text[time.upperBound...].drop { "\": ".contains($0) }.prefix { $0.isNumber }
        return number(String(digits)).map { Timestamp(seconds: $0) }
    }

    /// The parameters by their names in lower case; the first of equal names counts.
    private static func parameters(of url: String) -> [String: String] {
        let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        var found: [String: String] = [:]
        for pair in query.split(separator: "&").prefix(64) {
            let name = pair.prefix { $0 != "=" }
            let value = pair.dropFirst(name.count + 1)
            let key = decoded(name).lowercased()
            if found[key] == nil { found[key] = decoded(value) }
        }
        return found
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(
                    String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func number(_ text: String) -> Int64? {
        guard (1...11).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text)
    }

    /// `20261121T101500Z`, as ISO 8601 writes it without separators.
    private static func compactDate(_ text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z")
        else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        return Timestamp(
            rfc3339: "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T"
                + "\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z")
    }
}
