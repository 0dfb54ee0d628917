// One error in a document.

/// An error about one member of a document that a client sent.
package struct FieldError: Error, Hashable, Sendable {
    /// The most bytes of a pointer.
    package static let pointerBytesAtMost = 512
    /// The most bytes of a detail.
    package static let detailBytesAtMost = 1024

    /// The place of the error, as a JSON Pointer in a URI fragment (RFC 6901 section 6), for
    /// example `#/url`.
    package let pointer: String
    /// A sentence that says what to change.
    package let detail: String
    /// The nearest known word for a misspelt one.
    package let suggestion: String?

    /// Creates an error; longer texts are cut with an ellipsis.
    package init(_ pointer: String, _ detail: String, suggestion: String? = nil) {
        self.suggestion = suggestion
        self.pointer = pointer.cut(to: FieldError.pointerBytesAtMost)
        self.detail = detail.cut(to: FieldError.detailBytesAtMost)
    }
}
