// The value of a header field: bytes (RFC 9110 section 5.5).

/// The bytes of a field's value, which are compared, stored and sent unchanged.
///
/// Nearly all values are UTF-8, for which only the text is kept.
package struct FieldValue: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The value as it is shown: as UTF-8 if it is valid, if not as ISO 8859-1.
    package let text: String
    /// The bytes, if they are not valid UTF-8.
    private let others: [UInt8]?

    /// Creates a value from a text, as UTF-8.
    package init(_ text: String) { (self.text, others) = (text, nil) }

    /// Creates a value from a literal.
    package init(stringLiteral text: String) { self.init(text) }

    /// Creates a value from received bytes.
    package init(bytes: ArraySlice<UInt8>) {
        if bytes.allSatisfy({ $0 < 0x80 }) {
            (text, others) = (String(decoding: bytes, as: UTF8.self), nil)
        } else if let valid = String(validating: bytes, as: UTF8.self) {
            (text, others) = (valid, nil)
        } else {
            text = String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
            others = Array(bytes)
        }
    }

    /// Creates a value from received bytes.
    package init(bytes: [UInt8]) { self.init(bytes: bytes[...]) }

    /// The bytes.
    package var bytes: [UInt8] { others ?? Array(text.utf8) }

    /// Calls a closure with the bytes and a terminating zero, as C functions expect them.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        guard let others else { return unsafe text.withCString(body) }
        return unsafe body(others.map { CChar(bitPattern: $0) } + [0])
    }

    /// The value with a text before it.
    package func prefixed(by words: String) -> FieldValue {
        guard let others else { return FieldValue(words + text) }
        return FieldValue(bytes: Array(words.utf8) + others)
    }

    /// Compares bytes, so canonically equivalent texts differ.
    package static func == (one: FieldValue, other: FieldValue) -> Bool {
        one.others == other.others && one.text.utf8.elementsEqual(other.text.utf8)
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(others)
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension FieldValue {
    private static let member = "base64"

    /// The stored form: the text, or an object if the bytes are not UTF-8.
    package var json: JSON {
        guard let others else { return .string(text) }
        return [FieldValue.member: .string(Base64.encode(others))]
    }

    /// Reads `json`; nil for anything else.
    package init?(stored value: JSON?) {
        if let text = value?.stringValue {
            self.init(text)
        } else if let bytes = value?[FieldValue.member]?.stringValue.flatMap(Base64.decode) {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }
}
