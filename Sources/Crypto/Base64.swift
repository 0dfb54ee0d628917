// Bytes as text of 64 characters.
internal import CCrypto

/// Base 64 with the standard alphabet and padding; see RFC 4648 section 4.
package enum Base64 {
    /// Text in one line, padded; see EVP_EncodeBlock(3).
    package static func encode(_ bytes: [UInt8]) -> String {
        let length = (bytes.count + 2) / 3 * 4
        // EVP_EncodeBlock ends its text with a zero byte.
        var text = [UInt8](repeating: 0, count: length + 1)
        let written = unsafe EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        precondition(Int(written) == length, "libcrypto writes four characters for three bytes")
        return String(decoding: text.dropLast(), as: UTF8.self)
    }

    /// The bytes of padded text without white space; nil for any other text.
    ///
    /// See EVP_DecodeBlock(3), which takes more than this accepts.
    package static func decode(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 4) else { return nil }
        let padding = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2, characters.dropLast(padding).allSatisfy(isDigit) else { return nil }
        var bytes = [UInt8](repeating: 0, count: characters.count / 4 * 3)
        let written = unsafe EVP_DecodeBlock(&bytes, characters, Int32(characters.count))
        guard Int(written) == bytes.count else { return nil }
        bytes.removeLast(padding)
        // Bits that the padding hides must be zero, so that each value has one spelling.
        return encode(bytes) == text ? bytes : nil
    }

    private static func isDigit(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
