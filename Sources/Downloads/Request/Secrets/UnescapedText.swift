// A text with its escapes decoded, which knows the original place of each byte.

/// A text with escapes undone.
struct UnescapedText {
    /// The kinds of escapes.
    enum Kind: CaseIterable {
        /// Percent-encoding of URLs, `%41`.
        case percent
        /// Escapes of JSON strings, `\u0041`.
        case json
        /// Character references of HTML, `&#65;`.
        case html
    }

    /// The text.
    private(set) var bytes: [UInt8] = []
    /// The range of each byte, or of its escape, in the original text.
    private var spans: [Range<Int>] = []

    /// Creates a text from the original bytes.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        spans = bytes.indices.map { $0..<($0 + 1) }
    }

    private init() {}

    /// The original range of a range of this text.
    func origin(of range: Range<Int>) -> Range<Int> {
        spans[range.lowerBound].lowerBound..<spans[range.upperBound - 1].upperBound
    }

    /// The text itself, and the texts with one or two kinds of escapes decoded.
    var readings: [UnescapedText] {
        let once = Kind.allCases.map(unescaped)
        return [self] + once + once.flatMap { text in Kind.allCases.map(text.unescaped) }
    }

    private func unescaped(_ kind: Kind) -> UnescapedText {
        var result = UnescapedText()
        var place = 0
        while place < bytes.count {
            let (meaning, length) =
                UnescapedText.escape(kind, in: bytes[place...]) ?? ([bytes[place]], 1)
            let span = spans[place].lowerBound..<spans[place + length - 1].upperBound
            for byte in meaning {
                result.bytes.append(byte)
                result.spans.append(span)
            }
            place += length
        }
        return result
    }

    /// The bytes that the escape at the start of a text encodes, and its length.
    private static func escape(
        _ kind: Kind, in text: ArraySlice<UInt8>
    ) -> (meaning: [UInt8], length: Int)? {
        let rest = text.dropFirst()
        let found: (meaning: [UInt8], length: Int)? =
            switch (kind, text[text.startIndex]) {
            case (.percent, UInt8(ascii: "%")): percent(rest)
            case (.json, UInt8(ascii: "\\")): backslash(rest)
            case (.html, UInt8(ascii: "&")): reference(rest)
            default: nil
            }
        return found.map { ($0.meaning, $0.length + 1) }
    }

    /// The byte of two hexadecimal digits (RFC 3986 section 2.1).
    private static func percent(_ text: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
        number(text.prefix(2), digits: 2, radix: 16).map { ([UInt8($0)], 2) }
    }

    /// An escape of JSON after its backslash (RFC 8259 section 7).
    private static func backslash(_ text: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
        guard let first = text.first else { return nil }
        switch first {
        case UInt8(ascii: "u"):
            guard let unit = number(text.dropFirst().prefix(4), digits: 4, radix: 16) else {
                return nil
            }
            let next = text.dropFirst(5)
            if next.starts(with: "\\u".utf8),
                let other = number(next.dropFirst(2).prefix(4), digits: 4, radix: 16)
            {
                let pair = [UInt16(unit), UInt16(other)]
                if let text = String(validating: pair, as: UTF16.self),
                    text.unicodeScalars.count == 1
                {
                    return (Array(text.utf8), 11)
                }
            }
            return Unicode.Scalar(unit).map { (Array(String($0).utf8), 5) }
        case UInt8(ascii: "n"): return ([0x0a], 1)
        case UInt8(ascii: "r"): return ([0x0d], 1)
        case UInt8(ascii: "t"): return ([0x09], 1)
        case UInt8(ascii: "b"): return ([0x08], 1)
        case UInt8(ascii: "f"): return ([0x0c], 1)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return ([first], 1)
        default: return nil
        }
    }

    private static let names: [String: UInt8] = [
        "amp": 0x26, "apos": 0x27, "gt": 0x3e, "lt": 0x3c, "quot": 0x22,
    ]

    /// A character reference of HTML after its ampersand: a name or a number, then a semicolon.
    private static func reference(_ text: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
        let word = text.prefix(8).prefix { $0 != UInt8(ascii: ";") }
        guard word.count < 8, word.count < text.count else { return nil }
        if let byte = names[String(decoding: word, as: UTF8.self).lowercased()] {
            return ([byte], word.count + 1)
        }
        guard word.first == UInt8(ascii: "#") else { return nil }
        let digits = word.dropFirst()
        let isHexadecimal = digits.first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let value =
            isHexadecimal
            ? number(digits.dropFirst(), digits: digits.count - 1, radix: 16)
            : number(digits, digits: digits.count, radix: 10)
        return value.flatMap(Unicode.Scalar.init).map {
            (Array(String($0).utf8), word.count + 1)
        }
    }

    private static func number(
        _ text: ArraySlice<UInt8>, digits: Int, radix: Int
    ) -> UInt32? {
        // The parser of numbers takes a sign, which is no digit.
        guard digits > 0, text.count == digits, let first = text.first, first >= 0x30 else {
            return nil
        }
        return UInt32(String(decoding: text, as: UTF8.self), radix: radix)
    }
}
