// The field that makes a browser store a file instead of showing it (RFC 6266).

/// The field that names the file (RFC 6266, RFC 8187).
package enum ContentDisposition {
    /// `attr-char` of RFC 8187, besides letters and digits.
    private static let attributeCharacters = "!#$&+-.^_`|~"

    /// Writes `attachment` with a plain name for old clients and the exact one for the others.
    ///
    /// - Parameter name: the file's name; path separators and control characters are replaced, so
    ///   that no reader can be led out of its folder.
    /// - Returns: the value of the field, in ASCII.
    package static func attachment(name: String) -> String { field("attachment", name) }

    /// Writes `inline` with the name under which the content is saved, as `attachment` does.
    package static func inline(name: String) -> String { field("inline", name) }

    private static func field(_ type: String, _ name: String) -> String {
        let clean = cleaned(name)
        var plain = ""
        for scalar in clean.unicodeScalars {
            switch scalar {
            case "\"", "\\", "%": plain.unicodeScalars.append("_")
            case _ where scalar.isASCII: plain.unicodeScalars.append(scalar)
            default: plain.unicodeScalars.append("_")
            }
        }
        let value = "\(type); filename=\"\(plain)\""
        // The extended form is needed only if the plain one differs from the name.
        return plain == clean
            ? value
            : value + "; filename*=UTF-8''" + extended(clean)
    }

    /// A text as `value-chars` of RFC 8187.
    private static func extended(_ text: String) -> String {
        let kept = Array(attributeCharacters.utf8)
        return text.utf8.reduce(into: "") { result, byte in
            let scalar = Unicode.Scalar(byte)
            let isLetter = scalar.isASCII && scalar.properties.isAlphabetic
            guard !isLetter, !(0x30...0x39).contains(byte), !kept.contains(byte) else {
                result.unicodeScalars.append(scalar)
                return
            }
            result += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
    }

    /// A single path component of at most 200 bytes that is neither hidden nor empty.
    private static func cleaned(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            let isUnsafe =
                scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || scalar == "/"
                || scalar == "\\" || (0x202a...0x202e).contains(scalar.value)
                || (0x2066...0x2069).contains(scalar.value)
            let next = isUnsafe ? "_" : String(scalar)
            guard result.utf8.count + next.utf8.count <= 200 else { break }
            result += next
        }
        while result.hasSuffix(" ") { result.removeLast() }
        while result.hasPrefix(" ") { result.removeFirst() }
        while result.hasPrefix(".") { result.removeFirst() }
        return result.isEmpty ? "download" : result
    }
}
