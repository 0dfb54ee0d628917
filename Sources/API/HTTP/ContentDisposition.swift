// The field that makes a browser store a file instead of showing it (RFC 6266).
internal import HTTPWire

/// The field that names the file (RFC 6266, RFC 8187).
enum ContentDisposition {
    /// `attr-char` of RFC 8187, besides letters and digits.
    private static let attributeCharacters = "!#$&+-.^_`|~"

    /// Writes `attachment` with a plain name for old clients and the exact one for the others.
    ///
    /// - Parameter name: the file's name; path separators and control characters are replaced, so
    ///   that no reader can be led out of its folder.
    /// - Returns: the value of the field, in ASCII.
    static func attachment(name: String) -> String {
        let clean = cleaned(name)
        var plain = ""
        for scalar in clean.unicodeScalars {
            switch scalar {
            case "\"", "\\", "%": plain.unicodeScalars.append("_")
            case _ where scalar.isASCII: plain.unicodeScalars.append(scalar)
            default: plain.unicodeScalars.append("_")
            }
        }
        let value = "attachment; filename=\"\(plain)\""
        // The extended form is needed only if the plain one differs from the name.
        return plain == clean
            ? value
            : value + "; filename*=UTF-8''"
                + PercentCoding.encode(clean, keeping: attributeCharacters)
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
        result = result.trimmed
        while result.hasPrefix(".") { result.removeFirst() }
        return result.isEmpty ? "download" : result
    }
}
