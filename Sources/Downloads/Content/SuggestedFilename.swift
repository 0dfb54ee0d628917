// A name for the file that is only ever shown, never a path.

/// The name that a file is offered under (RFC 6266 section 4.3).
package enum SuggestedFilename {
    /// Chooses a name: `filename*`, then `filename`, then the last part of the URL's path.
    ///
    /// - Parameters:
    ///   - contentDisposition: the field's value, or nil.
    ///   - path: the path of the final URL, still escaped.
    /// - Returns: a name without slashes, control characters or leading dots; `download` if nothing
    ///   is left.
    package static func choose(contentDisposition: String?, path: String) -> String {
        if let field = contentDisposition {
            let parameters = parameters(of: field)
            if let extended = parameters["filename*"], let name = decodeExtended(extended),
                let clean = sanitized(name)
            {
                return clean
            }
            if let name = parameters["filename"].map(Windows1252.text(readAsLatin1:)),
                let clean = sanitized(decodePlain(name))
            {
                return clean
            }
        }
        return sanitized(unescaped(lastSegment(of: path))) ?? "download"
    }

    /// A name as a client gave it, made safe in the same way; nil if nothing is left of it.
    package static func safe(_ name: String) -> String? { sanitized(name) }

    /// The last segment of a path that is not empty, without the query.
    private static func lastSegment(of path: String) -> String {
        var rest = path.utf8.prefix { $0 != UInt8(ascii: "?") }
        while rest.last == slash { rest.removeLast() }
        let start = rest.lastIndex(of: slash).map { rest.index(after: $0) } ?? rest.startIndex
        return String(decoding: rest[start...], as: UTF8.self)
    }

    private static let slash = UInt8(ascii: "/")

    /// The parameters of a field by lower-case name; the first of a name counts.
    private static func parameters(of field: String) -> [String: String] {
        var result: [String: String] = [:]
        var name = ""
        var value = ""
        var isInValue = false
        var isQuoted = false
        var isEscaped = false
        func keep() {
            let key = trimmed(name).lowercased()
            if isInValue, result[key] == nil { result[key] = trimmed(value) }
            name = ""
            value = ""
            isInValue = false
        }
        for character in field.unicodeScalars {
            if isQuoted {
                if isEscaped {
                    // In a Windows path a backslash is no escape.
                    if isWindowsPath(value) { value.unicodeScalars.append("\\") }
                    value.unicodeScalars.append(character)
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    isQuoted = false
                } else {
                    value.unicodeScalars.append(character)
                }
            } else if character == ";" {
                keep()
            } else if character == "=", !isInValue {
                isInValue = true
            } else if character == "\"", isInValue, trimmed(value).isEmpty {
                isQuoted = true
            } else if isInValue {
                value.unicodeScalars.append(character)
            } else {
                name.unicodeScalars.append(character)
            }
        }
        keep()
        return result
    }

    /// Reads `UTF-8''%e2%82%ac` (RFC 8187).
    ///
    /// Other character sets are read where browsers take them for windows-1252. Nil for bytes that
    /// are no text.
    private static func decodeExtended(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let bytes = unescapedBytes(String(parts[2]))
        switch parts[0].lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1", "windows-1252", "us-ascii": return Windows1252.text(bytes)
        default: return nil
        }
    }

    /// A name of ASCII that is percent-encoded as a whole, as many servers send it; other names,
    /// such as `100% pure.zip`, stay as they are.
    private static func decodePlain(_ name: String) -> String {
        let bytes = Array(name.utf8)
        let isEncoded =
            bytes.allSatisfy { $0 < 0x80 }
            && bytes.indices.allSatisfy { place in
                bytes[place] != UInt8(ascii: "%")
                    || place + 2 < bytes.count && value(of: bytes[place + 1]) != nil
                        && value(of: bytes[place + 2]) != nil
            }
        guard isEncoded else { return name }
        return String(validating: unescapedBytes(name), as: UTF8.self) ?? name
    }

    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        return String(decoding: unescapedBytes(text), as: UTF8.self)
    }

    private static func unescapedBytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        let source = Array(text.utf8)
        var place = 0
        while place < source.count {
            if source[place] == UInt8(ascii: "%"), place + 2 < source.count,
                let upper = value(of: source[place + 1]), let lower = value(of: source[place + 2])
            {
                bytes.append(upper << 4 | lower)
                place += 3
            } else {
                bytes.append(source[place])
                place += 1
            }
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// Whether the beginning of a name is that of a Windows path: a drive letter, or the one
    /// backslash that two escaped ones are read as.
    private static func isWindowsPath(_ name: String) -> Bool {
        let bytes = Array(name.utf8.prefix(2))
        if bytes.first == UInt8(ascii: "\\") { return true }
        return bytes.count == 2 && bytes[1] == UInt8(ascii: ":")
            && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[0] | 0x20)
    }

    /// Works on scalars: a slash with a combining mark is one character that is no slash.
    private static func sanitized(_ name: String) -> String? {
        guard !isPlain(name) else { return name }
        let parts = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }
        var scalars = Substring.UnicodeScalarView(parts.last ?? Substring.UnicodeScalarView())
            .filter { !isControl($0) && !isTurn($0) }
        let start = scalars.firstIndex { $0 != "." && $0 != " " } ?? scalars.endIndex
        scalars.removeSubrange(..<start)
        while scalars.last == " " { scalars.removeLast() }
        let clean = String(String.UnicodeScalarView(scalars))
        return clean.isEmpty ? nil : LongName.cut(clean)
    }

    /// Nearly every name is short and of plain characters: there is nothing to remove.
    private static func isPlain(_ name: String) -> Bool {
        guard (1...LongName.bytesAtMost).contains(name.utf8.count),
            name.utf8.first != UInt8(ascii: ".")
        else {
            return false
        }
        return name.utf8.allSatisfy {
            (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\")
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
            || scalar.value == 0x2028 || scalar.value == 0x2029
    }

    /// Marks that change the writing direction can disguise an ending.
    private static func isTurn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
        default: false
        }
    }

    private static func trimmed(_ text: String) -> String {
        var slice = Substring(text)
        while let first = slice.first, first == " " || first == "\t" { slice.removeFirst() }
        while let last = slice.last, last == " " || last == "\t" { slice.removeLast() }
        return String(slice)
    }
}
