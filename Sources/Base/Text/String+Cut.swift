// Texts that are shown have a bound.

extension String {
    /// The text, or its beginning of so many bytes at most and an ellipsis.
    package func cut(to bytesAtMost: Int) -> String {
        guard utf8.count > bytesAtMost else { return self }
        var end = utf8.index(startIndex, offsetBy: bytesAtMost)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }
}
