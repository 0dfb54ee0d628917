/// One thing to say about a policy document.
package struct PolicyFinding: Equatable, Sendable {
    /// Where, as a JSON Pointer in a URI fragment.
    package let pointer: String
    /// How much it matters.
    package let level: FindingLevel
    /// What it is and what to change, one sentence.
    package let detail: String
    /// The nearest known word, where there is one.
    package let suggestion: String?

    /// Names a finding; long texts are cut as those of `FieldError`.
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

    /// The same as a finding of any document.
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
