// Swift text without its comments and literals, so that rules see only code.

/// Replaces comments and string literals by spaces; lines keep their length and number.
struct SourceMask {
    private let bytes: [UInt8]
    private var output: [UInt8]
    private var index = 0

    /// The text with spaces in place of comments and literals.
    static func code(of text: String) -> String {
        var mask = SourceMask(Array(text.utf8))
        while mask.index < mask.bytes.count { mask.step() }
        return String(decoding: mask.output, as: UTF8.self)
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        output = bytes
    }

    private mutating func step() {
        let isSlash = bytes[index] == UInt8(ascii: "/")
        if isSlash, starts("//") {
            while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { blank() }
        } else if isSlash, starts("/*") {
            blockComment()
        } else if bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "#") {
            literal()
        } else {
            index += 1
        }
    }

    private func starts(_ text: String, at place: Int? = nil) -> Bool {
        bytes[(place ?? index)...].starts(with: text.utf8)
    }

    /// Blanks one byte; line ends stay.
    private mutating func blank() {
        if bytes[index] != UInt8(ascii: "\n") { output[index] = UInt8(ascii: " ") }
        index += 1
    }

    private mutating func blank(_ count: Int) {
        for _ in 0..<count where index < bytes.count { blank() }
    }

    private mutating func blockComment() {
        var depth = 0
        repeat {
            if starts("/*") {
                depth += 1
                blank(2)
            } else if starts("*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && index < bytes.count
    }

    /// A string literal with any number of `#`, or a `#` of another kind.
    private mutating func literal() {
        var hashes = 0
        while index + hashes < bytes.count, bytes[index + hashes] == UInt8(ascii: "#") {
            hashes += 1
        }
        guard index + hashes < bytes.count, bytes[index + hashes] == UInt8(ascii: "\"") else {
            index += max(hashes, 1)
            return
        }
        let quotes = starts("\"\"\"", at: index + hashes) ? 3 : 1
        blank(hashes + quotes)
        while index < bytes.count {
            if isEnd(quotes: quotes, hashes: hashes) {
                blank(quotes + hashes)
                return
            }
            guard isEscape(hashes: hashes) else {
                blank()
                continue
            }
            blank(1 + hashes)
            if index < bytes.count, bytes[index] == UInt8(ascii: "(") {
                interpolation()
            } else {
                blank()
            }
        }
    }

    private func isEnd(quotes: Int, hashes: Int) -> Bool {
        guard bytes[index] == UInt8(ascii: "\"") else { return false }
        return starts(
            String(repeating: "\"", count: quotes) + String(repeating: "#", count: hashes))
    }

    private func isEscape(hashes: Int) -> Bool {
        guard bytes[index] == UInt8(ascii: "\\") else { return false }
        return starts("\\" + String(repeating: "#", count: hashes))
    }

    /// Code inside of a literal: blanked, but its own literals and parentheses count.
    private mutating func interpolation() {
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "("):
                depth += 1
                blank()
            case UInt8(ascii: ")"):
                depth -= 1
                blank()
                if depth == 0 { return }
            case UInt8(ascii: "\""), UInt8(ascii: "#"):
                let start = index
                literal()
                for place in start..<index where bytes[place] != UInt8(ascii: "\n") {
                    output[place] = UInt8(ascii: " ")
                }
            default: blank()
            }
        }
    }
}
