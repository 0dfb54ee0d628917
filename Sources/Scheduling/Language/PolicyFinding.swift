package import Base
internal import Downloads

/// One finding about a policy document.
package struct PolicyFinding: Equatable, Sendable {
    /// The place, as a JSON Pointer in a URI fragment.
    package let pointer: String
    /// The severity.
    package let level: FindingLevel
    /// The fault and what to change, one sentence.
    package let detail: String
    /// The nearest known word for a misspelt one.
    package let suggestion: String?

    /// Creates a finding; long texts are cut like those of `FieldError`.
    package init(
        _ pointer: String, _ level: FindingLevel = .error, _ detail: String,
        suggestion: String? = nil
    ) {
        let error = FieldError(pointer, detail, suggestion: suggestion)
        self.pointer = error.pointer
        self.level = level
        self.detail = error.detail
        self.suggestion = suggestion
    }

    /// The finding as an error of a document of any kind.
    package var error: FieldError { FieldError(pointer, detail, suggestion: suggestion) }

    /// Writes the finding as clients see it.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("pointer", pointer)
        writer.member("level", level.rawValue)
        writer.member("detail", detail)
        writer.member("did_you_mean", suggestion)
        writer.endObject()
    }
}
