// Texts in the headers of mail (RFC 2047).
internal import Base

/// Writes header values that may have any characters.
enum EncodedWords {
    /// The most bytes of text in one encoded word: with its marks it is 72 characters long, of the
    /// 75 that are allowed.
    private static let bytesAtMost = 45

    /// A text as the value of a header, in one line.
    ///
    /// - Parameters:
    ///   - text: without control characters.
    ///   - separator: stands between two encoded words; readers do not show it.
    /// - Returns: the text itself if it is plain ASCII, else encoded words.
    static func header(_ text: String, separator: String = " ") -> String {
        let isPlain =
            text.utf8.allSatisfy { (0x20..<0x7f).contains($0) } && !text.contains("=?")
        guard !isPlain else { return text }
        var words: [[UInt8]] = [[]]
        // A word has whole characters.
        for scalar in text.unicodeScalars {
            let bytes = Array(String(Character(scalar)).utf8)
            if words[words.count - 1].count + bytes.count > bytesAtMost { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?UTF-8?B?\(Base64.encode($0))?=" }.joined(separator: separator)
    }
}
