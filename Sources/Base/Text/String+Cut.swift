// Texts that are shown have a bound.

extension String {
    /// The text, or its first bytes and an ellipsis if it is longer than the bound.
    package func cut(to bytesAtMost: Int) -> String {
        guard utf8.count > bytesAtMost else { return self }
        var end = utf8.index(startIndex, offsetBy: bytesAtMost)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }
}
