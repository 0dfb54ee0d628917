// Text of a character set that browsers read where servers say ISO 8859-1.

/// The bytes 0x80 to 0x9f of windows-1252, as the Encoding Standard has them.
enum Windows1252 {
    private static let high: [UInt16] = [
        0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x8d, 0x017d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013,
        0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d, 0x017e, 0x0178,
    ]

    /// The text of bytes; every byte is a character.
    static func text(_ bytes: [UInt8]) -> String {
        var text = ""
        for byte in bytes {
            text.unicodeScalars.append(character(Unicode.Scalar(byte)))
        }
        return text
    }

    /// A text that was read as ISO 8859-1, with the characters that browsers show in place of its
    /// control characters 0x80 to 0x9f.
    static func text(readAsLatin1 text: String) -> String {
        guard text.unicodeScalars.contains(where: { (0x80...0x9f).contains($0.value) }) else {
            return text
        }
        return String(String.UnicodeScalarView(text.unicodeScalars.map(character)))
    }

    private static func character(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0x80...0x9f).contains(scalar.value) else { return scalar }
        return Unicode.Scalar(high[Int(scalar.value) - 0x80]) ?? scalar
    }
}
