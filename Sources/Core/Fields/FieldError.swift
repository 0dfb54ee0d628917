// What is wrong with one member of a document.

/// One finding in a document that a client sent.
package struct FieldError: Error, Hashable, Sendable {
    /// Bytes of a pointer.
    package static let pointerBytesAtMost = 512
    /// Bytes of a detail.
    package static let detailBytesAtMost = 1024

    /// Where, as a JSON Pointer in a URI fragment (RFC 6901 section 6), for example `#/url`.
    package let pointer: String
    /// What to change, one sentence.
    package let detail: String
    /// The nearest known word, where something was misspelt.
    package let suggestion: String?

    /// Names a finding; what is longer than findings may be ends in an ellipsis.
    package init(_ pointer: String, _ detail: String, suggestion: String? = nil) {
        self.suggestion = suggestion
        self.pointer = pointer.cut(to: FieldError.pointerBytesAtMost)
        self.detail = detail.cut(to: FieldError.detailBytesAtMost)
    }
}

extension String {
    /// The text, or its beginning of so many bytes at most and an ellipsis.
    package func cut(to bytesAtMost: Int) -> String {
        guard utf8.count > bytesAtMost else { return self }
        var end = utf8.index(startIndex, offsetBy: bytesAtMost)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }
}
