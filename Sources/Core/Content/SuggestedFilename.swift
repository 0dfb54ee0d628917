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
            if let name = parameters["filename"], let clean = sanitized(name) { return clean }
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

    /// `UTF-8''%e2%82%ac` (RFC 8187); other character sets are not read.
    private static func decodeExtended(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return unescaped(String(parts[2]))
    }

    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
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
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
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
        var clean = String(String.UnicodeScalarView(scalars))
        while clean.utf8.count > 200 { clean.removeLast() }
        return clean.isEmpty ? nil : clean
    }

    /// Nearly every name is short and of plain characters: there is nothing to remove.
    private static func isPlain(_ name: String) -> Bool {
        guard (1...200).contains(name.utf8.count), name.utf8.first != UInt8(ascii: ".") else {
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

    /// Marks that turn the writing direction can make one ending look like another.
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
