// The line before each chunk.

/// The size of a chunk, and the grammar of its extensions; RFC 9112 section 7.1.
struct ChunkLine {
    var size: Int
    var extensionBytes: Int

    /// The most digits of a size, leading zeros included; a number of so many always fits in 64
    /// bits.
    static let sizeDigitsMax = 15

    /// Reads a line without its line end; extensions are checked and then ignored.
    static func parse(_ line: Span<UInt8>) throws(Rejection) -> ChunkLine {
        var size = 0
        var index = 0
        while index < line.count, let digit = line[index].hexValue {
            guard index < sizeDigitsMax else { throw .malformed("A chunk's size is too long.") }
            size = size << 4 | digit
            index += 1
        }
        guard index > 0 else { throw .malformed("A chunk has no size.") }
        let extensions = line.count - index
        while index < line.count { index = try endOfExtension(line, from: index) }
        return ChunkLine(size: size, extensionBytes: extensions)
    }

    /// The end of one extension: `;` name, or `;` name `=` token or quoted string; RFC 9112 section
    /// 7.1.1.
    ///
    /// Spaces and tabs before and behind `;` and `=` are the grammar's BWS: skipped. The grammar
    /// has none behind the last name or value.
    private static func endOfExtension(
        _ line: Span<UInt8>, from start: Int
    ) throws(Rejection) -> Int {
        let mark = endOfSpace(line, from: start)
        guard mark < line.count, line[mark] == .semicolon else {
            throw .malformed("A chunk size is followed by other bytes.")
        }
        let name = endOfSpace(line, from: mark + 1)
        let end = endOfToken(line, from: name)
        guard end > name else { throw .malformed("A chunk extension has no name.") }
        let equals = endOfSpace(line, from: end)
        guard equals < line.count, line[equals] == .equals else { return end }
        let value = endOfSpace(line, from: equals + 1)
        if value < line.count, line[value] == .quote {
            return try endOfQuoted(line, from: value + 1)
        }
        let last = endOfToken(line, from: value)
        guard last > value else { throw .malformed("A chunk extension has no value.") }
        return last
    }

    private static func endOfSpace(_ line: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < line.count, line[index] == .space || line[index] == .tab { index += 1 }
        return index
    }

    private static func endOfToken(_ line: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < line.count, line[index].isToken { index += 1 }
        return index
    }

    private static func endOfQuoted(_ line: Span<UInt8>, from start: Int) throws(Rejection) -> Int {
        var index = start
        while index < line.count, line[index].isFieldValue {
            if line[index] == .quote { return index + 1 }
            let isEscape = line[index] == .backslash
            index += 1
            if isEscape, index < line.count, line[index].isFieldValue { index += 1 }
        }
        throw .malformed("A chunk extension has a quotation without an end.")
    }
}
