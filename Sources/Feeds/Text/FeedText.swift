// The character set of a feed, which may be said in three places and lie in each.
internal import Downloads
internal import XML

/// A feed as UTF-8, without a byte order mark and without white space before its first character.
///
/// Of these sets the first one counts that all bytes fit: that of a byte order mark; UTF-8, where
/// one byte is outside of ASCII and no set with several bytes for a character is named; the set of
/// the answer; the set of the document; UTF-8; windows-1252. ISO 8859-1 and US-ASCII are read as
/// windows-1252, as browsers do. If the bytes fit none of them, those that are no characters become
/// U+FFFD in the first one.
struct FeedText {
    /// The most bytes of a text: no character of another set grows by more.
    static let bytesAtMost = 4 * Feed.bytesAtMost

    /// The text in UTF-8.
    let bytes: [UInt8]
    /// The place of the first byte, from 1; not 1, 1 where white space stands before it.
    let first: (line: Int, column: Int)

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - bytes: at most `Feed.bytesAtMost`.
    ///   - charset: the set that the answer names, in small letters.
    init(_ bytes: [UInt8], charset: String?) {
        let marked = FeedCharset.marked(bytes)
        let rest = Array(bytes.dropFirst(marked?.length ?? 0))
        var candidates: [FeedCharset] = []
        if let marked {
            candidates = [marked.charset]
        } else {
            candidates = [
                FeedCharset.guessed(rest), charset.flatMap { FeedCharset($0) },
                FeedCharset.declared(in: rest),
            ].compactMap(\.self)
            if FeedText.isLikelyUTF8(rest), candidates.first?.isWide != true {
                candidates.insert(.utf8, at: 0)
            }
        }
        candidates += [.utf8, .windows1252]
        let decoded = candidates.lazy.compactMap { $0.decoded(rest, invalid: .refused) }.first
        let text = decoded ?? candidates[0].decoded(rest, invalid: .replaced) ?? rest
        let shown = text.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }
        let before = text[..<shown.startIndex]
        self.bytes = Array(shown)
        first = (
            before.count { $0 == 0x0a } + 1,
            before.count - (before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0) + 1
        )
    }

    /// The line and the column, from 1, behind each number of bytes; columns count characters.
    ///
    /// - Parameter offsets: in ascending order.
    /// - Returns: a place for each.
    /// - Complexity: O(bytes), however many there are.
    func places(of offsets: [Int]) -> [(line: Int, column: Int)] {
        var (line, column) = first
        var place = 0
        return offsets.map { offset in
            let end = max(place, min(offset, bytes.count))
            for byte in bytes[place..<end] {
                if byte == 0x0a {
                    (line, column) = (line + 1, 1)
                } else if byte & 0xc0 != 0x80 {
                    column += 1
                }
            }
            place = end
            return (line, column)
        }
    }

    /// Whether the bytes are UTF-8 with characters outside of ASCII, which other texts seldom are.
    private static func isLikelyUTF8(_ bytes: [UInt8]) -> Bool {
        bytes.contains { $0 >= 0x80 } && String(validating: bytes, as: UTF8.self) != nil
    }
}
